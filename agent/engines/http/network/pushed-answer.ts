import { constants, type ClientHttp2Stream, type IncomingHttpHeaders } from 'node:http2';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import type { Push } from './connection.ts';
import { asNetworkError, NetworkError } from './network-error.ts';
import type { RequestListener } from './pending-request.ts';

/** An answer that the server pushed. It is kept as it comes, until the page asks for it. */
export class PushedAnswer {
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
