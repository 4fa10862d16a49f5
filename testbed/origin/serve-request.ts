import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { AppError, errorStatus } from '#core/app-error.ts';
import { Exchange } from './exchange.ts';
import { type ObjectQuery, ObjectQuerySchema, readObjectQuery } from './object-query.ts';
import type { Arrival } from './open-listener.ts';
import type { TruthRecorder } from './truth-log.ts';

export interface ServeOptions {
  recorder: TruthRecorder;
  readEpochMs: () => number;
  crossOriginUrl: string;
  /** The name of the host that serves it, where hosts have names. */
  host?: string;
  /** The names of all such hosts. */
  hosts?: readonly string[];
  /** Throws `AppError` for what the client got wrong. */
  handle: (exchange: Exchange) => Promise<void>;
}

/** Answers one request and logs it. Bad input gets a status with words; a client that goes away ends the work quietly. */
export async function serveRequest(
  { request, response, connection, protocol, isPushed = false }: Arrival & { isPushed?: boolean },
  options: ServeOptions,
): Promise<void> {
  const arrivedEpochMs = options.readEpochMs();
  const target = request.url ?? '/';
  const { url, query, fault } = readTarget(target);
  const record = options.recorder.addRequest({
    url: target,
    path: url.pathname,
    ...(options.host !== undefined && { host: options.host }),
    visit: query.visit ?? null,
    object: query.object ?? null,
    counts: query.counts ?? 'base',
    connectionId: connection.truth.id,
    protocol,
    isPushed,
    tls: connection.truth.tls,
    status: null,
    arrivedEpochMs,
    firstByteEpochMs: null,
    lastByteEpochMs: null,
    endedEpochMs: null,
    outcome: 'in-flight',
    bodyBytes: 0,
  });
  const servePush = (promised: Http2ServerRequest, pushed: Http2ServerResponse) =>
    void serveRequest({ request: promised, response: pushed, connection, protocol, isPushed: true }, options);
  const exchange = new Exchange({ ...options, request, response, connection, url, query, record, servePush });
  const isRead = request.method === 'POST' && /^\/(task\/|account\/sign-in$)/.test(url.pathname);
  // Other bodies are not read; left in the connection, they would hold it.
  if (!isRead) request.resume();
  try {
    if (fault) throw fault;
    if (request.method === 'GET' || request.method === 'HEAD' || isRead) {
      await options.handle(exchange);
    } else {
      exchange.begin({ status: 405, type: 'text/plain', headers: { allow: 'GET, HEAD' } });
      exchange.end('The origin answers GET and HEAD only, and POST for the messages of a task and /account/sign-in.\n');
    }
  } catch (error) {
    request.resume();
    if (exchange.signal.aborted) return;
    if (exchange.isBegun) {
      exchange.breakOff();
      return;
    }
    const status = error instanceof AppError ? errorStatus[error.code] : 500;
    exchange.begin({ status, type: 'text/plain; charset=utf-8' });
    exchange.end(`${error instanceof Error ? error.message : String(error)}\n`);
  }
}

function readTarget(target: string): { url: URL; query: ObjectQuery; fault: AppError | null } {
  const noQuery = ObjectQuerySchema.parse({});
  if (!target.startsWith('/') || !URL.canParse(`http://origin${target}`)) {
    return {
      url: new URL('http://origin/'),
      query: noQuery,
      fault: new AppError('invalid-input', `"${target}" is not a path of this origin`),
    };
  }
  // A path that starts with two slashes would be read as a host.
  const url = new URL(`http://origin${target}`);
  try {
    return { url, query: readObjectQuery(url.searchParams), fault: null };
  } catch (error) {
    if (error instanceof AppError) return { url, query: noQuery, fault: error };
    throw error;
  }
}
