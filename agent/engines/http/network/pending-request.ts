import type { IncomingHttpHeaders } from 'node:http';
import type { AnswerListener, Connection } from './connection.ts';
import { NetworkError } from './network-error.ts';

/** What is reported of a request while it is under way. Times are epoch ms. */
export interface RequestListener extends Pick<AnswerListener, 'onHead' | 'onData' | 'onReceived'> {
  onSent(sent: { epochMs: number; connection: Connection; isReused: boolean }): void;
  /** Instead of `onSent`, of an answer that the server pushed. */
  onPromised(promise: { epochMs: number; connection: Connection }): void;
}

export interface RequestOptions {
  /** 0 is the most urgent. */
  urgency: number;
  /** The place among those of equal urgency. */
  sequence: number;
  path: string;
  headers: Record<string, string>;
  listener: RequestListener;
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
    const { path, headers, listener } = this.#options;
    const isReused = connection.isUsed;
    this.attempts++;
    connection.send(
      { path, headers },
      {
        onSent: (epochMs) => listener.onSent({ epochMs, connection, isReused }),
        onBegun: () => {
          this.hasAnswer = true;
          connection.hasAnswered = true;
        },
        onHead: (head) => listener.onHead({ ...head, headers: joinFields(head.headers) }),
        onData: (chunk, epochMs) => listener.onData(chunk, epochMs),
        onReceived: (bytes) => listener.onReceived(bytes),
        onOver: (error) => {
          onOver(error);
          if (error === null) this.#end.resolve();
        },
      },
    );
  }
}

/** By which of several an answer is meant would be a guess: browsers refuse those that differ. */
const mayComeOnce: ReadonlySet<string> = new Set(['location', 'content-disposition']);

/**
 * Header fields, of which one that came several times is a list in one line (RFC 9110 section 5.3), and a cookie stays one. The last type counts, as in browsers
 * (https://fetch.spec.whatwg.org/#concept-header-extract-mime-type). Throws a NetworkError.
 */
function joinFields(fields: IncomingHttpHeaders): IncomingHttpHeaders {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      if (!Array.isArray(value) || name === 'set-cookie') return [name, value];
      if (name === 'content-type') return [name, chooseType(value)];
      if (!mayComeOnce.has(name)) return [name, value.join(', ')];
      if (new Set(value).size > 1)
        throw new NetworkError('unsupported-content', `The answer has several fields ${name}, which differ`);
      return [name, value[0]];
    }),
  );
}

/** One that names no encoding has that of the same type before it. */
function chooseType(types: readonly string[]): string {
  const essenceOf = (type: string) => type.split(';', 1)[0]!.trim().toLowerCase();
  const [last = '', ...before] = types.filter((type) => essenceOf(type).includes('/')).toReversed();
  const isSame = (type: string) => essenceOf(type) === essenceOf(last) && /charset/i.test(type);
  return /charset/i.test(last) ? last : (before.find(isSame) ?? last);
}
