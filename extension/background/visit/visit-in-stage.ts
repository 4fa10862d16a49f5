import { sleep } from '#core/clock/time.ts';
import browser from 'webextension-polyfill';
import { describeActivity } from '#core/agent/page-activity/describe-activity.ts';
import { answerWithinMs } from '#core/agent/frame-answers.ts';
import { requireOnePage, requireWebPage } from '#core/agent/page-activity/require-one-page.ts';
import { assertNever } from '#core/assert-never.ts';
import { explainBusyPage, failedOutcome, VisitFailure } from '#core/agent/visit-failure.ts';
import { waitUntilSettled, waitForMark } from '#core/agent/wait-until-settled.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import {
  explainNavigation,
  readDocumentFailure,
  readShownFailure,
  readTaskFailure,
} from '#core/metrics/page-failure.ts';
import { withoutFragment } from '#core/metrics/page-object.ts';
import { isGivenUp } from '#core/metrics/request-outcome.ts';
import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { ReplayedPage, Snapshot, Isolation } from '#core/metrics/snapshot.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { unlessAborted } from '#core/waiting.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import type { Stage } from '../stage/open-stage.ts';
import { readViewport } from '../stage/fit-viewport.ts';
import { areFramesIdle, collectFrames, hasMark, hasPageLoaded, listIconUrls, type PageSilence } from './ask-frames.ts';
import type { TabRecorder } from './tab-recorder.ts';
import { revealStyleSheets } from './reveal-style-sheets.ts';
import { TabWatch } from './tab-watch.ts';
import { readShiftMs } from '#core/agent/replayed-page.ts';
import { shiftClock } from './shift-clock.ts';
import { hasContainers } from '../../agent-state/page-access.ts';

/** How long the browser may take to report a download whose request has ended. */
const downloadWithinMs = 3000;

export interface VisitSettings {
  url: string;
  /** The User Timing mark of the page that it waits for. */
  untilMark?: string | undefined;
  /** Left out where the page is none of a recorded Site. */
  replay?: ReplayedPage | undefined;
  stage: Stage;
  pageLoad: PageLoad;
  signal: AbortSignal;
  /** By how much the clock of new pages is ahead of the background’s, which may have begun before the host was asleep. */
  leadMs: number;
  /** Called with the wall clock just before the browser is ordered to load. */
  onNavigate: (epochMs: number) => void;
}

/** Loads one page in the stage's tab. What goes wrong with page, network or browser is an outcome; throws only when the signal is aborted. */
export async function visitInStage(visit: VisitSettings): Promise<VisitOutcome> {
  const { url, replay, stage, pageLoad, signal } = visit;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    return failedOutcome(
      new VisitFailure(
        'unsupported-content',
        `Only addresses that begin with http:// or https:// are loaded, not ${url}`,
      ),
    );
  }
  using watch = new TabWatch(stage.tabId);
  await using _clock = replay ? await shiftClock(readShiftMs(replay, epochClock() + visit.leadMs)) : null;
  const cap = new AbortController();
  const timer = setTimeout(
    () => cap.abort(new VisitFailure('timeout', `No page came within ${pageLoad.timeoutMs} ms`)),
    pageLoad.timeoutMs,
  );
  try {
    const either = AbortSignal.any([watch.lost, cap.signal, signal]);
    visit.onNavigate(epochClock());
    await unlessAborted(browser.tabs.update(stage.tabId, { url }), either);
    const settled = await hasSettledBefore(either, { watch, visit });
    signal.throwIfAborted();
    watch.lost.throwIfAborted();
    throwWherePageIsMissing(watch.recorder, cap.signal);
    const snapshot = await takeSnapshot(watch, { visit, settled });
    const failure =
      readDocumentFailure(describeDocument(watch.recorder, snapshot)) ??
      readShownFailure(snapshot) ??
      readTaskFailure(snapshot);
    return failure
      ? failedOutcome(new VisitFailure(failure.code, failure.detail, snapshot))
      : { status: 'ok', snapshot };
  } catch (error) {
    signal.throwIfAborted();
    return failedOutcome(error);
  } finally {
    clearTimeout(timer);
  }
}

async function hasSettledBefore(
  signal: AbortSignal,
  { watch, visit }: { watch: TabWatch; visit: VisitSettings },
): Promise<boolean> {
  const { stage, pageLoad } = visit;
  const { recorder } = watch;
  try {
    await waitForMark({
      untilMark: visit.untilMark,
      hasMark: (names) => hasMark(stage.tabId, { names, signal }),
      hasFailed: () => readDocumentFailure(recorder.mainDocument) !== null,
      sleep,
      signal,
    });
    await waitUntilSettled({
      recorder,
      quietMs: pageLoad.quietMs,
      isIdle: () => areFramesIdle(stage.tabId, signal),
      findMissedEvents: async () => {
        if (!(recorder.isLoadAwaited() || recorder.awaitsImagesOnly) || !(await hasPageLoaded(stage.tabId, signal)))
          return;
        // Firefox leaves out now and then that a page has loaded, mostly of its first page.
        if (recorder.isLoadAwaited()) recorder.noteFoundLoaded();
        // What else is awaited now is no image that the page had when it loaded.
        else recorder.noteIcons(await listIconUrls(stage.tabId, signal));
      },
      sleep,
      signal,
    });
    return true;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}

/** Throws a VisitFailure where nothing came that could be looked at. */
function throwWherePageIsMissing({ mainDocument, hasNoPage }: TabRecorder, cap: AbortSignal): void {
  const { status = null, failure = null, responseEpochMs = null } = mainDocument ?? {};
  if (hasNoPage) throw explain('', status);
  // An error status, or a redirect alone.
  const isNoPage = status !== null && status >= 300;
  if (failure !== null && (responseEpochMs === null || isNoPage)) throw explain(failure, status);
  if (responseEpochMs === null) cap.throwIfAborted();
}

/** Firefox has a code such as `NS_ERROR_NET_RESET` for every failure but those of TLS, which it reports in a sentence, in its own language. */
function explain(failure: string, status: number | null): VisitFailure {
  const { code, detail } = explainNavigation(failure, status);
  const isSentence = code === 'engine-error' && / /.test(failure) && !failure.startsWith('net::');
  return new VisitFailure(isSentence ? 'tls-failure' : code, detail);
}

/** Throws a VisitFailure when the page itself does not answer, or is lost. */
async function takeSnapshot(
  watch: TabWatch,
  { visit, settled }: { visit: VisitSettings; settled: boolean },
): Promise<Snapshot> {
  const { url, untilMark, stage } = visit;
  const takenEpochMs = epochClock() + visit.leadMs;
  const { recorder } = watch;
  watch.lost.throwIfAborted();
  requireWebPage(recorder);
  const requests = structuredClone(recorder.requests);
  const documents = [...recorder.documents];
  const withinMs = Math.max(answerWithinMs, visit.pageLoad.timeoutMs);
  const signal = AbortSignal.any([watch.lost, visit.signal, AbortSignal.timeout(withinMs)]);
  noteConnections(requests, stage.isolation);
  const { reports, silence, silentUrls, excess } = await collectFrames(stage.tabId, signal);
  const frames = await revealStyleSheets(reports, { tabId: stage.tabId, requests, signal });
  visit.signal.throwIfAborted();
  watch.lost.throwIfAborted();
  if (excess !== null) throw new VisitFailure('too-large', excess);
  requireOnePage(recorder, { documentCount: documents.length, frames, takenEpochMs });
  const page = frames.find((frame) => frame.path.length === 0);
  if (!page) throw explainSilence(silence, { withinMs, frameCount: recorder.frameCount });
  if (!/^https?:/.test(page.url)) {
    // The tab is as empty as it was. The browser may report a download long after its request has ended, and the file is to be discarded.
    await sleep(downloadWithinMs, AbortSignal.any([watch.lost, visit.signal]));
    throw new VisitFailure('unsupported-content', 'The address gives no page, but a file to download or an empty tab');
  }
  const { failure = null } = watch.recorder.mainDocument ?? {};
  if (failure !== null && isGivenUp(watch.recorder.mainDocument!)) throw explain(failure, null);
  markIcons(requests, { frames, iconUrls: await listIconUrls(stage.tabId, signal) });
  return {
    version: 1,
    requestedUrl: url,
    ...(untilMark !== undefined && { untilMark }),
    isolation: stage.isolation,
    viewport: await readViewport(stage.tabId),
    // A page that stopped itself is as quiet, and never loads.
    settled: settled && (page.navigation === null || page.navigation.loadEventStart > 0),
    takenEpochMs,
    frames,
    ...describeActivity({
      requests,
      documents,
      frames,
      takenEpochMs,
      silentUrls,
      unassignedUrls: recorder.unassignedUrls,
    }),
  };
}

function explainSilence(
  silence: PageSilence,
  { withinMs, frameCount }: { withinMs: number; frameCount: number },
): VisitFailure {
  switch (silence.kind) {
    case 'probe-error':
      return new VisitFailure(
        'engine-error',
        `The probe of HTTP-AE failed in this page, please report it: ${silence.detail}`,
      );
    case 'refused':
      return new VisitFailure(
        'unsupported-content',
        `The browser shows a page of its own there, or one that no extension may look into: ${silence.detail}`,
      );
    case 'no-answer':
      return silence.isAnswering
        ? new VisitFailure(
            'timeout',
            `The page answers, but shows a dialog, or has more to report than it can within ${withinMs} ms`,
          )
        : explainBusyPage({ withinMs, frameCount, mayShowDialog: true });
    default:
      return assertNever(silence);
  }
}

/** webRequest does not report the size of a decoded body; for the base page, its own entry does, unless a script has put another document in its place, or it has stopped itself: then that has none. */
function describeDocument({ mainDocument, documents }: TabRecorder, { frames }: Snapshot): NetworkRequest | null {
  const page = frames.find((frame) => frame.path.length === 0);
  const { navigation = null } = page ?? {};
  const hasLoaded = documents.length === 1 && navigation !== null && navigation.loadEventStart > 0;
  // A sound or a film is fetched by its player.
  const isPlayed = page?.resources.some(({ name }) => name === navigation?.name) ?? false;
  const decodedBytes = hasLoaded && !isPlayed ? navigation.decodedBodySize : null;
  return mainDocument && { ...mainDocument, decodedBytes };
}

/**
 * Chrome gives a connection that it opened ahead the times of one that was kept, and extensions no other word of connections: the first one of an incognito
 * window is new, of others it is not known. Firefox's times are enough.
 */
function noteConnections(requests: readonly NetworkRequest[], isolation: Isolation): void {
  if (hasContainers()) return;
  const documents = requests.filter((request) => request.isMainDocument && !request.fromCache);
  for (const [index, request] of documents.entries())
    request.isConnectionReused = isolation === 'incognito' && index === 0 ? false : null;
}

/** Browsers call their requests for icons those for images. One that an element of the page made too has an entry that names the element, and stays an image: Firefox has entries of icons too, of `other`. */
export function markIcons(
  requests: readonly NetworkRequest[],
  { frames, iconUrls }: { frames: readonly Pick<FrameSnapshot, 'resources'>[]; iconUrls: readonly string[] },
): void {
  const icons = new Set(iconUrls.map(withoutFragment));
  const named = new Set(
    frames.flatMap(({ resources }) =>
      resources.filter(({ initiatorType }) => initiatorType !== 'other').map(({ name }) => withoutFragment(name)),
    ),
  );
  const firstUrls = new Map(requests.filter(({ hop }) => hop === 0).map(({ id, url }) => [id, withoutFragment(url)]));
  for (const request of requests) {
    const url = firstUrls.get(request.id) ?? '';
    if (['image', 'other', 'icon'].includes(request.type) && icons.has(url))
      request.type = named.has(url) ? 'image' : 'icon';
  }
}
