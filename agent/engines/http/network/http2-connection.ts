import { subscribe } from 'node:diagnostics_channel';
import type { ClientHttp2Session, ClientHttp2Stream, IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { Client, type Dispatcher } from 'undici';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import {
  ConnectionGoneError,
  StreamResetError,
  type AnswerListener,
  type Connection,
  type ConnectionOptions,
  type SentRequest,
} from './connection.ts';
import { FrameMeter } from './frame-meter.ts';
import type { ConnectionTimes, HttpVersion } from './open-connection.ts';

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

/** One stream that the server opened (RFC 9113 section 8.4). */
export interface Push {
  stream: ClientHttp2Stream;
  /** Of the request that it answers. */
  headers: IncomingHttpHeaders;
  connection: Connection;
  /** Bytes of its answer so far, as they were on the connection. */
  readBytes: () => number;
}

/** As Chrome's, so that the window is no bottleneck on a link of long delay. */
const http2Windows = { initialWindowSize: 6 * 1024 * 1024, connectionWindowSize: 15 * 1024 * 1024 };
const askAgainAfterMs = 5;
const idleForeverMs = 2 ** 31 - 1;

export interface Http2ConnectionOptions extends ConnectionOptions {
  /** The server begins to send what was not asked for. */
  onPush: (push: Push) => void;
}

/** One connection of HTTP/2, spoken to by an undici client of its own. */
export class Http2Connection implements Connection {
  readonly id: string;
  readonly version: HttpVersion;
  readonly times: ConnectionTimes;
  readonly serverAddress: string | null;
  readonly capacity: number;
  inFlight = 0;
  hasAnswered = false;
  isUsed = false;
  readonly #socket: Socket;
  /** What undici reads and writes. */
  readonly #spoken: Duplex;
  readonly #client: Client;
  readonly #frames = new FrameMeter();
  readonly #nowEpochMs: EpochClock;
  readonly #onPush: (push: Push) => void;
  #takesPushes = false;

  constructor({ id, origin, opened, capacity, onGone, nowEpochMs, onPush }: Http2ConnectionOptions) {
    const { socket, version, times } = opened;
    this.id = id;
    this.version = version;
    this.times = times;
    this.serverAddress = opened.serverAddress;
    this.capacity = capacity;
    this.#socket = socket;
    this.#nowEpochMs = nowEpochMs;
    this.#onPush = onPush;
    const observed = new ObservedSocket(socket, (chunk) => this.#frames.push(chunk));
    // undici goes by the outcome of ALPN.
    this.#spoken = Object.assign(observed, { alpnProtocol: 'h2' });
    let isTaken = false;
    this.#client = new Client(origin, {
      connect: (_options, callback) => {
        const isGone = isTaken || socket.destroyed;
        isTaken = true;
        // Not at once: undici continues only with what comes later.
        if (!isGone) queueMicrotask(() => callback(null, this.#spoken as Socket));
        // It asks again and again while answers are under way on a connection that the server will close.
        else setTimeout(() => callback(new ConnectionGoneError('The connection is gone'), null), askAgainAfterMs);
      },
      pipelining: capacity,
      allowH2: true,
      h2Options: { ...http2Windows, maxConcurrentStreams: capacity, pingInterval: 0 },
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
    return !this.#socket.destroyed && !this.#frames.isGoingAway;
  }

  get isHttp1Required(): boolean {
    return this.#frames.isHttp1Required;
  }

  send(request: SentRequest, listener: AnswerListener): void {
    this.isUsed = true;
    let stream: ClientHttp2Stream | null = null;
    let hasBegun = false;
    // The frames of its stream. One that still waits for its turn has no number.
    const noteReceived = () => listener.onReceived(stream?.id === undefined ? 0 : this.#frames.bytesOf(stream.id));
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart: () => {
        takeNextStream(this.#spoken, (opened) => {
          stream = opened;
          if (opened.session) this.#takePushes(opened.session as ClientHttp2Session);
        });
        listener.onSent(this.#nowEpochMs());
      },
      onResponseStart: (controller, status, headers) => {
        const epochMs = this.#nowEpochMs();
        if (stream === null) throw new Error('An answer came on a stream that undici did not open with its request');
        hasBegun = true;
        listener.onBegun();
        if (status < 200) return;
        noteReceived();
        listener.onHead({ epochMs, status, statusText: '', headers, abort: (reason) => controller.abort(reason) });
      },
      onResponseData: (_controller, chunk) => {
        const epochMs = this.#nowEpochMs();
        noteReceived();
        listener.onData(chunk, epochMs);
      },
      onResponseEnd: () => {
        noteReceived();
        listener.onOver(null);
      },
      onResponseError: (_controller, error) => {
        if (hasBegun) noteReceived();
        const isReset = stream?.id !== undefined && this.#frames.isReset(stream.id);
        listener.onOver(isReset ? new StreamResetError(error) : error);
      },
    };
    // `blocking: false` is what lets undici send a request before the answer to the one before has begun.
    this.#client.dispatch({ ...request, method: 'GET', idempotent: true, blocking: false }, handler);
  }

  /** undici refuses pushes in its first settings. These further ones leave before the first request does. */
  #takePushes(session: ClientHttp2Session): void {
    if (this.#takesPushes) return;
    this.#takesPushes = true;
    session.settings({ enablePush: true });
    session.on('stream', (stream, headers) =>
      this.#onPush({ stream, headers, connection: this, readBytes: () => this.#frames.bytesOf(stream.id!) }),
    );
  }

  async close(): Promise<void> {
    await this.#client.destroy();
    // One that no request was sent on is unknown to undici.
    this.#socket.destroy();
  }
}

type Taker = (stream: ClientHttp2Stream) => void;

/** By the connection that the stream will be on. */
const takers = new WeakMap<Duplex, Taker>();

subscribe('http2.client.stream.created', (message) => {
  const { stream } = message as { stream: ClientHttp2Stream };
  // Those of the server have even numbers: what it pushes.
  if (stream.id !== undefined && stream.id % 2 === 0) return;
  const connection = connectionOf(stream);
  if (!connection) return;
  const take = takers.get(connection);
  takers.delete(connection);
  take?.(stream);
});

/**
 * Hands over the next stream that is opened on a connection. undici, which keeps its streams to itself, opens that of a request right after it has
 * announced the request. A request that it gave up before that is replaced by the next one.
 */
export function takeNextStream(connection: Duplex, take: Taker): void {
  takers.set(connection, take);
}

/** Node wraps what is no socket of its own, and keeps it as `stream`. */
function connectionOf({ session }: ClientHttp2Stream): Duplex | undefined {
  return (session?.socket as { stream?: Duplex } | undefined)?.stream;
}
