import { chooseReferrer } from '#core/page-objects/choose-referrer.ts';
import { beginRequest } from '#core/metrics/request-outcome.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import { isLoopback } from '#core/protocol/loopback.ts';
import type { HttpNetwork } from '../network/http-network.ts';
import { asNetworkError } from '../network/network-error.ts';
import type { Cookies } from './cookies.ts';
import { beginExchange } from './describe-exchange.ts';
import {
  findRedirect,
  followPolicy,
  maximumRedirects,
  refuseRedirect,
  withoutHash,
  type FetchedObject,
  type Hop,
  type PageRequest,
  type Answer,
} from './hop.ts';
import { beginDelivery, receiveAnswer, type Receiver } from './receive-answer.ts';
import type { ResponseCache } from './response-cache.ts';
import { partition } from './same-site.ts';

const accepts: Partial<Record<PageRequest['type'], string>> = {
  document: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'style-sheet': 'text/css,*/*;q=0.1',
  image: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
};

export interface FetchSurroundings {
  network: HttpNetwork;
  cookies: Cookies;
  /** Null for a cold Visit: what a page asks for twice, it asks for once all the same. */
  cache: ResponseCache | null;
  userAgent: string;
  /** Whether the headers of requests are recorded, for HARs. */
  recordsHeaders: boolean;
  nowEpochMs: EpochClock;
}

/** Fetches what one page asks for, and keeps the record of its requests. */
export class PageFetcher {
  /** In the order in which they began, those under way included. */
  readonly requests: NetworkRequest[] = [];
  readonly #surroundings: FetchSurroundings;
  #lastId = 0;

  constructor(surroundings: FetchSurroundings) {
    this.#surroundings = surroundings;
  }

  /** Resolves when the answer is whole, or failed: the last hop's record shows which. Never rejects for what the network does. */
  async fetch(first: PageRequest, receiver: Receiver): Promise<FetchedObject> {
    const id = String(++this.#lastId);
    const hops: Hop[] = [];
    let asked = first;
    let url = withoutHash(asked.url);
    while (true) {
      const hop = this.#begin(asked, { id, url, index: hops.length });
      hops.push(hop);
      const next = await this.#follow(hop, { asked, url, receiver });
      if (!next) return { hops: hops as [Hop, ...Hop[]], url: url.href, initiatorType: asked.initiatorType };
      ({ asked, url } = next);
    }
  }

  #begin(
    { type, initiatorUrl, isMainDocument = false }: PageRequest,
    { id, url, index }: { id: string; url: URL; index: number },
  ): Hop {
    const request = beginRequest({
      id,
      hop: index,
      url: url.href,
      type,
      isMainDocument,
      initiatorUrl,
      startEpochMs: this.#surroundings.nowEpochMs(),
      exchange: beginExchange(null),
    });
    this.requests.push(request);
    return { request, connectionTimes: null, encodedBytes: 0, failure: null };
  }

  /** Where the answer redirects to; null when the chain ends here. */
  async #follow(
    hop: Hop,
    { asked, url, receiver }: { asked: PageRequest; url: URL; receiver: Receiver },
  ): Promise<{ asked: PageRequest; url: URL } | null> {
    try {
      const answer = await this.#exchange(hop, { asked, url, receiver });
      const next = hop.request.hop < maximumRedirects ? findRedirect(answer, url) : refuseRedirect(answer, url);
      return next && { asked: followPolicy(asked, answer), url: next };
    } catch (error) {
      hop.failure = asNetworkError(error);
      hop.request.failure = `${hop.failure.code}: ${hop.failure.message}`.slice(0, 1024);
      return null;
    } finally {
      hop.request.endEpochMs ??= this.#surroundings.nowEpochMs();
    }
  }

  async #exchange(
    hop: Hop,
    { asked, url, receiver }: { asked: PageRequest; url: URL; receiver: Receiver },
  ): Promise<Answer> {
    const { network, cookies, cache, userAgent, recordsHeaders } = this.#surroundings;
    const headers = describeRequest(url, {
      type: asked.type,
      referrer: asked.referrer && chooseReferrer(asked.referrer, url),
      userAgent,
      cookies: cookies.find(url, asked.documentUrls),
    });
    const key = partition(url, asked.documentUrls);
    const cached = cache?.find(key, headers) ?? { kind: 'absent' };
    if (cached.kind === 'fresh') return this.#replay(hop, { url, receiver, stored: cached.response });
    const sent = cached.kind === 'stale' ? { ...headers, ...cached.headers } : headers;
    const { answer, body } = await receiveAnswer(hop, {
      network,
      asked,
      url,
      headers: sent,
      receiver,
      recordsHeaders,
      keepsBody: cache !== null,
      onCookies: (fields) => cookies.keep(fields, url, asked.documentUrls),
    });
    if (answer.status === 304 && cached.kind === 'stale') {
      const stored = cache!.refresh(key, sent, answer);
      if (stored) return this.#replay(hop, { url, receiver, stored });
    }
    if (body) cache?.store(key, headers, { ...answer, body });
    return answer;
  }

  async #replay(
    hop: Hop,
    { url, receiver, stored }: { url: URL; receiver: Receiver; stored: Answer & { body: Buffer } },
  ): Promise<Answer> {
    const { request } = hop;
    request.fromCache = true;
    request.status = stored.status;
    request.responseEpochMs ??= this.#surroundings.nowEpochMs();
    const delivery = beginDelivery(hop, { answer: stored, url, receiver, guard: (step) => step() });
    delivery?.write(stored.body);
    hop.encodedBytes = stored.body.length;
    await delivery?.end();
    request.endEpochMs = this.#surroundings.nowEpochMs();
    return stored;
  }
}

/** The header fields of a request, as Chrome sends them. */
function describeRequest(
  url: URL,
  {
    type,
    referrer,
    userAgent,
    cookies,
  }: { type: PageRequest['type']; referrer: string | null; userAgent: string; cookies: string },
): Record<string, string> {
  return {
    'user-agent': userAgent,
    accept: accepts[type] ?? '*/*',
    // Browsers offer the newer codings only where no old proxy can break them.
    'accept-encoding':
      url.protocol === 'https:' || isLoopback(url.hostname) ? 'gzip, deflate, br, zstd' : 'gzip, deflate',
    'accept-language': 'en-US,en;q=0.9',
    ...(referrer !== null && { referer: referrer }),
    ...(cookies !== '' && { cookie: cookies }),
    ...(type === 'document' && { 'upgrade-insecure-requests': '1' }),
  };
}
