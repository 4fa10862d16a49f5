import { constants, Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { OutgoingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import type { AnyRequest, AnyResponse } from './create-server.ts';
import type { ObjectQuery } from './object-query.ts';
import type { Connection } from './open-listener.ts';
import type { RequestOutcome, RequestTruth } from './truth-log.ts';

export interface Content {
  status?: number;
  type: string;
  body: string | Uint8Array;
  headers?: OutgoingHttpHeaders;
}

interface ExchangeParts {
  request: AnyRequest;
  response: AnyResponse;
  connection: Connection;
  url: URL;
  query: ObjectQuery;
  crossOriginUrl: string;
  hosts?: readonly string[];
  record: RequestTruth;
  readEpochMs: () => number;
  /** Answers what the client did not ask for. */
  servePush: (request: Http2ServerRequest, response: Http2ServerResponse) => void;
}

/**
 * One request and the answer to it, the same for all versions of HTTP. It writes into the log when the answer's first byte
 * and last byte were handed to the socket, or how else it ended.
 */
export class Exchange {
  readonly url: URL;
  readonly query: ObjectQuery;
  /** The base URL of another origin, for objects that are to be foreign to this page. */
  readonly crossOriginUrl: string;
  /** The names of hosts over which a page may spread its objects. */
  readonly hosts: readonly string[];
  /** Aborted when the exchange is over: answered, broken off, or the client has gone away. */
  readonly signal: AbortSignal;
  readonly #parts: ExchangeParts;
  #waitedMs = 0;

  constructor(parts: ExchangeParts) {
    const over = new AbortController();
    this.#parts = parts;
    this.url = parts.url;
    this.query = parts.query;
    this.crossOriginUrl = parts.crossOriginUrl;
    this.hosts = parts.hosts ?? [];
    this.signal = over.signal;
    parts.response.once('finish', () => this.#end('complete'));
    parts.response.once('close', () => {
      this.#end('abandoned');
      over.abort();
    });
  }

  /** The TCP socket below any TLS; that of the front where the request came through it. */
  get socket(): Socket {
    return this.#parts.connection.socket;
  }

  readEpochMs(): number {
    return this.#parts.readEpochMs();
  }

  get method(): string {
    return this.#parts.request.method ?? 'GET';
  }

  /** Whether the client has sent this cookie, `name=value`. */
  hasCookie(cookie: string): boolean {
    return (this.#parts.request.headers.cookie ?? '').split(/; */).includes(cookie);
  }

  /** The body of a request that has one. Throws `invalid-input` where it has more bytes. */
  async readText(mostBytes: number): Promise<string> {
    const parts: Buffer[] = [];
    let bytes = 0;
    for await (const part of this.#parts.request as AsyncIterable<Buffer>) {
      bytes += part.length;
      if (bytes > mostBytes) throw new AppError('invalid-input', `The body has more than ${mostBytes} bytes`);
      parts.push(part);
    }
    return Buffer.concat(parts).toString('utf8');
  }

  /** Rejects when the client has gone away meanwhile. */
  async wait(ms: number): Promise<void> {
    if (ms <= 0) return;
    const fromMs = performance.now();
    await sleep(ms, undefined, { signal: this.signal });
    this.#waitedMs += performance.now() - fromMs;
  }

  /** Rejects when the client has gone away. */
  async waitForever(): Promise<never> {
    const { promise, reject } = Promise.withResolvers<never>();
    if (this.signal.aborted) reject(this.signal.reason);
    else this.signal.addEventListener('abort', () => reject(this.signal.reason), { once: true });
    return await promise;
  }

  /** Sends these values of `Link` ahead of the answer, in a 103 (RFC 8297). */
  hint(links: string[]): void {
    this.#parts.response.writeEarlyHints({ link: links });
  }

  /**
   * Promises the client what it would ask for by these targets, and begins to send it (RFC 9113 section 8.4). Pushes nothing to a client that
   * refuses pushes. Throws `invalid-input` for another version of HTTP than 2.
   */
  async push(targets: string[]): Promise<void> {
    const { response, servePush } = this.#parts;
    if (!('stream' in response)) throw new AppError('invalid-input', 'push needs HTTP/2 from the client to the origin');
    for (const target of targets) {
      if (!response.stream.pushAllowed) return;
      const headers = { ':method': 'GET', ':path': target };
      const pushed = await promiseAnswer(response, headers);
      servePush(new Http2ServerRequest(pushed.stream, headers, {}, []), pushed);
      // So that the answer begins before the next promise: clients refuse more than 200 promises whose answers have not begun.
      await setImmediate();
    }
  }

  /** Sends a whole answer with its length, in as many parts as the query asks for. */
  async send(content: Content): Promise<void> {
    const { chunks = 1, chunkGapMs = 0 } = this.query;
    const length = Buffer.byteLength(content.body);
    await this.sendInParts(
      { ...content, headers: { 'content-length': length, ...content.headers } },
      { chunks, chunkGapMs },
    );
  }

  /** Sends an answer in parts of equal length, with a pause between them. */
  async sendInParts(content: Content, { chunks, chunkGapMs }: { chunks: number; chunkGapMs: number }): Promise<void> {
    const body = Buffer.from(content.body);
    const partBytes = Math.max(1, Math.ceil(body.length / chunks));
    this.begin(content);
    let sentBytes = 0;
    for (; body.length - sentBytes > partBytes; sentBytes += partBytes) {
      await this.write(body.subarray(sentBytes, sentBytes + partBytes));
      await this.wait(chunkGapMs);
    }
    this.end(body.subarray(sentBytes));
  }

  /** Sets status and headers; they leave with the first bytes of the body. Objects may be cached, pages may not. */
  begin({ status = 200, type, headers = {} }: Partial<Omit<Content, 'body'>>): void {
    const { response, record, query } = this.#parts;
    response.statusCode = status;
    record.status = status;
    const isPage = query.counts === undefined;
    const all = {
      'content-type': type,
      'cache-control': isPage ? 'no-store' : 'public, max-age=3600',
      ...(query.tao === '1' ? { 'timing-allow-origin': '*' } : {}),
      // Of an answer without a delay, the header would change how many bytes a page has.
      ...(this.#waitedMs > 0 ? { 'server-timing': `total;dur=${this.#waitedMs.toFixed(1)}` } : {}),
      ...headers,
    };
    for (const [name, value] of Object.entries(all)) if (value !== undefined) response.setHeader(name, value);
  }

  /** Resolves when the socket has taken the bytes. */
  async write(bytes: string | Uint8Array): Promise<void> {
    this.#noteBytes(bytes);
    const { promise, resolve, reject } = Promise.withResolvers<undefined>();
    const abort = () => reject(this.signal.reason);
    this.signal.addEventListener('abort', abort, { once: true });
    this.#body.write(bytes, (error) => (error ? reject(error) : resolve(undefined)));
    try {
      await promise;
    } finally {
      this.signal.removeEventListener('abort', abort);
    }
  }

  end(bytes: string | Uint8Array = ''): void {
    this.#noteBytes(bytes);
    this.#body.end(bytes);
  }

  /** Resets the connection (TCP RST), and with it every other request on it. */
  resetConnection(): void {
    this.#end('reset');
    const { connection, response } = this.#parts;
    if (connection.leaveUnanswered && !this.isBegun) connection.leaveUnanswered(response);
    else connection.socket.resetAndDestroy();
  }

  /** Breaks off this answer alone where the protocol can: RST_STREAM in HTTP/2, else the connection is reset. */
  breakOff(): void {
    const { response } = this.#parts;
    if (!('stream' in response)) {
      this.resetConnection();
      return;
    }
    this.#end('reset');
    response.stream.close(constants.NGHTTP2_INTERNAL_ERROR);
  }

  /** Closes the connection in the regular way (TCP FIN) although the answer is not complete. */
  closeConnection(): void {
    this.#end('closed');
    const { connection, response } = this.#parts;
    if (connection.leaveUnanswered && !this.isBegun) connection.leaveUnanswered(response);
    else connection.socket.destroy();
  }

  get isBegun(): boolean {
    return this.#parts.record.status !== null;
  }

  get #body(): NodeJS.WritableStream {
    return this.#parts.response;
  }

  #noteBytes(bytes: string | Uint8Array): void {
    const { request, record, readEpochMs } = this.#parts;
    record.firstByteEpochMs ??= readEpochMs();
    if (request.method !== 'HEAD') record.bodyBytes += Buffer.byteLength(bytes);
  }

  #end(outcome: RequestOutcome): void {
    const { record, readEpochMs } = this.#parts;
    if (record.outcome !== 'in-flight') return;
    record.outcome = outcome;
    record.endedEpochMs = readEpochMs();
    if (outcome === 'complete') record.lastByteEpochMs = record.endedEpochMs;
  }
}

/** Rejects when the client has gone away. */
async function promiseAnswer(
  response: Http2ServerResponse,
  headers: OutgoingHttpHeaders,
): Promise<Http2ServerResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<Http2ServerResponse>();
  response.createPushResponse(headers, (error, pushed) => (error ? reject(error) : resolve(pushed)));
  return await promise;
}
