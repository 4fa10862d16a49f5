import type { EpochClock } from '#core/clock/epoch-clock.ts';
import { ConnectionGoneError, StreamResetError, type Connection } from './connection.ts';
import { Http1Connection } from './http1-connection.ts';
import { Http2Connection, type Push } from './http2-connection.ts';
import { asNetworkError, NetworkError } from './network-error.ts';
import type { OpenedConnection } from './open-connection.ts';
import type { PendingRequest } from './pending-request.ts';

export interface PoolSettings {
  origin: URL;
  /** HTTP/1 connections at a time. */
  connectionLimit: number;
  pipeliningDepth: number;
  http2Streams: number;
  /** Whether the first connection may turn out to be HTTP/2, which needs no other. */
  mayBeHttp2: boolean;
  mayBeHttp1: boolean;
  open: (origin: URL, isHttp1Only: boolean) => Promise<OpenedConnection>;
  nextConnectionId: () => string;
  onPush: (push: Push) => void;
  nowEpochMs: EpochClock;
}

/** How often a request is sent whose connection, which had worked before, was closed without an answer. */
const maximumAttempts = 3;
/** The same for one that waited there behind others, if any of them was answered. */
const maximumMoves = 100;

/**
 * The requests to one origin and its connections. A request goes to an idle connection, else to the next that becomes idle, which
 * may be a new one: as many are opened as requests wait, up to the limit. What waits beyond the connections that are being
 * opened is pipelined, on the connection with the fewest requests under way.
 */
export class OriginPool {
  readonly #settings: PoolSettings;
  readonly #waiting: PendingRequest[] = [];
  readonly #connections = new Set<Connection>();
  #openingCount = 0;
  /** The server said so over HTTP/2 (RFC 9113, section 7: HTTP_1_1_REQUIRED). */
  #isHttp1Only = false;
  #isClosed = false;
  #isPumpDue = false;

  constructor(settings: PoolSettings) {
    this.#settings = settings;
  }

  /** Sends a request when its turn has come: the most urgent first, those of equal urgency in the order in which they were asked for. */
  add(request: PendingRequest): void {
    this.#enqueue(request);
    // What a page names in one piece of its text is weighed together, before the first of it is sent.
    if (this.#isPumpDue) return;
    this.#isPumpDue = true;
    setImmediate(() => {
      this.#isPumpDue = false;
      this.#pump();
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const request of this.#waiting.splice(0)) request.fail(new NetworkError('aborted', 'The client was closed'));
    await Promise.all(Array.from(this.#connections, (connection) => connection.close()));
  }

  #enqueue(request: PendingRequest): void {
    const place = this.#waiting.findIndex(
      (other) =>
        other.urgency > request.urgency || (other.urgency === request.urgency && other.sequence > request.sequence),
    );
    this.#waiting.splice(place === -1 ? this.#waiting.length : place, 0, request);
  }

  #pump(): void {
    if (this.#isClosed) return;
    while (this.#waiting.length > 0) {
      const connection = this.#findIdle() ?? this.#findForPipelining();
      if (!connection) break;
      this.#send(this.#waiting.shift()!, connection);
    }
    while (this.#openingCount < this.#waiting.length && this.#openingCount + this.#usable().length < this.#limit())
      this.#openAnother();
    // What was over the number of connections that are now being opened may be pipelined after all.
    if (this.#waiting.length > this.#openingCount && this.#findForPipelining()) this.#pump();
  }

  #findIdle(): Connection | null {
    return this.#usable().find(({ inFlight }) => inFlight === 0) ?? null;
  }

  #findForPipelining(): Connection | null {
    const isHttp2 = this.#isHttp2();
    // Each connection that is being opened will take one, and could take one more.
    if (
      !isHttp2 &&
      (this.#waiting.length <= this.#openingCount || this.#openingCount + this.#usable().length < this.#limit())
    )
      return null;
    const free = this.#usable().filter(({ inFlight, capacity }) => inFlight < capacity);
    return free.sort((a, b) => a.inFlight - b.inFlight)[0] ?? null;
  }

  #isHttp2(): boolean {
    return this.#usable().some(({ version }) => version === 'h2');
  }

  /** One that the server takes nothing more on may have answers under way. */
  #usable(): Connection[] {
    return [...this.#connections].filter(
      ({ isUsable, version }) => isUsable && !(version === 'h2' && this.#isHttp1Only),
    );
  }

  #limit(): number {
    const isUnknown = this.#settings.mayBeHttp2 && !this.#isHttp1Only && this.#usable().length === 0;
    return isUnknown || this.#isHttp2() ? 1 : this.#settings.connectionLimit;
  }

  #openAnother(): void {
    const { open, origin } = this.#settings;
    this.#openingCount++;
    open(origin, this.#isHttp1Only).then(
      (opened) => {
        this.#openingCount--;
        this.#adopt(opened);
      },
      (error: unknown) => {
        this.#openingCount--;
        this.#waiting.shift()?.fail(asNetworkError(error));
        this.#pump();
      },
    );
  }

  #adopt(opened: OpenedConnection): void {
    if (this.#isClosed) {
      opened.socket.destroy();
      return;
    }
    const { origin, http2Streams, pipeliningDepth, nextConnectionId, onPush, nowEpochMs } = this.#settings;
    const onGone = () => {
      this.#connections.delete(connection);
      this.#pump();
    };
    const options = { id: nextConnectionId(), origin, opened, onGone, nowEpochMs };
    const connection: Connection =
      opened.version === 'h2'
        ? new Http2Connection({ ...options, capacity: http2Streams, onPush })
        : new Http1Connection({ ...options, capacity: pipeliningDepth });
    this.#connections.add(connection);
    this.#pump();
  }

  #send(request: PendingRequest, connection: Connection): void {
    const isReused = connection.isUsed;
    connection.inFlight++;
    request.send(connection, (error) => {
      connection.inFlight--;
      this.#isHttp1Only ||= connection.isHttp1Required && this.#settings.mayBeHttp1;
      if (error && this.#isWorthAnother(request, { error, isReused, connection })) this.#enqueue(request);
      else if (error) request.fail(asNetworkError(error));
      // A moment later the connection has given back all that it will not answer.
      queueMicrotask(() => this.#pump());
    });
  }

  /** The server may have closed a connection just as it was used again; one that never worked is not given the benefit of the doubt. */
  #isWorthAnother(
    request: PendingRequest,
    { error, isReused, connection }: { error: Error; isReused: boolean; connection: Connection },
  ): boolean {
    if (this.#isClosed || request.hasAnswer) return false;
    if (connection.isHttp1Required) return this.#settings.mayBeHttp1;
    if (error instanceof StreamResetError) return false;
    if (error instanceof ConnectionGoneError)
      return request.attempts < (connection.hasAnswered ? maximumMoves : maximumAttempts);
    return isReused && request.attempts < maximumAttempts && asNetworkError(error).code === 'connection-reset';
  }
}
