import type { IncomingHttpHeaders } from 'node:http';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import { NetworkError } from './network-error.ts';
import type { ConnectionTimes, HttpVersion, OpenedConnection } from './open-connection.ts';

/** An open connection to an origin, or to a proxy for it. */
export interface Connection {
  readonly id: string;
  readonly version: HttpVersion;
  readonly times: ConnectionTimes;
  readonly serverAddress: string | null;
  /** How many requests may be under way on it: the depth of pipelining, or the streams of HTTP/2. */
  readonly capacity: number;
  /** How many are: its pool counts them. */
  inFlight: number;
  /** Whether any answer has begun on it. */
  hasAnswered: boolean;
  /** Whether a request was sent on it before. */
  readonly isUsed: boolean;
  readonly isUsable: boolean;
  /** Whether the server of an HTTP/2 connection wants to be asked over HTTP/1.1. */
  readonly isHttp1Required: boolean;
  send(request: SentRequest, listener: AnswerListener): void;
  close(): Promise<void>;
}

export interface ConnectionOptions {
  id: string;
  origin: URL;
  opened: OpenedConnection;
  capacity: number;
  onGone: () => void;
  nowEpochMs: EpochClock;
}

/** A `GET`, but for the fields that the connection adds. */
export interface SentRequest {
  path: string;
  headers: Record<string, string>;
}

/** What a connection reports of one request. Times are epoch ms. */
export interface AnswerListener {
  onSent(epochMs: number): void;
  /** A head has come, which may be that of an interim answer. */
  onBegun(): void;
  onHead(head: ResponseHead): void;
  onData(chunk: Buffer, epochMs: number): void;
  /** With the bytes of the answer so far, as they were on the connection, whenever more of it has come. */
  onReceived(bytes: number): void;
  /** Once: with null when the answer is whole, else with what went wrong. */
  onOver(error: Error | null): void;
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

/** The server broke off the stream of a request, and would do so again. */
export class StreamResetError extends NetworkError {
  constructor(cause: Error) {
    super('connection-reset', `The server broke the stream off: ${cause.message}`, cause);
  }
}

/** The connection will not answer a request that it was given. Another one may. */
export class ConnectionGoneError extends Error {
  override readonly name = 'ConnectionGoneError';
}
