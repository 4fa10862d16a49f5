import { lastsForPass, type PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { Cookies } from '../fetch/cookies.ts';
import { ResponseCache } from '../fetch/response-cache.ts';
import { HttpNetwork } from '../network/http-network.ts';
import type { SessionOptions } from './session-messages.ts';
import { readDocumentFailure } from '#core/metrics/page-failure.ts';
import type { FailureCode } from '#core/metrics/failure-code.ts';
import { lastHop } from '../fetch/hop.ts';
import { PageFetcher, type FetchSurroundings } from '../fetch/page-fetcher.ts';
import type { Display } from '#core/page-objects/display.ts';
import { LoadingPage } from '../page/loading-page.ts';
import { takeSnapshot } from '../page/take-snapshot.ts';

/** What a client remembers from one Visit to the next, unless it is cold. */
interface Memory {
  network: HttpNetwork;
  cookies: Cookies;
  cache: ResponseCache | null;
}

/** The client of one session: all Visits with one memory, or each with a new one (`cold`). */
export class HttpClient {
  readonly #options: SessionOptions;
  #kept: Memory | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
  }

  async visit(url: string): Promise<VisitOutcome> {
    const { pageLoad, browser, userAgent, recordsHeaders } = this.#options;
    const { widthPx, heightPx } = browser.viewport ?? pageLoad.viewport;
    const memory = this.#kept ?? this.#makeMemory();
    const outcome = await visitOverHttp(url, {
      ...memory,
      pageLoad,
      userAgent,
      recordsHeaders,
      display: { widthPx, heightPx, scaleRatio: browser.deviceScaleRatio ?? 1 },
      nowEpochMs: epochClock,
    });
    if (lastsForPass(pageLoad) && outcome.status === 'ok' && outcome.snapshot.settled) {
      this.#kept = memory;
    } else {
      // What is still in flight, and what a broken page left behind, must not reach the next Visit.
      await memory.network[Symbol.asyncDispose]();
      this.#kept = lastsForPass(pageLoad) ? { ...memory, network: this.#makeNetwork() } : null;
    }
    return outcome;
  }

  /** Closes what is still open. */
  async close(): Promise<void> {
    await this.#kept?.network[Symbol.asyncDispose]();
    this.#kept = null;
  }

  #makeMemory(): Memory {
    return {
      network: this.#makeNetwork(),
      cookies: new Cookies(),
      cache: lastsForPass(this.#options.pageLoad) ? new ResponseCache() : null,
    };
  }

  #makeNetwork(): HttpNetwork {
    return new HttpNetwork(this.#options.browser, epochClock);
  }
}

interface VisitSurroundings extends FetchSurroundings {
  pageLoad: Pick<PageLoad, 'timeoutMs'>;
  display: Display;
}

/** Loads one page until nothing is left to fetch, or until the hard cap. What is in flight then stays so: close the network. */
async function visitOverHttp(url: string, surroundings: VisitSurroundings): Promise<VisitOutcome> {
  const { pageLoad, nowEpochMs } = surroundings;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return fail('unsupported-content', `Only addresses that begin with http:// or https:// are loaded, not ${url}`);
  }
  const fetcher = new PageFetcher(surroundings);
  const page = new LoadingPage({ ...surroundings, fetcher });
  const cap = Promise.withResolvers<false>();
  const timer = setTimeout(() => cap.resolve(false), pageLoad.timeoutMs);
  try {
    const loaded = page.load(url).then(() => true);
    // Where the cap came first, what comes of it is looked at no more.
    loaded.catch(() => undefined);
    const settled = await Promise.race([loaded, cap.promise]);
    const unusedPushes = surroundings.network.dropPushes();
    const snapshot =
      page.frames.length > 0
        ? takeSnapshot(page, { requestedUrl: url, fetcher, settled, takenEpochMs: nowEpochMs(), unusedPushes })
        : null;
    const failure = readFailure(page, fetcher);
    // The rest of it was not loaded: what came is no measurement of the page.
    if (page.excess !== null) return fail('too-large', page.excess);
    if (failure) return { status: 'failed', ...failure, detail: failure.detail.slice(0, 4096), snapshot };
    if (snapshot) return { status: 'ok', snapshot };
    // An answer without a body that nothing in a cache stands for.
    if (page.main) return fail('empty-response', `HTTP ${lastHop(page.main).request.status} without content`);
    return fail('timeout', `No page came within ${pageLoad.timeoutMs} ms`);
  } finally {
    clearTimeout(timer);
  }
}

function readFailure({ main }: LoadingPage, { requests }: PageFetcher): { code: FailureCode; detail: string } | null {
  const document = requests.findLast(({ isMainDocument }) => isMainDocument) ?? null;
  const failure = main && lastHop(main).failure;
  // A page that came with an error status is reported by that, whether its body came or not.
  if (failure && (document?.status ?? 0) < 400) return { code: failure.code, detail: failure.message };
  return main && readDocumentFailure({ ...document!, failure: null });
}

function fail(code: FailureCode, detail: string): VisitOutcome {
  return { status: 'failed', code, detail: detail.slice(0, 4096), snapshot: null };
}
