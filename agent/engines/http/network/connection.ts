import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Client, type Dispatcher } from 'undici';
import { FrameMeter } from './frame-meter.ts';
import type { ConnectionTimes, HttpVersion, OpenedConnection } from './open-connection.ts';
import { takeNextStream } from './next-stream.ts';

/**
 * A socket whose received bytes are seen by `onReceived` before their reader has them. Node's HTTP/2 reads a plain socket in native code, where nobody
 * can look on.
 */
export class ObservedSocket extends Duplex {
  readonly #socket: Socket;

  constructor(socket: Socket, onReceived: (chunk: Buffer) => void) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => {
      onReceived(chunk);
      if (!this.push(chunk)) socket.pause();
    });
    socket.pause();
    socket.once('end', () => this.push(null));
    socket.once('error', (error) => this.destroy(error));
    socket.once('close', () => this.destroy());
  }

  override _read(): void {
    this.#socket.resume();
  }

  override _write(chunk: Buffer, encoding: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, callback);
  }

  override _writev(
    chunks: { chunk: Buffer; encoding: BufferEncoding }[],
    callback: (error?: Error | null) => void,
  ): void {
    this.#socket.write(
      chunks.length === 1 ? chunks[0]!.chunk : Buffer.concat(chunks.map(({ chunk }) => chunk)),
      callback,
    );
  }

  override _final(callback: () => void): void {
    this.#socket.end(callback);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    this.#socket.destroy();
    callback(error);
  }
}

export interface ConnectionOptions {
  id: string;
  origin: URL;
  opened: OpenedConnection;
  /** How many requests may be under way on it: the depth of pipelining, or the streams of HTTP/2. */
  capacity: number;
  onGone: () => void;
  /** The server begins to send what was not asked for. */
  onPush: (push: Push) => void;
}

/** One stream that the server opened (RFC 9113 section 8.4). */
export interface Push {
  stream: ClientHttp2Stream;
  /** Of the request that it answers. */
  headers: IncomingHttpHeaders;
  connection: Connection;
  /** Bytes of its answer so far, as they were on the connection. */
  readBytes: () => number;
}

/** undici gives back by this error what it would send on another connection: that is for the pool to do. */
export class ConnectionGoneError extends Error {
  override readonly name = 'ConnectionGoneError';
}

/** As Chrome's, so that the window is no bottleneck on a link of long delay. */
const http2Windows = { initialWindowSize: 6 * 1024 * 1024, connectionWindowSize: 15 * 1024 * 1024 };
const askAgainAfterMs = 5;
const idleForeverMs = 2 ** 31 - 1;

/** One connection, spoken to by an undici client of its own. */
export class Connection {
  readonly id: string;
  readonly version: HttpVersion;
  readonly times: ConnectionTimes;
  readonly serverAddress: string | null;
  readonly capacity: number;
  inFlight = 0;
  /** Whether a request was sent on it before. */
  isUsed = false;
  readonly #socket: Socket;
  /** What undici reads and writes. */
  readonly #spoken: Duplex;
  readonly #client: Client;
  /** Null for HTTP/1, which has no frames. */
  readonly #frames: FrameMeter | null;
  readonly #onPush: (push: Push) => void;
  #takesPushes = false;

  constructor({ id, origin, opened, capacity, onGone, onPush }: ConnectionOptions) {
    const { socket, version, times } = opened;
    this.id = id;
    this.version = version;
    this.times = times;
    this.serverAddress = opened.serverAddress;
    this.capacity = version === 'http/1.0' ? 1 : capacity;
    this.#socket = socket;
    this.#onPush = onPush;
    if (version === 'http/1.0') speakHttp10(socket);
    const frames = version === 'h2' ? new FrameMeter() : null;
    this.#frames = frames;
    // undici goes by the outcome of ALPN.
    const spoken =
      frames === null
        ? socket
        : Object.assign(new ObservedSocket(socket, (chunk) => frames.push(chunk)), { alpnProtocol: 'h2' });
    this.#spoken = spoken;
    let isTaken = false;
    this.#client = new Client(origin, {
      connect: (_options, callback) => {
        const isGone = isTaken || socket.destroyed;
        isTaken = true;
        // Not at once: undici continues only with what comes later.
        if (!isGone) queueMicrotask(() => callback(null, spoken as Socket));
        // It asks again and again while answers are under way on a connection that the server will close.
        else setTimeout(() => callback(new ConnectionGoneError('The connection is gone'), null), askAgainAfterMs);
      },
      pipelining: version === 'http/1.0' ? 0 : this.capacity,
      allowH2: version === 'h2',
      h2Options: { ...http2Windows, maxConcurrentStreams: this.capacity, pingInterval: 0 },
      // The Visit has a hard cap; what is idle stays open, as in a browser.
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: idleForeverMs,
      keepAliveMaxTimeout: idleForeverMs,
      maxHeaderSize: 256 * 1024,
    });
    // `close` follows, and reports it. undici listens only from the first request on.
    socket.on('error', () => undefined);
    socket.once('close', onGone);
  }

  get isUsable(): boolean {
    return !this.#socket.destroyed && this.#frames?.isGoingAway !== true;
  }

  send(request: Pick<Dispatcher.DispatchOptions, 'path' | 'headers'>, handler: Dispatcher.DispatchHandler): void {
    this.isUsed = true;
    // `blocking: false` is what lets undici send a request before the answer to the one before has begun.
    this.#client.dispatch({ ...request, method: 'GET', idempotent: true, blocking: false }, handler);
  }

  /** For one request that is about to be sent. */
  meterAnswer(): AnswerMeter {
    const frames = this.#frames;
    if (frames !== null)
      return meterStream(this.#spoken, {
        frames,
        onOpened: ({ session }) => session && this.#takePushes(session as ClientHttp2Session, frames),
      });
    return this.capacity === 1 ? meterSocket(this.#socket) : meterParts();
  }

  /** undici refuses pushes in its first settings. These further ones leave before the first request does. */
  #takePushes(session: ClientHttp2Session, frames: FrameMeter): void {
    if (this.#takesPushes) return;
    this.#takesPushes = true;
    session.settings({ enablePush: true });
    session.on('stream', (stream, headers) =>
      this.#onPush({ stream, headers, connection: this, readBytes: () => frames.bytesOf(stream.id!) }),
    );
  }

  async close(): Promise<void> {
    await this.#client.destroy();
    // One that no request was sent on is unknown to undici.
    this.#socket.destroy();
  }
}

/**
 * Makes a connection speak HTTP/1.0. undici writes `GET /path HTTP/1.1` as the first line of each request, and never another
 * version: the line that leaves says HTTP/1.0. That a connection carries one request only is undici's `pipelining: 0`.
 */
function speakHttp10(socket: Socket): void {
  const write = socket.write.bind(socket) as (chunk: unknown, ...rest: unknown[]) => boolean;
  socket.write = (chunk: unknown, ...rest: unknown[]) => {
    const text = typeof chunk === 'string' ? chunk.replace(/^([A-Z]+ \S+ HTTP\/1)\.1\r\n/, '$1.0\r\n') : chunk;
    return write(text, ...rest);
  };
}

/** Counts the bytes of one answer as they are on the connection, right below TLS: headers, body, and what frames them. */
interface AnswerMeter {
  /** Once, when the request is about to be sent. */
  begin(): void;
  /** With each head, those of interim answers included. */
  addHead(head: { rawHeaders: unknown; statusText: string }): void;
  addBody(bytes: number): void;
  /** What has come so far. */
  read(): number;
}

/** Counts the frames of the stream. `onOpened` has the stream before anything is sent on it. */
function meterStream(
  connection: Duplex,
  { frames, onOpened }: { frames: FrameMeter; onOpened: (stream: ClientHttp2Stream) => void },
): AnswerMeter {
  let stream: ClientHttp2Stream | null = null;
  return {
    begin: () =>
      takeNextStream(connection, (opened) => {
        stream = opened;
        onOpened(opened);
      }),
    addHead: () => {
      if (stream === null) throw new Error('An answer came on a stream that undici did not open with its request');
    },
    addBody: () => undefined,
    // A stream that still waits for its turn has no number.
    read: () => (stream?.id === undefined ? 0 : frames.bytesOf(stream.id)),
  };
}

/** Counts all bytes that the connection received since the request began: it answers one request at a time. */
function meterSocket(socket: Socket): AnswerMeter {
  let before = 0;
  return {
    begin: () => (before = socket.bytesRead),
    addHead: () => undefined,
    addBody: () => undefined,
    read: () => socket.bytesRead - before,
  };
}

/** Counts the heads and bodies that the parser yields, of answers that share a connection. The sizes that precede each part of a chunked body are missing. */
function meterParts(): AnswerMeter {
  let bytes = 0;
  return {
    begin: () => (bytes = 0),
    addHead: (head) => (bytes += countHeadBytes(head)),
    addBody: (count) => (bytes += count),
    read: () => bytes,
  };
}

/** `HTTP/1.1 200 ` and the words after it, then `name: value` for each field, each line with its end, then an empty line. */
function countHeadBytes({ rawHeaders, statusText }: { rawHeaders: unknown; statusText: string }): number {
  const parts = Array.isArray(rawHeaders) ? (rawHeaders as (Buffer | string)[]) : [];
  return 15 + statusText.length + parts.reduce((total, part) => total + part.length, 0) + 2 * parts.length + 2;
}
