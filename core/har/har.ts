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
