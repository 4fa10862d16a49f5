import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import type { Push } from './http2-connection.ts';
import { asNetworkError, NetworkError } from './network-error.ts';
import type { RequestListener } from './pending-request.ts';

/** What was pushed and not asked for, as far as it came. */
export interface UnusedPushes {
  count: number;
  bytes: number;
}

/** A server that pushes more than any page takes is refused the rest. */
const limits = { answers: 1000, bytes: 64 * 1024 * 1024 };

/** What servers pushed to one client, by URL. */
export class PushedAnswers {
  readonly #nowEpochMs: EpochClock;
  readonly #waiting = new Map<string, PushedAnswer>();
  #refusedCount = 0;

  constructor(nowEpochMs: EpochClock) {
    this.#nowEpochMs = nowEpochMs;
  }

  /** From a connection to this origin, which may push what is its own (RFC 9113 section 8.4). */
  add(origin: string, push: Push): void {
    const { ':method': method, ':scheme': scheme, ':authority': authority, ':path': path = '' } = push.headers;
    const base = `${scheme}://${authority}`;
    const isOwn = method === 'GET' && URL.canParse(path, base) && new URL(path, base).origin === origin;
    const url = isOwn ? new URL(path, base).href : '';
    // A stream without a listener for errors would end the process.
    push.stream.on('error', () => undefined);
    if (!isOwn || this.#waiting.has(url) || this.#isFull()) {
      this.#refusedCount++;
      push.stream.close(isOwn ? constants.NGHTTP2_REFUSED_STREAM : constants.NGHTTP2_PROTOCOL_ERROR);
      return;
    }
    this.#waiting.set(url, new PushedAnswer(push, this.#nowEpochMs));
  }

  /** Null where there is none, or where it broke off. */
  take(url: string): PushedAnswer | null {
    const answer = this.#waiting.get(url);
    if (!answer || answer.isBroken) return null;
    this.#waiting.delete(url);
    return answer;
  }

  /** Ends and forgets what waits. */
  drop(): UnusedPushes {
    const unused = { count: this.#refusedCount + this.#waiting.size, bytes: this.#countBytes() };
    for (const answer of this.#waiting.values()) answer.cancel();
    this.#waiting.clear();
    this.#refusedCount = 0;
    return unused;
  }

  #isFull(): boolean {
    return this.#waiting.size >= limits.answers || this.#countBytes() > limits.bytes;
  }

  #countBytes(): number {
    return [...this.#waiting.values()].reduce((sum, { bytes }) => sum + bytes, 0);
  }
}

/** An answer that the server pushed. It is kept as it comes, until the page asks for it. */
class PushedAnswer {
  readonly #push: Push;
  readonly #promisedEpochMs: number;
  readonly #nowEpochMs: EpochClock;
  readonly #over = Promise.withResolvers<void>();
  /** What came before anyone listened, in order. */
  readonly #kept: ((listener: RequestListener) => void)[] = [];
  #listener: RequestListener | null = null;
  #isBroken = false;

  constructor(push: Push, nowEpochMs: EpochClock) {
    const { stream } = push;
    this.#push = push;
    this.#promisedEpochMs = nowEpochMs();
    this.#nowEpochMs = nowEpochMs;
    // Reported by `deliver`, if the page asks for it.
    this.#over.promise.catch(() => (this.#isBroken = true));
    stream.once('push', (headers) => this.#noteHead(stream, headers));
    stream.on('data', (chunk: Buffer) => {
      const epochMs = nowEpochMs();
      this.#report((listener) => listener.onData(chunk, epochMs));
    });
    stream.once('end', () => (stream.rstCode === constants.NGHTTP2_NO_ERROR ? this.#over.resolve() : undefined));
    stream.once('error', (error) => this.#over.reject(asNetworkError(error)));
    stream.once('close', () =>
      this.#over.reject(new NetworkError('connection-reset', 'The server broke off what it pushed')),
    );
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  get bytes(): number {
    return this.#push.readBytes();
  }

  /** Resolves when the whole answer has come; rejects with a NetworkError. */
  async deliver(listener: RequestListener): Promise<void> {
    listener.onPromised({ epochMs: this.#promisedEpochMs, connection: this.#push.connection });
    for (const step of this.#kept.splice(0)) step(listener);
    this.#listener = listener;
    listener.onReceived(this.bytes);
    await this.#over.promise;
    listener.onReceived(this.bytes);
  }

  /** Ends it, if it is under way. */
  cancel(): void {
    this.#kept.length = 0;
    this.#push.stream.close(constants.NGHTTP2_CANCEL);
  }

  #noteHead(stream: ClientHttp2Stream, { ':status': status, ...headers }: IncomingHttpHeaders): void {
    const epochMs = this.#nowEpochMs();
    const abort = (reason: NetworkError) => {
      this.#over.reject(reason);
      stream.close(constants.NGHTTP2_CANCEL);
    };
    this.#report((listener) => listener.onHead({ epochMs, status: Number(status), statusText: '', headers, abort }));
  }

  #report(step: (listener: RequestListener) => void): void {
    if (this.#listener === null) {
      this.#kept.push(step);
      return;
    }
    step(this.#listener);
    this.#listener.onReceived(this.bytes);
  }
}
