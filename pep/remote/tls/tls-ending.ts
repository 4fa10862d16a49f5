import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerOptions } from 'node:http';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import type { LeafCertificates } from './leaf-certificates.ts';

/** How long a browser may take to begin to speak, and then to greet. */
const defaultGreetingMs = 10_000;
/** The first byte of a TLS greeting. */
const handshakeByte = 0x16;

export interface TlsEndingOptions extends ServerOptions {
  greetingMs?: number | undefined;
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
  readonly #ended = new WeakMap<object, Ended>();
  /** A server that listens on no port knows none of its connections. */
  readonly #sockets = new Set<Duplex>();

  constructor(leaves: LeafCertificates, { greetingMs = defaultGreetingMs, ...options }: TlsEndingOptions) {
    this.#leaves = leaves;
    this.#greetingMs = greetingMs;
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
      const bytes = await readFirst(socket, AbortSignal.timeout(this.#greetingMs));
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
    const limit = setTimeout(() => socket.destroy(), this.#greetingMs).unref();
    secure.once('secure', () => clearTimeout(limit));
    this.#ended.set(secure, {
      authority: request.url ?? '',
      proxyAuthorization: request.headers['proxy-authorization'],
    });
    this.server.emit('connection', secure);
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
