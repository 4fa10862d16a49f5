import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import { isForwarded, openConnection, type ConnectionSettings, HostResolver } from './open-connection.ts';
import { NetworkError } from './network-error.ts';
import { OriginPool } from './origin-pool.ts';
import { PendingRequest, type RequestOptions } from './pending-request.ts';
import { PushedAnswers, type UnusedPushes } from './pushed-answers.ts';

/** As Chrome and Firefox: six HTTP/1 connections to one origin, a hundred HTTP/2 streams. */
const defaults = { connectionsPerOrigin: 6, pipeliningDepth: 1, http2Streams: 100 };

/** Everything a client knows of the network: names, connections, TLS sessions. A new one is cold. Closing it closes every connection. */
export class HttpNetwork implements AsyncDisposable {
  readonly #browser: BrowserSettings;
  readonly #nowEpochMs: EpochClock;
  readonly #pools = new Map<string, OriginPool>();
  readonly #connections: ConnectionSettings;
  readonly #closing = new AbortController();
  readonly #pushes: PushedAnswers;
  #lastConnectionId = 0;
  #lastSequence = 0;

  constructor(browser: BrowserSettings, nowEpochMs: EpochClock) {
    this.#browser = browser;
    this.#nowEpochMs = nowEpochMs;
    this.#pushes = new PushedAnswers(nowEpochMs);
    this.#connections = { browser, resolver: new HostResolver(), tlsSessions: new Map(), nowEpochMs };
  }

  /** Resolves when the whole answer has come; rejects with a NetworkError. What was pushed is not asked for again, if pushes may answer. */
  async request(
    url: URL,
    { takesPush, ...options }: Omit<RequestOptions, 'path' | 'sequence'> & { takesPush: boolean },
  ): Promise<void> {
    const pushed = takesPush ? this.#pushes.take(url.href) : null;
    if (pushed) return pushed.deliver(options.listener);
    refusePort(url);
    const target = url.pathname + url.search;
    const path = isForwarded(url, this.#browser.proxy) ? url.origin + target : target;
    const request = new PendingRequest({
      ...options,
      path,
      sequence: ++this.#lastSequence,
    });
    this.#poolOf(url).add(request);
    await request.over;
  }

  /** Ends and forgets what was pushed and not asked for since the last time. */
  dropPushes(): UnusedPushes {
    return this.#pushes.drop();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing.abort(new Error('The client was closed'));
    await Promise.all(Array.from(this.#pools.values(), (pool) => pool.close()));
  }

  #poolOf(url: URL): OriginPool {
    const known = this.#pools.get(url.origin);
    if (known) return known;
    const { protocols = ['h2', 'http/1.1'], connectionsPerOrigin, pipeliningDepth, http2Streams } = this.#browser;
    const isHttp2Allowed = protocols.includes('h2');
    const http1Protocols = protocols.filter((each) => each !== 'h2');
    const http1Connections = { ...this.#connections, browser: { ...this.#browser, protocols: http1Protocols } };
    const pool = new OriginPool({
      origin: new URL(url.origin),
      connectionLimit: connectionsPerOrigin ?? defaults.connectionsPerOrigin,
      pipeliningDepth: pipeliningDepth ?? defaults.pipeliningDepth,
      http2Streams: http2Streams ?? defaults.http2Streams,
      mayBeHttp2: isHttp2Allowed && (url.protocol === 'https:' || protocols.length === 1),
      mayBeHttp1: http1Protocols.length > 0,
      open: (origin, isHttp1Only) =>
        openConnection(origin, isHttp1Only ? http1Connections : this.#connections, this.#closing.signal),
      nextConnectionId: () => String(++this.#lastConnectionId),
      onPush: (push) => this.#pushes.add(url.origin, push),
      nowEpochMs: this.#nowEpochMs,
    });
    this.#pools.set(url.origin, pool);
    return pool;
  }
}

/** https://fetch.spec.whatwg.org/#port-blocking */
const blockedPorts = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104, 109, 110,
  111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515, 526, 530, 531, 532,
  540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061,
  6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Throws for a port that no browser sends HTTP to: other services listen there. */
function refusePort(url: URL): void {
  if (url.port !== '' && blockedPorts.has(Number(url.port)))
    throw new NetworkError('connection-failed', `No browser loads anything from port ${url.port}`);
}
