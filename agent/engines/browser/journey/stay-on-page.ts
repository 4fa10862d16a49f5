import { sleep } from '#core/clock/time.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import { waitUntilSettled } from '#core/agent/wait-until-settled.ts';
import type { JourneyLeg, NumberedStep } from '#core/evaluation/journey/journey.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { FrameSnapshotSchema } from '#core/metrics/frame-snapshot.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { unlessAborted } from '#core/waiting.ts';
import type { BrowserPage, PageRecorder } from '../browser-page.ts';
import { countDocuments, strayed } from './lead-to-page.ts';
import { describeStep, failStep, takeStep } from './take-step.ts';

/** How long the page may take to say what came of its steps: longer only when a script of it never ends. */
const answerWithinMs = 10_000;

const StepReportSchema = FrameSnapshotSchema.pick({ interactions: true, interactionCount: true, userTimings: true });

interface StayOptions {
  leg: JourneyLeg;
  /** Of the page as it had settled. */
  snapshot: Snapshot;
  pageLoad: Pick<PageLoad, 'timeoutMs' | 'quietMs'>;
}

/** Takes the steps on a page that was measured, and adds what came of them to its Snapshot. Throws a VisitFailure, with the Snapshot, where a step fails. */
export async function stayOnPage(page: BrowserPage, { leg, snapshot, pageLoad }: StayOptions): Promise<Snapshot> {
  if (leg.steps.length === 0) {
    page.recorder.forget();
    return snapshot;
  }
  const cap = new AbortController();
  const silence = new AbortController();
  let silent: NodeJS.Timeout | undefined;
  const timer = setTimeout(() => cap.abort(), pageLoad.timeoutMs);
  const documents = countDocuments(page);
  let taken = leg.steps[0]!;
  const documentCount = page.recorder.documents.length;
  const requireSamePage = () => {
    if (countDocuments(page) > documents) throw strayedAt(taken);
  };
  try {
    const signal = AbortSignal.any([page.lost, cap.signal]);
    for (taken of leg.steps) {
      await takeStep(taken, { page, signal });
      await untilStaying(page.recorder, { documentCount, signal });
      requireSamePage();
    }
    await settleAgain(page, { quietMs: pageLoad.quietMs, signal });
    requireSamePage();
    silent = setTimeout(
      () => silence.abort(failStep(taken, `the page did not answer for ${answerWithinMs} ms after it`)),
      answerWithinMs,
    );
    const answering = AbortSignal.any([page.lost, silence.signal]);
    const report = StepReportSchema.parse(await page.ask('httpAeProbe.journey.report()', answering));
    requireSamePage();
    page.recorder.forget();
    return {
      ...snapshot,
      frames: snapshot.frames.map((frame) => (frame.path.length > 0 ? frame : { ...frame, ...report })),
    };
  } catch (error) {
    page.lost.throwIfAborted();
    const { code, message } = explain(error, {
      taken,
      isOverdue: cap.signal.aborted,
      hasStrayed: countDocuments(page) > documents,
    });
    throw new VisitFailure(code, message, snapshot);
  } finally {
    clearTimeout(timer);
    clearTimeout(silent);
  }
}

/** A navigation that a step began may give a file, or nothing: then the page stays, and so does its user. Another document decides it too, of a page that leads itself on without end. */
async function untilStaying(
  recorder: PageRecorder,
  { documentCount, signal }: { documentCount: number; signal: AbortSignal },
): Promise<void> {
  while (recorder.isNavigating && recorder.documents.length === documentCount)
    await unlessAborted(recorder.nextActivity, signal);
}

/** What a step began may not fall into the next Visit. A page that does not settle has had its time. */
async function settleAgain(
  page: BrowserPage,
  { quietMs, signal }: { quietMs: number; signal: AbortSignal },
): Promise<void> {
  try {
    // The page was quiet before the last step, and what that began is reported a moment later.
    await sleep(quietMs, signal);
    await waitUntilSettled({
      recorder: page.recorder,
      quietMs,
      isIdle: () => page.areFramesIdle(signal),
      sleep,
      signal,
    });
  } catch (error) {
    if (!signal.aborted) throw error;
    page.lost.throwIfAborted();
  }
}

/** A page that goes away takes with it what was asked of it. */
function explain(
  error: unknown,
  { taken, isOverdue, hasStrayed }: { taken: NumberedStep; isOverdue: boolean; hasStrayed: boolean },
): VisitFailure {
  if (hasStrayed) return strayedAt(taken);
  if (error instanceof VisitFailure) return error;
  return failStep(taken, isOverdue ? 'the steps on this page took longer than timeoutMs' : (error as Error).message);
}

function strayedAt({ step, number }: NumberedStep): VisitFailure {
  return strayed(
    `Step ${describeStep(step, number)} loaded another page: add assertedEvents: [{ type: navigation }] to it`,
  );
}
