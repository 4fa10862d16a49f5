import type { IncomingHttpHeaders } from 'node:http';
import type { Connection } from './connection.ts';
import type { NetworkError } from './network-error.ts';

/** What is told of a request while it is under way. Times are epoch ms. */
export interface RequestListener {
  onSent(sent: { epochMs: number; connection: Connection; isReused: boolean }): void;
  onHead(head: ResponseHead): void;
  onData(chunk: Buffer): void;
}

export interface ResponseHead {
  epochMs: number;
  status: number;
  /** Empty over HTTP/2. */
  statusText: string;
  headers: IncomingHttpHeaders;
  /** Of status line and header fields as HTTP/1 writes them; null for HTTP/2, which compresses them. */
  headBytes: number | null;
  /** Breaks the answer off. */
  abort: (reason: NetworkError) => void;
}

export interface RequestOptions {
  /** 0 is the most urgent. */
  urgency: number;
  /** The place among those of equal urgency. */
  sequence: number;
  path: string;
  headers: Record<string, string>;
  listener: RequestListener;
  nowEpochMs: () => number;
}

/** One request that waits for its connection, or for its answer. */
export class PendingRequest {
  readonly urgency: number;
  readonly sequence: number;
  readonly over: Promise<void>;
  attempts = 0;
  hasAnswer = false;
  readonly #options: RequestOptions;
  readonly #end: PromiseWithResolvers<void>;

  constructor(options: RequestOptions) {
    this.#options = options;
    this.urgency = options.urgency;
    this.sequence = options.sequence;
    this.#end = Promise.withResolvers<void>();
    this.over = this.#end.promise;
  }

  /** Ends the request: `over` rejects. */
  fail(error: NetworkError): void {
    this.#end.reject(error);
  }

  /** `onOver` is called once: with null when the answer is whole, else with what went wrong, which does not end the request by itself. */
  send(connection: Connection, onOver: (error: Error | null) => void): void {
    const { path, headers, listener, nowEpochMs } = this.#options;
    const isReused = connection.isUsed;
    let isInterim = false;
    this.attempts++;
    connection.send(
      { path, headers },
      {
        onRequestStart: () => listener.onSent({ epochMs: nowEpochMs(), connection, isReused }),
        onResponseStart: (controller, status, ...[fields, statusText = '']) => {
          this.hasAnswer = true;
          isInterim = status < 200;
          if (isInterim) return;
          const headBytes = connection.version === 'h2' ? null : countHeadBytes(controller.rawHeaders);
          listener.onHead({ epochMs: nowEpochMs(), status, statusText, headers: fields, headBytes, abort: (reason) => controller.abort(reason) });
        },
        onResponseData: (_controller, chunk) => listener.onData(chunk),
        onResponseEnd: () => {
          onOver(null);
          this.#end.resolve();
        },
        onResponseError: (_controller, error) => onOver(error),
      },
    );
  }
}

/** `HTTP/1.1 200 ` and the line's end, then `name: value` and the end of each line, then an empty line; the words after the status are not counted. */
function countHeadBytes(rawHeaders: unknown): number {
  const parts = Array.isArray(rawHeaders) ? (rawHeaders as (Buffer | string)[]) : [];
  return 15 + parts.reduce((total, part) => total + part.length, 0) + 2 * parts.length + 2;
}
