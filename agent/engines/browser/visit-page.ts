import { describeActivity } from '#core/agent/page-activity/describe-activity.ts';
import { requireWebPage } from '#core/agent/page-activity/require-one-page.ts';
import { failedOutcome, VisitFailure } from '#core/agent/visit-failure.ts';
import { waitForMark } from '#core/agent/wait-for-mark.ts';
import { waitUntilSettled } from '#core/agent/wait-until-settled.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { readDocumentFailure } from '#core/metrics/read-document-failure.ts';
import { readTaskFailure } from '#core/metrics/read-task-failure.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { explainUnshownContent } from '#core/metrics/unshown-content.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { sleep } from '../../sleep.ts';
import type { EngineLog, VisitRequest } from '../engine.ts';
import type { BrowserPage } from './browser-page.ts';
import { leaveOutPageBefore } from './journey/leave-out-page-before.ts';
import { explainStraying } from './journey/explain-straying.ts';
import { leadToPage } from './journey/lead-to-page.ts';
import { stayOnPage } from './journey/stay-on-page.ts';
import { readOut } from './read-out.ts';
import { takeScreenshot } from './take-screenshot.ts';

interface PageVisit extends VisitRequest {
  pageLoad: PageLoad;
  /** The clock that the browser dates its events by. */
  nowEpochMs: () => number;
  log?: EngineLog;
}

/** Loads one page, in a fresh tab unless it continues a journey, and takes its Snapshot. Throws a VisitFailure where there is none to take. */
export async function visitPage(page: BrowserPage, visit: PageVisit): Promise<VisitOutcome> {
  const { url, pageLoad, leg } = visit;
  page.isJourney = leg !== undefined;
  const cap = new AbortController();
  const startCap = () =>
    setTimeout(
      () => cap.abort(new VisitFailure('timeout', `No page came within ${pageLoad.timeoutMs} ms`)),
      pageLoad.timeoutMs,
    );
  let timer = startCap();
  const film = isFilmed(visit) ? page.film : null;
  const onNavigate = () => {
    clearTimeout(timer);
    timer = startCap();
    film?.begin();
    visit.onNavigate?.(epochClock());
  };
  try {
    const signal = AbortSignal.any([page.lost, page.recorder.excess, cap.signal]);
    if (leg) await leadToPage(page, leg, { signal, onNavigate });
    else {
      onNavigate();
      await page.navigate({ url, signal });
    }
    refuseUnshown(page);
    const settled = await hasSettledBefore(signal, {
      page,
      quietMs: pageLoad.quietMs,
      untilMark: leg ? undefined : visit.untilMark,
    });
    refuseUnshown(page);
    const loaded = await takeSnapshot(page, { visit, settled });
    if (film) visit.onFilmstrip?.(await film.end());
    else if (page.film) visit.onFilmstrip?.({ kind: 'absent', reason: 'Only the first page of a journey is filmed' });
    visit.onScreenshot?.(await takeScreenshot(page));
    const missing = readDocumentFailure(page.recorder.mainDocument) ?? (leg ? explainStraying(leg, loaded) : null);
    const snapshot = leg && !missing ? await stayOnPage(page, { leg, snapshot: loaded, pageLoad }) : loaded;
    const failure = missing ?? readTaskFailure(snapshot);
    return failure
      ? failedOutcome(new VisitFailure(failure.code, failure.detail, snapshot))
      : { status: 'ok', snapshot };
  } finally {
    clearTimeout(timer);
  }
}

/** A film that has ended does not begin again. */
function isFilmed({ leg }: PageVisit): boolean {
  return leg === undefined || leg.number === 1;
}

async function hasSettledBefore(
  signal: AbortSignal,
  { page, quietMs, untilMark }: { page: BrowserPage; quietMs: number; untilMark: string | undefined },
): Promise<boolean> {
  try {
    await waitForMark({
      untilMark,
      hasMark: (names) => page.hasMark(names, signal),
      hasFailed: () => readDocumentFailure(page.recorder.mainDocument) !== null,
      sleep,
      signal,
    });
    await waitUntilSettled({
      recorder: page.recorder,
      quietMs,
      isIdle: () => page.areFramesIdle(signal),
      findMissedEvents: () => page.findMissedEvents(signal),
      sleep,
      signal,
    });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** Throws a VisitFailure when the page itself has no report, or is lost. */
async function takeSnapshot(
  page: BrowserPage,
  { visit, settled }: { visit: PageVisit; settled: boolean },
): Promise<Snapshot> {
  const { url, untilMark, pageLoad, leg, nowEpochMs, log } = visit;
  const takenEpochMs = nowEpochMs();
  const { recorder } = page;
  // A crashed page is replaced by one of the browser: the crash says more.
  page.lost.throwIfAborted();
  requireWebPage(recorder);
  const recorded = structuredClone([...recorder.requests]);
  const documents = [...recorder.documents];
  const { frames, silentFrames } = await readOut(page, { timeoutMs: pageLoad.timeoutMs, takenEpochMs, log });
  const requests = leg ? leaveOutPageBefore(recorded, frames) : recorded;
  return {
    version: 1,
    requestedUrl: url,
    ...(untilMark !== undefined && { untilMark }),
    viewport: page.viewport,
    settled,
    takenEpochMs,
    frames,
    ...describeActivity({ requests, documents, frames, takenEpochMs, hintedUrls: page.hintedUrls, silentFrames }),
  };
}

/** A browser shows some content by a program of its own. */
function refuseUnshown({ recorder: { mainDocument } }: BrowserPage): void {
  const refused = explainUnshownContent(mainDocument?.exchange?.mimeType);
  if (refused) throw new VisitFailure(refused.code, refused.detail);
}
