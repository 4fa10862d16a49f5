import { answerWithinMs } from '#core/agent/frame-answers.ts';
import { explainLeaving, requireOnePage } from '#core/agent/page-activity/require-one-page.ts';
import type { FrameSnapshot } from '#core/metrics/frame-snapshot.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { unlessAborted } from '#core/waiting.ts';
import type { EngineLog } from '../engine.ts';
import type { BrowserPage } from './browser-page.ts';
import { explainSilence, type CollectedFrames } from './collected-frames.ts';

interface ReadOutOptions {
  /** How long a page that answers may take to report all that it has. */
  timeoutMs: number;
  /** When its requests were taken, just before. */
  takenEpochMs: number;
  log?: EngineLog | undefined;
}

interface ReadFrames {
  frames: FrameSnapshot[];
  /** The addresses of the frames within the page that are there, and have no report. */
  silentUrls: string[];
}

/** The reports of all frames that answer. Throws a VisitFailure that says what happened where the page itself has none, or is lost. */
export async function readOut(
  page: BrowserPage,
  { timeoutMs, takenEpochMs, log }: ReadOutOptions,
): Promise<ReadFrames> {
  const documentCount = page.recorder.documents.length;
  const withinMs = Math.max(answerWithinMs, timeoutMs);
  const silent = new AbortController();
  const asking = AbortSignal.any([page.lost, page.recorder.excess, silent.signal]);
  // The page is asked for something that takes no time, beside its report, which may take long.
  const answering = isAnsweringWithin(page, asking).then((isAnswering) => {
    if (!isAnswering) silent.abort();
    return isAnswering;
  });
  const collected = await page.collectFrames(AbortSignal.any([asking, AbortSignal.timeout(withinMs)]));
  page.lost.throwIfAborted();
  page.recorder.excess.throwIfAborted();
  logFaults(collected, log);
  const excess = collected.silences.find(({ silence }) => silence.kind === 'too-large')?.silence;
  if (excess?.kind === 'too-large') throw new VisitFailure('too-large', excess.detail);
  requireOnePage(page.recorder, { documentCount, frames: collected.frames, takenEpochMs });
  if (collected.frames.some(({ path }) => path.length === 0)) {
    silent.abort();
    // A frame that went away is no part of the page any more.
    const there = collected.silences.filter(({ silence }) => silence.kind !== 'gone');
    return { frames: collected.frames, silentUrls: there.map(({ url }) => url) };
  }
  const isAnswering = await answering;
  if (!isAnswering && page.recorder.isNavigating) throw explainLeaving(page.recorder);
  throw explainSilence(collected.silences.find(({ isPage }) => isPage)?.silence, {
    withinMs: isAnswering ? withinMs : answerWithinMs,
    isAnswering,
    frameCount: page.recorder.frameCount,
    shownUrl: isAnswering ? await readShownUrl(page) : null,
  });
}

/** Only a page that runs a script has no answer, or one that is about to leave; one that is being replaced has at least an error. */
async function isAnsweringWithin(page: BrowserPage, signal: AbortSignal): Promise<boolean> {
  const timeout = AbortSignal.timeout(answerWithinMs);
  try {
    await unlessAborted(page.ask('1', signal), AbortSignal.any([signal, timeout]));
    return true;
  } catch {
    return !timeout.aborted;
  }
}

function logFaults({ silences }: CollectedFrames, log: EngineLog | undefined): void {
  for (const { silence } of silences)
    if (silence.kind === 'probe-error') log?.warn(`The probe failed in a frame, please report it: ${silence.detail}`);
}

async function readShownUrl(page: BrowserPage): Promise<string | null> {
  try {
    const url = await page.ask('location.href', AbortSignal.timeout(answerWithinMs));
    return typeof url === 'string' ? url : null;
  } catch {
    return null; // a document that is being replaced has none
  }
}
