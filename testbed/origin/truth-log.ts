import { AppError } from '#core/app-error.ts';
import type { ListenerName } from './listeners.ts';
import type { Counts } from './object-query.ts';

/** The last `capacity` values that were added, oldest first. */
export class Ring<Value> {
  readonly #capacity: number;
  #values: Value[] = [];
  #oldest = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  add(value: Value): void {
    if (this.#values.length < this.#capacity) {
      this.#values.push(value);
      return;
    }
    this.#values[this.#oldest] = value;
    this.#oldest = (this.#oldest + 1) % this.#capacity;
  }

  values(): Value[] {
    return [...this.#values.slice(this.#oldest), ...this.#values.slice(0, this.#oldest)];
  }

  /** Forgets every value that does not satisfy the condition. */
  keep(isKept: (value: Value) => boolean): void {
    this.#values = this.values().filter(isKept);
    this.#oldest = 0;
  }
}

/**
 * What really happened at the origin. All times are epoch milliseconds of the origin's clock, taken when Node learnt of the
 * event: a busy event loop makes them late, never early. Of a request that came through the front they are those of the
 * exchange between front and origin, over the loopback interface.
 */
export interface TruthLog {
  /** Every request since the start or the last `clear`, oldest first; of one Visit only, where one is named. */
  requests(visit?: string): RequestTruth[];
  connections(): ConnectionTruth[];
  /** Forgets all requests, and the connections that are closed. */
  clear(): void;
}

export interface RequestTruth {
  id: number;
  /** Path and query, as requested. */
  url: string;
  path: string;
  /** The name of the host that served it, where hosts have names. */
  host?: string;
  /** The page's `visit` parameter; null where it had none. */
  visit: string | null;
  /** The object's name within its page; null for the page itself. */
  object: string | null;
  /** Which latencies the object counts for; `base` is the page itself and every redirect to it. */
  counts: Counts | 'base';
  connectionId: number;
  /** As in ALPN, between the client and the server that it talks to: `http/1.1`, `h2`, `h3`. */
  protocol: string;
  /** Whether the client did not send it: the origin pushed the answer. It arrived when the push began. */
  isPushed: boolean;
  tls: TlsTruth | null;
  /** Null while no status was sent. */
  status: number | null;
  /** When the head of the request was complete. */
  arrivedEpochMs: number;
  /** When the first byte of the response was handed to the socket; null while none was. */
  firstByteEpochMs: number | null;
  /** When the socket had taken the last byte of a complete response; null for every other outcome. */
  lastByteEpochMs: number | null;
  /** The last byte, or the failure; null while the request is in flight. */
  endedEpochMs: number | null;
  outcome: RequestOutcome;
  /** Of the response's body, as handed to the socket. */
  bodyBytes: number;
}

/**
 * `reset`: the origin broke it off with a TCP RST or an HTTP/2 RST_STREAM; `closed`: the origin closed the connection
 * instead of ending it; `abandoned`: the client went away first.
 */
export type RequestOutcome = 'in-flight' | 'complete' | 'reset' | 'closed' | 'abandoned';

export interface TlsTruth {
  protocol: string | null;
  isSessionReused: boolean;
}

export interface ConnectionTruth {
  id: number;
  /**
   * One of the front: what has the same version of HTTP and the same client's address and port counts as one connection. Its times are those of the
   * front, which keeps them to itself: both are null.
   */
  listener: ListenerName;
  openedEpochMs: number | null;
  /** Null while it is open. */
  closedEpochMs: number | null;
  /** Null for plain HTTP, and until the handshake is over. */
  tls: TlsTruth | null;
}

const requestCapacity = 200_000;
const connectionCapacity = 50_000;

/** Where the listeners write the truth; readers see a `TruthLog`, whose records are copies. */
export class TruthRecorder implements TruthLog {
  readonly #requests = new Ring<RequestTruth>(requestCapacity);
  readonly #connections = new Ring<ConnectionTruth>(connectionCapacity);
  #lastId = 0;

  addRequest(request: Omit<RequestTruth, 'id'>): RequestTruth {
    const added = { ...request, id: ++this.#lastId };
    this.#requests.add(added);
    return added;
  }

  addConnection(connection: Omit<ConnectionTruth, 'id'>): ConnectionTruth {
    const added = { ...connection, id: ++this.#lastId };
    this.#connections.add(added);
    return added;
  }

  requests(visit?: string): RequestTruth[] {
    const requests = this.#requests.values();
    return (visit === undefined ? requests : requests.filter((request) => request.visit === visit)).map((request) => ({
      ...request,
    }));
  }

  connections(): ConnectionTruth[] {
    return this.#connections.values().map((connection) => ({ ...connection }));
  }

  clear(): void {
    this.#requests.keep(() => false);
    this.#connections.keep((connection) => connection.closedEpochMs === null);
  }
}

/**
 * What a Visit's three latencies were as the origin saw them: milliseconds from the arrival of the Visit's first request.
 * A latency is null while something that it counts has not ended. A failed object counts until its failure.
 */
interface VisitTruth {
  firstRequestEpochMs: number;
  baseMs: number | null;
  viewportMs: number | null;
  totalMs: number | null;
  /** Names of the requested objects, sorted, each once; the base page is not among them. */
  viewportObjects: string[];
  /** Those of the viewport, and all others that the total latency counts. */
  totalObjects: string[];
}

/** The truth of one Visit, by the `visit` parameter of its page. Throws `not-found` when it requested nothing. */
export function truthOf(log: Pick<TruthLog, 'requests'>, visit: string): VisitTruth {
  const requests = log.requests(visit);
  if (requests.length === 0) {
    throw new AppError(
      'not-found',
      `The origin's log has no request of the visit "${visit}": add visit=${visit} to the query of its page`,
    );
  }
  const firstRequestEpochMs = Math.min(...requests.map((request) => request.arrivedEpochMs));
  const base = requests.filter((request) => request.counts === 'base');
  const viewport = requests.filter((request) => request.counts === 'viewport');
  const total = requests.filter((request) => request.counts === 'total');

  const lastEndMs = (counted: RequestTruth[]): number | null => {
    const ends = counted.map((request) => request.endedEpochMs).filter((end) => end !== null);
    return ends.length === 0 || ends.length < counted.length ? null : Math.max(...ends) - firstRequestEpochMs;
  };

  return {
    firstRequestEpochMs,
    baseMs: lastEndMs(base),
    viewportMs: lastEndMs([...base, ...viewport]),
    totalMs: lastEndMs([...base, ...viewport, ...total]),
    viewportObjects: listObjects(viewport),
    totalObjects: listObjects([...viewport, ...total]),
  };
}

function listObjects(requests: RequestTruth[]): string[] {
  return [...new Set(requests.map((request) => request.object ?? request.path))].sort();
}
