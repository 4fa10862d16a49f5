import type { IncomingHttpHeaders } from 'node:http';
import type { CookieJar } from 'tough-cookie';
import { chooseReferrer } from '#core/page-objects/choose-referrer.ts';
import { beginRequest } from '#core/metrics/request-outcome.ts';
import { typeOfStream } from '#core/metrics/settle-rule.ts';
import { readServerTiming } from '#core/metrics/server-timing.ts';
import type { NetworkRequest } from '#core/metrics/snapshot.ts';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import type { HttpNetwork } from '../network/http-network.ts';
import { asNetworkError, NetworkError } from '../network/network-error.ts';
import type { ResponseHead } from '../network/pending-request.ts';
import { beginExchange, noteHead, noteSent } from './describe-exchange.ts';
import {
  findRedirect,
  maximumRedirects,
  refuseRedirect,
  withoutHash,
  type Answer,
  isRedirect,
} from './find-redirect.ts';
import type { FetchedObject, Hop } from './hop.ts';
import { maximumBodyBytes, type ResponseCache } from './response-cache.ts';
import type { ObjectType, Urgency } from '#core/page-objects/wish.ts';
import { decodeBody } from './decode-body.ts';

const accepts: Partial<Record<PageRequest['type'], string>> = {
  document: 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8',
  'style-sheet': 'text/css,*/*;q=0.1',
  image: 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8',
};

export interface FetchSurroundings {
  network: HttpNetwork;
  jar: CookieJar;
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
  async fetch(asked: PageRequest, receiver: Receiver): Promise<FetchedObject> {
    const id = String(++this.#lastId);
    const hops: Hop[] = [];
    let url = withoutHash(asked.url);
    while (true) {
      const hop = this.#begin(asked, { id, url, index: hops.length });
      hops.push(hop);
      const next = await this.#follow(hop, { asked, url, receiver });
      if (!next) return { hops: hops as [Hop, ...Hop[]], url: url.href, initiatorType: asked.initiatorType };
      url = next;
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
  ): Promise<URL | null> {
    try {
      const answer = await this.#exchange(hop, { asked, url, receiver });
      return hop.request.hop < maximumRedirects ? findRedirect(answer, url) : refuseRedirect(answer, url);
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
    const { jar, cache, userAgent } = this.#surroundings;
    const headers = describeRequest(url, {
      type: asked.type,
      referrer: chooseReferrer(asked.initiatorUrl, url),
      userAgent,
      cookies: await jar.getCookieString(url.href),
    });
    const cached = cache?.find(url.href, headers) ?? { kind: 'absent' };
    if (cached.kind === 'fresh') return this.#replay(hop, { url, receiver, stored: cached.response });
    const sent = cached.kind === 'stale' ? { ...headers, ...cached.headers } : headers;
    const { answer, body } = await this.#receive(hop, { asked, url, headers: sent, receiver });
    if (answer.status === 304 && cached.kind === 'stale') {
      const stored = cache!.refresh(url.href, sent, answer);
      if (stored) return this.#replay(hop, { url, receiver, stored });
    }
    if (body) cache?.store(url.href, headers, { ...answer, body });
    return answer;
  }

  /** From the network; the body is kept only where it may be stored. */
  async #receive(
    hop: Hop,
    {
      asked,
      url,
      headers,
      receiver,
    }: { asked: PageRequest; url: URL; headers: Record<string, string>; receiver: Receiver },
  ): Promise<{ answer: Answer; body: Buffer | null }> {
    const { network, cache, recordsHeaders } = this.#surroundings;
    const { request } = hop;
    request.exchange = beginExchange(recordsHeaders ? headers : null);
    const reply = {
      answer: null,
      delivery: null,
      refusal: null,
      kept: [],
      abort: () => undefined,
      lastByteEpochMs: null,
    } as Reply;
    /** A receiver that wants no more breaks the answer off, and its reason is the failure. */
    const guard = (step: () => void) => {
      if (reply.refusal) return;
      try {
        step();
      } catch (error) {
        reply.refusal = asNetworkError(error);
        reply.abort(reply.refusal);
      }
    };
    const redirected = Promise.withResolvers<void>();
    const received = network.request(url, {
      urgency: asked.urgency,
      headers,
      // A document begins when it is asked for.
      takesPush: asked.type !== 'document',
      listener: {
        onSent: ({ epochMs, connection, isReused }) => {
          request.sentEpochMs = epochMs;
          request.connectionId = connection.id;
          request.protocol = connection.version;
          hop.connectionTimes = isReused ? null : connection.times;
          noteSent(request.exchange!, { connection, isReused });
        },
        onPromised: ({ epochMs, connection }) => {
          request.startEpochMs = epochMs;
          request.isPushed = true;
          request.connectionId = connection.id;
          request.protocol = connection.version;
          noteSent(request.exchange!, { connection, isReused: true });
        },
        onHead: (head) => {
          const answer = { status: head.status, headers: head.headers };
          reply.answer = answer;
          reply.abort = head.abort;
          request.status = head.status;
          request.responseEpochMs = head.epochMs;
          const serverMs = readServerTiming(head.headers['server-timing']);
          if (serverMs !== null) request.serverMs = serverMs;
          reply.lastByteEpochMs = head.epochMs;
          noteHead(request.exchange!, head);
          guard(() => {
            this.#storeCookies(head.headers, url);
            breakOffStream(request, head.headers);
            reply.delivery = beginDelivery(hop, { answer, url, receiver, guard });
          });
          if (isRedirect(answer)) redirected.resolve();
        },
        onReceived: (bytes) => {
          request.receivedBytes = bytes;
          // What frames the parts of a body counts as head.
          request.receivedBodyBytes = Math.min(hop.encodedBytes, bytes);
        },
        onData: (part, epochMs) => {
          reply.lastByteEpochMs = epochMs;
          const chunk = Buffer.from(part); // undici uses the memory again
          hop.encodedBytes += chunk.length;
          if (cache && hop.encodedBytes <= maximumBodyBytes) reply.kept.push(chunk);
          reply.delivery?.write(chunk);
        },
      },
    });
    // A redirect is followed at once, as by browsers: its body, if it has one, comes meanwhile.
    received.catch(() => undefined);
    await Promise.race([received, redirected.promise]);
    // Not the time now: what the last part named was asked for first.
    request.endEpochMs = reply.lastByteEpochMs;
    await reply.delivery?.end();
    // It may have come with what was decoded last.
    if (reply.refusal) throw reply.refusal;
    return {
      answer: reply.answer!,
      body: cache && hop.encodedBytes <= maximumBodyBytes ? Buffer.concat(reply.kept) : null,
    };
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

  #storeCookies(headers: IncomingHttpHeaders, url: URL): void {
    for (const cookie of [headers['set-cookie'] ?? []].flat())
      this.#surroundings.jar.setCookieSync(cookie, url.href, { ignoreError: true });
  }
}

/** What of an answer has come so far. */
interface Reply {
  answer: Answer | null;
  delivery: Delivery | null;
  refusal: NetworkError | null;
  /** Of the body, as it came. */
  kept: Buffer[];
  /** When the last part came, of head or body; null before any. */
  lastByteEpochMs: number | null;
  abort: ResponseHead['abort'];
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
    // Browsers offer the newer codings over TLS only: some old proxies break them.
    'accept-encoding': url.protocol === 'https:' ? 'gzip, deflate, br, zstd' : 'gzip, deflate',
    'accept-language': 'en-US,en;q=0.9',
    ...(referrer !== null && { referer: referrer }),
    ...(cookies !== '' && { cookie: cookies }),
    ...(type === 'document' && { 'upgrade-insecure-requests': '1' }),
  };
}

/** What a page asks for. */
export interface PageRequest {
  url: string;
  type: ObjectType;
  urgency: Urgency;
  /** The document or style sheet that names it; null for the page itself. */
  initiatorUrl: string | null;
  /** As Resource Timing names what asked. https://w3c.github.io/resource-timing/#dom-performanceresourcetiming-initiatortype */
  initiatorType: string;
  isMainDocument?: boolean;
}

/** What is done with the answer that the redirects lead to. */
export interface Receiver {
  /** Throws a NetworkError to have it broken off. */
  onHead?(answer: { url: URL; status: number; headers: IncomingHttpHeaders }): void;
  /** With each part of the decoded body; throws a NetworkError to have the rest broken off. */
  onBody?(chunk: Buffer): void;
}

interface Delivery {
  write(chunk: Buffer): void;
  end(): Promise<void>;
}

/** What has no end is broken off, and is no object of the page. Throws a NetworkError. */
function breakOffStream(request: NetworkRequest, headers: IncomingHttpHeaders): void {
  const type = typeOfStream(request.type, headers['content-type'] ?? '');
  if (type === null) return;
  request.type = type;
  throw new NetworkError('aborted', 'The answer is a stream without an end');
}

/** Hands an answer to its receiver; null for one that only redirects. */
function beginDelivery(
  hop: Hop,
  { answer, url, receiver, guard }: { answer: Answer; url: URL; receiver: Receiver; guard: (step: () => void) => void },
): Delivery | null {
  if (isRedirect(answer) || answer.status === 304) return null;
  receiver.onHead?.({ url, ...answer });
  hop.request.decodedBytes = 0;
  return decodeBody(answer.headers['content-encoding'], (chunk) => {
    hop.request.decodedBytes! += chunk.length;
    guard(() => receiver.onBody?.(chunk));
  });
}
