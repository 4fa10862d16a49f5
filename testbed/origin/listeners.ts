/** What one port of the origin does, and others do not. */
export interface ListenerSettings {
  /** Its port where the ports are fixed. */
  fixedPort: number;
  /**
   * `http2` also takes HTTP/1.1, of clients that offer nothing else. `http` and `https` are HTTP/1.1, with TLS or without. `front`: another server, which passes requests on to the
   * origin, speaks HTTP/1.1, HTTP/2 and HTTP/3 there.
   */
  kind: 'http' | 'https' | 'http2' | 'front';
  /** What it is for, in a few words. */
  purpose: string;
  /** Refuses clients that do not offer HTTP/2. */
  isHttp2Only?: boolean;
  /** Closes each connection after one answer. */
  isClosing?: boolean;
  /** Small packets wait for the acknowledgement of those before. */
  hasNagle?: boolean;
  /** The only version of TLS; both where it is left out. */
  tlsVersion?: 'TLSv1.2' | 'TLSv1.3';
  /** Gives no session tickets, so that each connection begins with a full handshake. */
  hasNoTickets?: boolean;
  /** As many requests may be open on a connection. */
  maxConcurrentStreams?: number;
  /** How much of a request's body may be under way, by stream and by connection. */
  windowBytes?: number;
}

/** Those of every origin. */
export const basicListeners = {
  http: { fixedPort: 8080, kind: 'http', purpose: 'HTTP/1.1' },
  https: { fixedPort: 8440, kind: 'https', purpose: 'HTTP/1.1 over TLS 1.3, or 1.2 of older clients' },
  http2: { fixedPort: 8443, kind: 'http2', purpose: 'HTTP/2 over TLS 1.3, or 1.2 of older clients' },
  crossOrigin: { fixedPort: 8090, kind: 'http', purpose: 'HTTP/1.1: another origin, for objects that are foreign' },
} as const satisfies Record<string, ListenerSettings>;

/** Those of an origin with all listeners, one for each setting that a study compares. */
const furtherListeners = {
  'http-close': { fixedPort: 8081, kind: 'http', purpose: 'HTTP/1.1, a connection for each request', isClosing: true },
  'http-nagle': { fixedPort: 8082, kind: 'http', purpose: 'HTTP/1.1, Nagle’s algorithm on', hasNagle: true },
  'https-close': {
    fixedPort: 8441,
    kind: 'https',
    purpose: 'HTTP/1.1 over TLS 1.3, a connection for each request',
    tlsVersion: 'TLSv1.3',
    isClosing: true,
  },
  'https-tls12': {
    fixedPort: 8442,
    kind: 'https',
    purpose: 'HTTP/1.1 over TLS 1.2',
    tlsVersion: 'TLSv1.2',
  },
  'https-tls12-close': {
    fixedPort: 8444,
    kind: 'https',
    purpose: 'HTTP/1.1 over TLS 1.2, a connection for each request',
    tlsVersion: 'TLSv1.2',
    isClosing: true,
  },
  'https-no-tickets': {
    fixedPort: 8445,
    kind: 'https',
    purpose: 'HTTP/1.1 over TLS 1.3, every handshake a full one',
    tlsVersion: 'TLSv1.3',
    hasNoTickets: true,
  },
  'http2-streams-100': {
    fixedPort: 8446,
    kind: 'http2',
    purpose: 'HTTP/2, at most 100 requests open on a connection',
    maxConcurrentStreams: 100,
  },
  'http2-streams-1000': {
    fixedPort: 8447,
    kind: 'http2',
    purpose: 'HTTP/2, at most 1000 requests open on a connection',
    maxConcurrentStreams: 1000,
  },
  'http2-window-1m': {
    fixedPort: 8448,
    kind: 'http2',
    purpose: 'HTTP/2, a window of 1 MiB for what clients send',
    windowBytes: 1 << 20,
  },
  'http2-nagle': { fixedPort: 8449, kind: 'http2', purpose: 'HTTP/2, Nagle’s algorithm on', hasNagle: true },
  'http2-tls12': { fixedPort: 8450, kind: 'http2', purpose: 'HTTP/2 over TLS 1.2', tlsVersion: 'TLSv1.2' },
  'https-tls12-close-no-tickets': {
    fixedPort: 8451,
    kind: 'https',
    purpose: 'HTTP/1.1 over TLS 1.2, a connection for each request, every handshake a full one',
    tlsVersion: 'TLSv1.2',
    isClosing: true,
    hasNoTickets: true,
  },
} as const satisfies Record<string, ListenerSettings>;

/** Those of the front of an origin with HTTP/3. All protocols of a comparison go through it, so that it compares protocols and not servers. */
const frontListeners = {
  front: {
    fixedPort: 8460,
    kind: 'front',
    purpose: 'HTTP/1.1, HTTP/2 and HTTP/3, through a front',
  },
  'front-cross-origin': {
    fixedPort: 8461,
    kind: 'front',
    purpose: 'the same front: another origin, for objects that are foreign',
  },
} as const satisfies Record<string, ListenerSettings>;

export const allListeners = { ...basicListeners, ...furtherListeners, ...frontListeners };

export type BasicListenerName = keyof typeof basicListeners;
export type FrontListenerName = keyof typeof frontListeners;
/** Of any. */
export type ListenerName = keyof typeof allListeners;
/** Of those that are the origin's own. */
export type OwnListenerName = Exclude<ListenerName, FrontListenerName>;

export const listenerNames = Object.keys(allListeners) as ListenerName[];
export const frontListenerNames = Object.keys(frontListeners) as FrontListenerName[];
export const ownListenerNames = Object.keys({ ...basicListeners, ...furtherListeners }) as OwnListenerName[];
export const basicListenerNames = Object.keys(basicListeners) as BasicListenerName[];

export function listenerSettings(name: ListenerName): ListenerSettings {
  return allListeners[name];
}

/** The port of each listener where a testbed or a command has it. */
export const fixedPorts = Object.fromEntries(
  listenerNames.map((name) => [name, allListeners[name].fixedPort]),
) as Record<ListenerName, number>;
