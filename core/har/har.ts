import type { Exchange, NetworkRequest } from '../metrics/network-request.ts';

/**
 * HTTP Archive 1.2, as far as it is written here: http://www.softwareishard.com/blog/har-12-spec/. Times are milliseconds, lengths bytes; −1 means
 * unknown or did not take place, as the specification requires. Names that begin with "_" are additions.
 */
export type Har = {
  log: {
    version: '1.2';
    creator: { name: string; version: string };
    pages: HarPage[];
    entries: HarEntry[];
    comment: string;
  };
};

export type HarPage = {
  /** ISO 8601. */
  startedDateTime: string;
  id: string;
  title: string;
  /** From `startedDateTime`. Those with "_" are Readings, by their ids. */
  pageTimings: { onContentLoad: number; onLoad: number; [reading: `_${string}`]: number };
  comment: string;
  _visitId: string;
  /** The entry of the URL list, where it is not the address itself. */
  _page?: string;
  _settled: boolean;
};

export type HarEntry = {
  pageref: string;
  startedDateTime: string;
  /** The sum of the timings but `ssl`, which is part of `connect`. */
  time: number;
  request: {
    method: string;
    url: string;
    httpVersion: string;
    cookies: never[];
    headers: HarHeader[];
    queryString: HarHeader[];
    headersSize: number;
    bodySize: number;
    comment?: string;
  };
  response: {
    /** 0 where none came. */
    status: number;
    statusText: string;
    httpVersion: string;
    cookies: never[];
    headers: HarHeader[];
    content: { size: number; mimeType: string };
    redirectURL: string;
    headersSize: number;
    /** Before decompression. With the header where the engine reports both as one; a comment says so. */
    bodySize: number;
    /** Header and body as they came over the connection; null where the engine does not report them. */
    _transferSize: number | null;
    /** In the engine's words; null when it did not fail. */
    _error: string | null;
    comment?: string;
  };
  cache: Record<string, never>;
  timings: HarTimings;
  serverIPAddress?: string;
  connection?: string;
  /** In the words of Chrome's DevTools, which sort by them. */
  _resourceType: HarResourceType;
  _servedFromCache: boolean;
  comment?: string;
};

export type HarResourceType =
  | 'document'
  | 'stylesheet'
  | 'script'
  | 'image'
  | 'font'
  | 'media'
  | 'fetch'
  | 'eventsource'
  | 'websocket'
  | 'ping'
  | 'prefetch'
  | 'preflight'
  | 'manifest'
  | 'other';

export type HarTimings = {
  /** All that belongs to no other phase: waiting for a connection, above all. */
  blocked: number;
  dns: number;
  /** TCP and TLS. */
  connect: number;
  ssl: number;
  send: number;
  wait: number;
  receive: number;
};

export type HarHeader = {
  name: string;
  value: string;
};

/** Of a request, what its phases are made from. */
export type RequestTimes = Pick<
  NetworkRequest,
  'startEpochMs' | 'sentEpochMs' | 'responseEpochMs' | 'endEpochMs' | 'fromCache'
> & { exchange?: Pick<Exchange, 'phases'> | undefined };

/**
 * How long each phase of a request took; all but `ssl` sum to the time from its start to its end, or to `untilEpochMs` for one that was in flight.
 * The phases are consecutive, and what no phase explains is `blocked`, as Chrome's DevTools count it.
 */
export function timePhases(request: RequestTimes, untilEpochMs: number): HarTimings {
  const { startEpochMs } = request;
  const endEpochMs = Math.max(request.endEpochMs ?? untilEpochMs, startEpochMs);
  const sentEpochMs = clamp(
    request.sentEpochMs ?? findUnreportedSending(request) ?? endEpochMs,
    startEpochMs,
    endEpochMs,
  );
  const responseEpochMs = clamp(request.responseEpochMs ?? endEpochMs, sentEpochMs, endEpochMs);
  const { dns = null, connect = null, tls = null, send = null } = request.exchange?.phases ?? {};
  const dnsMs = lengthWithin(dns, startEpochMs, sentEpochMs);
  const connectMs = lengthWithin(connect, dns ? Math.max(dns[1], startEpochMs) : startEpochMs, sentEpochMs);
  const sendMs = Math.max(0, lengthWithin(send, sentEpochMs, responseEpochMs));
  return {
    blocked: sentEpochMs - startEpochMs - Math.max(dnsMs, 0) - Math.max(connectMs, 0),
    dns: dnsMs,
    connect: connectMs,
    ssl: tls && connect ? lengthWithin(tls, Math.max(connect[0], startEpochMs), Math.min(connect[1], sentEpochMs)) : -1,
    send: sendMs,
    wait: responseEpochMs - sentEpochMs - sendMs,
    receive: endEpochMs - responseEpochMs,
  };
}

/** An engine that does not report when it sent a request reports no phases either: all until its answer is `wait`. */
function findUnreportedSending({ startEpochMs, responseEpochMs, fromCache }: RequestTimes): number | null {
  return responseEpochMs === null || fromCache ? responseEpochMs : startEpochMs;
}

/** −1 for a phase that did not take place. */
function lengthWithin(phase: readonly [number, number] | null, fromEpochMs: number, untilEpochMs: number): number {
  if (!phase) return -1;
  const [start, end] = phase.map((epochMs) => clamp(epochMs, fromEpochMs, untilEpochMs)) as [number, number];
  return Math.max(0, end - start);
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(Math.max(value, low), Math.max(low, high));
}
