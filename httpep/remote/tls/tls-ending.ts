import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { actAfter, realTime, type Time } from '#core/clock/time.ts';
import type { LeafCertificates } from './leaf-certificates.ts';

/** How long a browser may take to begin to speak, and then to greet. */
const defaultGreetingMs = 10_000;
/** The first byte of a TLS greeting. */
const handshakeByte = 0x16;

export interface TlsEndingOptions {
  greetingMs?: number | undefined;
  /** Of this process unless given. */
  time?: Time | undefined;
}

/** Ends TLS in place of the web servers, for browsers that trust the key. */
export class TlsEnding implements Disposable {
  readonly #leaves: LeafCertificates;
  readonly #greetingMs: number;
  readonly #sleep: Time['sleep'];
  readonly #sockets = new Set<Duplex>();

  constructor(leaves: LeafCertificates, { greetingMs = defaultGreetingMs, time = realTime }: TlsEndingOptions) {
    this.#leaves = leaves;
    this.#greetingMs = greetingMs;
    this.#sleep = time.sleep;
  }

  /** Ends all connections. */
  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** What is said inside of TLS to a host; null where something else is spoken, and its bytes are there still: in SMTP, the server speaks first. Throws when the browser leaves. */
  async open(socket: Duplex, host: string): Promise<Duplex | null> {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    const bytes = await this.#readFirst(socket);
    if (bytes) socket.unshift(bytes);
    return bytes?.[0] === handshakeByte ? await this.#greet(socket, host) : null;
  }

  async #greet(socket: Duplex, host: string): Promise<Duplex> {
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: await this.#leaves.contextOf(host),
      ALPNProtocols: ['http/1.1'],
    });
    secure.on('error', () => socket.destroy());
    const greeted = new AbortController();
    actAfter(this.#greetingMs, () => socket.destroy(), { sleep: this.#sleep, signal: greeted.signal });
    for (const event of ['secure', 'close']) secure.once(event, () => greeted.abort());
    return secure;
  }

  /** Null: the browser says nothing for too long. */
  async #readFirst(socket: Duplex): Promise<Buffer | null> {
    const over = new AbortController();
    const silent = new AbortController();
    actAfter(this.#greetingMs, () => silent.abort(), { sleep: this.#sleep, signal: over.signal });
    try {
      return await readFirst(socket, silent.signal);
    } finally {
      over.abort();
    }
  }
}

/** Null: the browser says nothing until `signal`. */
async function readFirst(socket: Duplex, signal: AbortSignal): Promise<Buffer | null> {
  for (;;) {
    const bytes = socket.read() as Buffer | null;
    if (bytes) return bytes;
    if (socket.readableEnded || socket.destroyed) throw new Error('The browser closed the connection');
    try {
      await Promise.race([once(socket, 'readable', { signal }), once(socket, 'end', { signal })]);
    } catch (error) {
      if (!signal.aborted) throw error;
      return null;
    }
  }
}
