import type { IncomingHttpHeaders } from 'node:http';
import type { Connection } from './connection.ts';
import type { NetworkError } from './network-error.ts';

/** What is reported of a request while it is under way. Times are epoch ms. */
export interface RequestListener {
  onSent(sent: { epochMs: number; connection: Connection; isReused: boolean }): void;
  /** Instead of `onSent`, of an answer that the server pushed. */
  onPromised(promise: { epochMs: number; connection: Connection }): void;
  onHead(head: ResponseHead): void;
  onData(chunk: Buffer, epochMs: number): void;
  /** With the bytes of the answer so far, as they were on the connection, whenever more of it has come. */
  onReceived(bytes: number): void;
}

export interface ResponseHead {
  epochMs: number;
  status: number;
  /** Empty over HTTP/2. */
  statusText: string;
  headers: IncomingHttpHeaders;
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
    const meter = connection.meterAnswer();
    const noteReceived = () => listener.onReceived(meter.read());
    this.attempts++;
    connection.send(
      { path, headers },
      {
        onRequestStart: () => {
          meter.begin();
          listener.onSent({ epochMs: nowEpochMs(), connection, isReused });
        },
        onResponseStart: (controller, status, ...[fields, statusText = '']) => {
          const epochMs = nowEpochMs();
          this.hasAnswer = true;
          meter.addHead({ rawHeaders: controller.rawHeaders, statusText });
          if (status < 200) return;
          noteReceived();
          listener.onHead({
            epochMs,
            status,
            statusText,
            headers: fields,
            abort: (reason) => controller.abort(reason),
          });
        },
        onResponseData: (_controller, chunk) => {
          const epochMs = nowEpochMs();
          meter.addBody(chunk.length);
          noteReceived();
          listener.onData(chunk, epochMs);
        },
        onResponseEnd: () => {
          noteReceived();
          onOver(null);
          this.#end.resolve();
        },
        onResponseError: (_controller, error) => {
          if (this.hasAnswer) noteReceived();
          onOver(error);
        },
      },
    );
  }
}
