import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import { maximumUrlCharacters } from '#core/metrics/snapshot-bounds.ts';
import { findExchangeFault } from '#core/site/find-site-fault.ts';
import {
  mostEarlyHints,
  mostExchanges,
  mostHosts,
  mostWebSockets,
  siteProtocols,
  type EarlyHint,
  type SiteHost,
} from '#core/site/site.ts';
import type { RecordedExchange } from '#site/write-site.ts';
import { RecordedBodies, tooLarge, type RecordedBodiesOptions } from './recorded-bodies.ts';
import type { Upstream } from './upstream.ts';

export type Headers = RecordedExchange['headers'];

export interface RecordedVisit {
  page: number;
  visit: number;
  startEpochMs: number;
}

/** One connection of the browser, and what became of it. */
export interface RecordedConnection {
  number: number;
  upstream: Upstream;
  /** Whether a request was sent on it. */
  isUsed: boolean;
  /** Of requests under way. */
  relays: Set<Promise<void>>;
}

interface RecordingOptions extends RecordedBodiesOptions {
  readEpochMs: EpochClock;
}

/** What went through a recorder: hosts, and exchanges that were complete. */
export class Recording {
  /** Why requests in Visits were left out, by URL, or by host where it could not be connected to. */
  readonly incomplete = new Map<string, string>();
  readonly readEpochMs: EpochClock;
  readonly bodies: RecordedBodies;
  readonly #onFailure: RecordingOptions['onFailure'];
  readonly #exchanges: RecordedExchange[] = [];
  readonly #hosts = new Map<string, SiteHost>();
  /** Null between two Visits: what comes then is none of the page. */
  #visit: RecordedVisit | null = null;
  readonly #webSockets: { of: RecordedVisit; url: string }[] = [];
  /** Of the Visit under way. */
  #webSocketsNow = 0;

  constructor({ readEpochMs, folder, onFailure }: RecordingOptions) {
    this.readEpochMs = readEpochMs;
    this.#onFailure = onFailure;
    this.bodies = new RecordedBodies({ folder, onFailure });
  }

  get hosts(): SiteHost[] {
    return [...this.#hosts.values()];
  }

  /** In the order in which they ended. The round trip within a wait is the shortest of its host: longer ones waited for something else, too. */
  get exchanges(): RecordedExchange[] {
    return this.#exchanges.map((exchange) => {
      const { connectMs } = this.#hosts.get(new URL(exchange.url).hostname)!;
      const withoutRoundTrip = (ms: number) => Math.max(0, ms - connectMs!);
      const { thinkMs, earlyHints } = exchange;
      return {
        ...exchange,
        thinkMs: withoutRoundTrip(thinkMs!),
        ...(earlyHints && {
          earlyHints: earlyHints.map((hint) => ({ ...hint, thinkMs: withoutRoundTrip(hint.thinkMs) })),
        }),
      };
    });
  }

  /** All requests from now on are of this Visit. Returns when it began. */
  beginVisit(place: Pick<RecordedVisit, 'page' | 'visit'>): number {
    const startEpochMs = this.readEpochMs();
    this.#visit = { ...place, startEpochMs };
    this.#webSocketsNow = 0;
    return startEpochMs;
  }

  endVisit(): void {
    this.#visit = null;
  }

  /** A host could not be connected to: no request to it is recorded. */
  noteUnreachable(host: string, why: string): void {
    if (this.#visit) this.incomplete.set(host, why);
  }

  /** A WebSocket was opened. It is named, and not recorded. */
  noteWebSocket(url: string): void {
    if (!this.#visit || url.length > maximumUrlCharacters || this.#webSocketsNow >= mostWebSockets) return;
    this.#webSockets.push({ of: this.#visit, url });
    this.#webSocketsNow++;
  }

  /** The addresses of those that a Visit opened. */
  webSocketsOf({ page, visit }: Pick<RecordedVisit, 'page' | 'visit'>): string[] {
    return this.#webSockets.flatMap(({ of, url }) => (of.page === page && of.visit === visit ? [url] : []));
  }

  /** Null between two Visits. */
  beginExchange(connection: RecordedConnection, head: RequestHead): OpenExchange | null {
    if (!this.#visit) return null;
    if (head.url.length > maximumUrlCharacters || !URL.canParse(head.url)) {
      this.incomplete.set(head.url.slice(0, 200), 'its URL is none, or too long');
      return null;
    }
    return new OpenExchange(this, { connection, visit: this.#visit, head });
  }

  /** Its `thinkMs` has the round trip in it. What no Site can hold is left out. */
  add(exchange: RecordedExchange, { upstream }: RecordedConnection): void {
    const fault = findExchangeFault(exchange);
    if (fault !== null) {
      this.incomplete.set(exchange.url, fault);
      return;
    }
    if (this.#exchanges.length >= mostExchanges) this.#exceed(`it has more than ${mostExchanges} requests`);
    this.#noteHost(new URL(exchange.url).hostname, upstream, exchange);
    this.#exchanges.push(exchange);
  }

  #noteHost(name: string, upstream: Upstream, { protocol, headers }: RecordedExchange): void {
    const before = this.#hosts.get(name);
    if (!before && this.#hosts.size >= mostHosts) this.#exceed(`it has more than ${mostHosts} hosts`);
    const { address, certificateNames, certificateChain } = upstream;
    const offersHttp3 = headers.some(([key, value]) => key.toLowerCase() === 'alt-svc' && /(^|[\s,])h3=/.test(value));
    const spoken = new Set([...(before?.protocols ?? []), protocol, ...(offersHttp3 ? (['h3'] as const) : [])]);
    this.#hosts.set(name, {
      name,
      address: before?.address ?? address,
      connectMs: Math.min(before?.connectMs ?? Infinity, upstream.connectMs),
      certificateNames: before?.certificateNames.length ? before.certificateNames : certificateNames,
      certificateChain: before?.certificateChain ?? certificateChain,
      protocols: siteProtocols.toReversed().filter((each) => spoken.has(each)),
    });
  }

  #exceed(how: string): never {
    const error = tooLarge(how);
    this.#onFailure(error);
    throw error;
  }
}

export interface RequestHead {
  url: string;
  method: string;
  headers: Headers;
}

/** One request in a Visit, as its answer comes. */
export class OpenExchange {
  readonly #recording: Recording;
  readonly #connection: RecordedConnection;
  readonly #visit: RecordedVisit;
  readonly #head: RequestHead;
  readonly #opening: Pick<RecordedExchange, 'connectMs' | 'tlsMs'>;
  readonly #startEpochMs: number;
  readonly #requestHash = createHash('sha256');
  readonly #hash = createHash('sha256');
  #requestBytes = 0;
  #sentEpochMs: number;
  #answer: { status: number; headers: Headers } | null = null;
  readonly #hints: EarlyHint[] = [];
  #answerEpochMs = 0;
  /** When its latest part came. */
  #endEpochMs = 0;
  #bytes = 0;
  #file: { file: string; handle: FileHandle } | null = null;

  constructor(
    recording: Recording,
    { connection, visit, head }: { connection: RecordedConnection; visit: RecordedVisit; head: RequestHead },
  ) {
    this.#recording = recording;
    this.#connection = connection;
    this.#visit = visit;
    this.#head = head;
    this.#startEpochMs = this.#sentEpochMs = recording.readEpochMs();
    const { isUsed, upstream } = connection;
    this.#opening = isUsed
      ? { connectMs: null, tlsMs: null }
      : { connectMs: upstream.connectMs, tlsMs: upstream.tlsMs };
  }

  addSent(part: Uint8Array): void {
    this.#requestHash.update(part);
    this.#requestBytes += part.length;
  }

  noteSent(): void {
    this.#sentEpochMs = this.#recording.readEpochMs();
  }

  noteAnswer(): void {
    this.#answerEpochMs = this.#endEpochMs = this.#recording.readEpochMs();
  }

  /** Links that came ahead of the answer. */
  addHint(links: string[]): void {
    const thinkMs = Math.max(0, this.#recording.readEpochMs() - this.#sentEpochMs);
    if (this.#hints.length < mostEarlyHints) this.#hints.push({ thinkMs, links });
  }

  takeHead(status: number, headers: Headers): void {
    this.#answer = { status, headers };
  }

  async add(part: Uint8Array): Promise<void> {
    this.#endEpochMs = this.#recording.readEpochMs();
    this.#bytes += part.length;
    this.#recording.bodies.count(part.length, this.#bytes);
    this.#file ??= await this.#recording.bodies.openFile();
    this.#hash.update(part);
    const { handle } = this.#file;
    await this.#recording.bodies.write(() => handle.write(part));
  }

  /** The whole answer is there. */
  async end(trailers: Headers): Promise<void> {
    const { status, headers } = this.#answer!;
    await this.#file?.handle.close();
    const body = this.#file
      ? await this.#recording.bodies.take(this.#file.file, { bytes: this.#bytes, sha256: this.#hash.digest('hex') })
      : null;
    const { url, method, headers: requestHeaders } = this.#head;
    const { number, upstream } = this.#connection;
    const exchange: RecordedExchange = {
      page: this.#visit.page,
      visit: this.#visit.visit,
      url,
      method,
      requestHeaders,
      requestBodySha256: this.#requestBytes === 0 ? null : this.#requestHash.digest('hex'),
      status,
      headers,
      trailers,
      protocol: upstream.protocol,
      connection: number,
      startMs: this.#startEpochMs - this.#visit.startEpochMs,
      ...this.#opening,
      thinkMs: Math.max(0, this.#answerEpochMs - this.#sentEpochMs),
      ...(this.#hints.length > 0 && { earlyHints: this.#hints }),
      receiveMs: this.#endEpochMs - this.#answerEpochMs,
      initiatorUrl: null,
      body,
    };
    this.#recording.add(exchange, this.#connection);
  }

  /** There is no more of it. */
  async fail(why: string): Promise<void> {
    this.#recording.incomplete.set(this.#head.url, why);
    if (!this.#file) return;
    await this.#file.handle.close();
    await this.#recording.bodies.drop(this.#file.file, this.#bytes);
  }
}
