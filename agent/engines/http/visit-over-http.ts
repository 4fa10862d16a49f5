import { readDocumentFailure } from '#core/metrics/read-document-failure.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import type { FailureCode } from '#core/metrics/failure-code.ts';
import { lastHop } from './fetch/hop.ts';
import { PageFetcher, type FetchSurroundings } from './fetch/page-fetcher.ts';
import type { Display } from '#core/page-objects/display.ts';
import { LoadingPage } from './page/loading-page.ts';
import { takeSnapshot } from './page/take-snapshot.ts';

export interface VisitSurroundings extends FetchSurroundings {
  pageLoad: Pick<PageLoad, 'timeoutMs'>;
  display: Display;
}

/** Loads one page until nothing is left to fetch, or until the hard cap. What is in flight then stays so: close the network. */
export async function visitOverHttp(url: string, surroundings: VisitSurroundings): Promise<VisitOutcome> {
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
    return snapshot ? { status: 'ok', snapshot } : fail('timeout', `No page came within ${pageLoad.timeoutMs} ms`);
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
