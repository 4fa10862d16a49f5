import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { actAfter, realTime, type Time } from '#core/clock/time.ts';
import type { LeafCertificates } from './leaf-certificates.ts';

/** How long a browser may take to begin to speak, and then to greet. */
const defaultGreetingMs = 10_000;
/** The first byte of a TLS greeting. */
const handshakeByte = 0x16;

export interface TlsEndingOptions extends ServerOptions {
  greetingMs?: number | undefined;
  /** Of this process unless given. */
  time?: Time | undefined;
}

interface Ended {
  /** HOST:PORT of CONNECT. */
  authority: string;
  /** What showed the user of CONNECT. */
  proxyAuthorization: string | undefined;
}

interface Asked {
  socket: Duplex;
  /** CONNECT. */
  request: IncomingMessage;
  /** What came with it. */
  first: Buffer;
}

/** Ends TLS in place of the web servers, for browsers that trust the key. What they then ask is handled as what a proxy is asked. */
export class TlsEnding implements Disposable {
  /** Gets requests with their complete URL. It listens on no port. */
  readonly server: Server;
  readonly #leaves: LeafCertificates;
  readonly #greetingMs: number;
  readonly #sleep: Time['sleep'];
  readonly #ended = new WeakMap<object, Ended>();
  /** A server that listens on no port knows none of its connections. */
  readonly #sockets = new Set<Duplex>();

  constructor(
    leaves: LeafCertificates,
    { greetingMs = defaultGreetingMs, time = realTime, ...options }: TlsEndingOptions,
  ) {
    this.#leaves = leaves;
    this.#greetingMs = greetingMs;
    this.#sleep = time.sleep;
    this.server = createServer(options);
    // From then on it ends connections whose heads do not come in time.
    this.server.emit('listening');
    for (const event of ['request', 'checkContinue', 'checkExpectation', 'upgrade']) {
      this.server.prependListener(event, (request: IncomingMessage) => this.#complete(request));
    }
  }

  /** Ends all connections. */
  [Symbol.dispose](): void {
    for (const socket of this.#sockets) socket.destroy();
    this.server.close();
  }

  /** Takes a connection over, if TLS is spoken on it. If not, `pass` has it, with all its bytes: in SMTP, the server speaks first. */
  async takeOr({ socket, request, first }: Asked, pass: () => void): Promise<void> {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.unshift(first);
    try {
      const bytes = await this.#readFirst(socket);
      if (socket.destroyed) return;
      if (bytes) socket.unshift(bytes);
      if (bytes?.[0] === handshakeByte) await this.#take(socket, request);
      else pass();
    } catch {
      // The browser left.
      socket.destroy();
    }
  }

  async #take(socket: Duplex, request: IncomingMessage): Promise<void> {
    const { host } = readAuthority(request.url ?? '');
    const secure = new TLSSocket(socket, {
      isServer: true,
      secureContext: await this.#leaves.contextOf(host),
      ALPNProtocols: ['http/1.1'],
    });
    secure.on('error', () => socket.destroy());
    const greeted = new AbortController();
    actAfter(this.#greetingMs, () => socket.destroy(), { sleep: this.#sleep, signal: greeted.signal });
    for (const event of ['secure', 'close']) secure.once(event, () => greeted.abort());
    this.#ended.set(secure, {
      authority: request.url ?? '',
      proxyAuthorization: request.headers['proxy-authorization'],
    });
    this.server.emit('connection', secure);
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

  /** As a proxy is asked. */
  #complete(request: IncomingMessage): void {
    const ended = this.#ended.get(request.socket);
    if (!ended) return;
    const { authority, proxyAuthorization } = ended;
    if (request.url?.startsWith('/')) request.url = `https://${authority.replace(/:443$/, '')}${request.url}`;
    if (proxyAuthorization === undefined) delete request.headers['proxy-authorization'];
    else request.headers['proxy-authorization'] = proxyAuthorization;
  }
}

function readAuthority(authority: string): { host: string } {
  return { host: new URL(`https://${authority}`).hostname.replace(/^\[(.*)\]$/, '$1') };
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
