import { sleep } from '#core/clock/time.ts';
import { gaveFile } from '#core/agent/page-activity/activity-event.ts';
import { describeActivity } from '#core/agent/page-activity/describe-activity.ts';
import { requireWebPage } from '#core/agent/page-activity/require-one-page.ts';
import { failedOutcome, VisitFailure } from '#core/agent/visit-failure.ts';
import { waitUntilSettled, waitForMark } from '#core/agent/wait-until-settled.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import {
  readDocumentFailure,
  readShownFailure,
  type DocumentFailure,
  explainUnshownContent,
  readTaskFailure,
} from '#core/metrics/page-failure.ts';
import { findNavigationStart } from '#core/metrics/navigation-start.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { maximumPictureBytes } from '#core/protocol/filmstrip.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import type { EngineLog, VisitRequest, TakenScreenshot } from '../engine.ts';
import type { BrowserPage } from './browser-page.ts';
import { leadToPage } from './journey/lead-to-page.ts';
import { stayOnPage } from './journey/stay-on-page.ts';
import { readOut } from './read-out.ts';
import { unlessAborted } from '#core/waiting.ts';
import { withoutFragment } from '#core/metrics/page-object.ts';
import type { JourneyLeg } from '#core/evaluation/journey/journey.ts';
import { readShiftMs, writeReplayedPageScript } from '#core/agent/replayed-page.ts';
import { describeStep } from './journey/take-step.ts';

const answerWithinMs = 10_000;

/** In percent, as JPEG has it; the next where a picture is too large. */
const qualities = [70, 30];

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
    if (visit.replay) await page.runAhead(writeReplayedPageScript(readShiftMs(visit.replay, visit.nowEpochMs())));
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
    const loaded = await addMainThread(await takeSnapshot(page, { visit, settled }), { page, visit });
    if (film) visit.onFilmstrip?.(await film.end());
    else if (page.film) visit.onFilmstrip?.({ kind: 'absent', reason: 'Only the first page of a journey is filmed' });
    visit.onScreenshot?.(await takeScreenshot(page));
    const missing =
      readDocumentFailure(page.recorder.mainDocument) ??
      readShownFailure(loaded) ??
      (leg ? explainStraying(leg, loaded) : null);
    const snapshot = leg && !missing ? await stayOnPage(page, { leg, snapshot: loaded, pageLoad }) : loaded;
    const failure = missing ?? readTaskFailure(snapshot);
    return failure
      ? failedOutcome(new VisitFailure(failure.code, failure.detail, snapshot))
      : { status: 'ok', snapshot };
  } finally {
    clearTimeout(timer);
  }
}

/** A film that has ended does not begin again, nor does the recording of the main thread. */
function isFilmed({ leg }: PageVisit): boolean {
  return leg === undefined || leg.number === 1;
}

async function addMainThread(
  snapshot: Snapshot,
  { page: { mainThread }, visit }: { page: BrowserPage; visit: PageVisit },
): Promise<Snapshot> {
  if (!mainThread) return snapshot;
  if (!isFilmed(visit))
    return { ...snapshot, mainThread: { kind: 'absent', reason: 'Only the first page of a journey is recorded' } };
  const interval = { fromEpochMs: findNavigationStart(snapshot), untilEpochMs: snapshot.takenEpochMs };
  return { ...snapshot, mainThread: await mainThread.end(interval) };
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
  const { frames, silentUrls } = await readOut(page, { timeoutMs: pageLoad.timeoutMs, takenEpochMs, log });
  const requests = leg ? leaveOutPageBefore(recorded, frames) : recorded;
  return {
    version: 1,
    requestedUrl: url,
    ...(untilMark !== undefined && { untilMark }),
    viewport: page.viewport,
    settled,
    takenEpochMs,
    frames,
    ...describeActivity({ requests, documents, frames, takenEpochMs, hintedUrls: page.hintedUrls, silentUrls }),
  };
}

/** A browser shows some content by a program of its own, and some not at all. */
function refuseUnshown({ recorder: { mainDocument } }: BrowserPage): void {
  if (mainDocument?.failure === gaveFile) throw new VisitFailure('unsupported-content', gaveFile);
  const refused = explainUnshownContent(mainDocument?.exchange?.mimeType);
  if (refused) throw new VisitFailure(refused.code, refused.detail);
}

/** The picture of a page that was measured already. That there is none is no failure of its Visit. */
async function takeScreenshot(page: BrowserPage): Promise<TakenScreenshot> {
  const signal = AbortSignal.any([page.lost, AbortSignal.timeout(answerWithinMs)]);
  try {
    for (const quality of qualities) {
      const jpeg = await unlessAborted(page.captureViewport(quality), signal);
      if (jpeg.length <= maximumPictureBytes) return { kind: 'taken', jpeg };
    }
    return { kind: 'absent', reason: `It would have more than ${maximumPictureBytes} bytes` };
  } catch (error) {
    return { kind: 'absent', reason: `It could not be taken: ${(error as Error).message.slice(0, 4000)}` };
  }
}

/**
 * Whether a step led to another page than its recording says; null where it led to that one, or the recording names none. An address is that of the
 * page when it had settled, or of its document: a page may write another into the address bar. The fragment does not matter.
 */
export function explainStraying({ lead }: JourneyLeg, { frames, requests }: Snapshot): DocumentFailure | null {
  const { step, number } = lead.at(-1)!;
  const expected = step.assertedEvents?.findLast(({ url }) => url !== undefined && url !== '')?.url;
  if (expected === undefined || !URL.canParse(expected)) return null;
  const page = frames.find(({ path }) => path.length === 0);
  const document = requests.findLast(({ isMainDocument, failure }) => isMainDocument && failure === null);
  const reached = [page?.url, document?.url].filter((url) => url !== undefined);
  if (reached.length === 0 || reached.some((url) => isSame(url, expected))) return null;
  return {
    code: 'journey-strayed',
    detail: `Step ${describeStep(step, number)} led to ${reached[0]}, and not to ${expected} as in the recording. If the address differs each time, remove url from its assertedEvents`,
  };
}

function isSame(one: string, other: string): boolean {
  return withoutFragment(new URL(one).href) === withoutFragment(new URL(other).href);
}

/**
 * The requests of the page that a step led to. What the step asked for on the page before is no part of it. That page keeps running until the new one takes
 * its place, some time after the answer has begun: until then, only what an entry of the new page names is its own, such as an early hint.
 */
export function leaveOutPageBefore(
  requests: readonly NetworkRequest[],
  frames: readonly Pick<FrameSnapshot, 'path' | 'timeOrigin' | 'resources' | 'navigation'>[],
): NetworkRequest[] {
  const document = requests.find(({ isMainDocument, failure }) => isMainDocument && failure === null);
  if (!document) return [...requests];
  const own = new Set(requests.filter(({ id }) => id === document.id).map(({ url }) => withoutFragment(url)));
  const cameEpochMs = requests.findLast(({ id }) => id === document.id)?.responseEpochMs ?? Infinity;
  const named = new Set(
    frames.flatMap(({ resources, navigation }) => [
      ...(navigation ? [withoutFragment(navigation.name)] : []),
      ...resources.map(({ name }) => withoutFragment(name)),
    ]),
  );
  const begunEpochMs = Math.min(
    ...frames
      .filter(({ path }) => path.length === 0)
      .flatMap(({ timeOrigin, resources }) => resources.slice(0, 1).map(({ startTime }) => timeOrigin + startTime)),
  );
  const isByOwn = ({ initiatorUrl }: NetworkRequest) => initiatorUrl !== null && own.has(withoutFragment(initiatorUrl));
  const isOfPageBefore = (request: NetworkRequest) => {
    const { id, isMainDocument, startEpochMs, url } = request;
    if (id === document.id || isMainDocument) return false;
    if (startEpochMs < document.startEpochMs) return true;
    if (named.has(withoutFragment(url))) return false;
    return startEpochMs < cameEpochMs || (startEpochMs < begunEpochMs && !isByOwn(request));
  };
  // Hops of a redirect follow their first request.
  const left = new Set(requests.filter((request) => request.hop === 0 && isOfPageBefore(request)).map(({ id }) => id));
  return requests.filter(({ id }) => !left.has(id));
}
