import { sleep } from '#core/clock/time.ts';
import { VisitFailure } from '#core/agent/visit-failure.ts';
import type { JourneyLeg, NumberedStep } from '#core/evaluation/journey/journey.ts';
import { hasLedNowhere, isGivenUp } from '#core/metrics/request-outcome.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import type { BrowserPage, PageRecorder } from '../browser-page.ts';
import { describeNavigationFailure } from '../navigation-failure.ts';
import { describeStep, failStep, takeStep } from './take-step.ts';

/** Only this process is asked, not the page. */
const lookAgainAfterMs = 20;

interface LeadOptions {
  signal: AbortSignal;
  /** Called just before the navigation begins. */
  onNavigate: () => void;
}

/** Takes the steps up to the navigation of a leg. Resolves when the page has come. Throws a VisitFailure when none does. */
export async function leadToPage(page: BrowserPage, leg: JourneyLeg, options: LeadOptions): Promise<void> {
  const { signal, onNavigate } = options;
  if (countDocuments(page) > 0) throw strayed('Before its next step, the page loaded another one by itself');
  const navigating = leg.lead.at(-1)!;
  const onAct = () => {
    page.recorder.forget();
    onNavigate();
  };
  for (const step of leg.lead) {
    try {
      await takeStep(step, { page, signal, ...(step === navigating && { onAct }) });
    } catch (error) {
      signal.throwIfAborted();
      throw error instanceof VisitFailure ? error : failStep(step, (error as Error).message);
    }
  }
  if (navigating.step.type !== 'navigate') await awaitDocument(page, { navigating, signal });
}

async function awaitDocument(
  { recorder }: BrowserPage,
  { navigating: { step, number, timeoutMs }, signal }: { navigating: NumberedStep; signal: AbortSignal },
): Promise<void> {
  const endMs = performance.now() + timeoutMs;
  while (true) {
    const document = recorder.mainDocument;
    if (document && hasCome(document, recorder)) return;
    if (document && (document.failure !== null || hasLedNowhere(document))) {
      const failure = describeNavigationFailure(document.failure ?? '', document);
      if (failure.code === 'empty-response' || !isGivenUp(document)) throw failure;
      // The page may go elsewhere before the first answer: another document follows.
      if (performance.now() > endMs) throw strayed(`Step ${describeStep(step, number)} led to no page, as a download`);
    } else if (!document && performance.now() > endMs) {
      throw strayed(
        `Step ${describeStep(step, number)} loaded no page within ${timeoutMs} ms. Remove its assertedEvents if it only changes the page`,
      );
    }
    await sleep(lookAgainAfterMs, signal);
  }
}

/** An answer alone is no page yet: it may be a file, which the browser says later. Of an error status, Firefox shows a page of its own and reports no document. */
function hasCome(
  { responseEpochMs, status, failure }: NetworkRequest,
  { documents }: Pick<PageRecorder, 'documents'>,
): boolean {
  const hasAnswer = failure === null && (responseEpochMs !== null || status !== null) && !isRedirect(status);
  return hasAnswer && (documents.length > 0 || (status !== null && status >= 400));
}

function isRedirect(status: number | null): boolean {
  return status !== null && [301, 302, 303, 307, 308].includes(status);
}

/** How many pages the tab has loaded, or begun to load, since its recorder began. A file to download is none, nor is an answer without content: the page stays. */
export function countDocuments({ recorder }: Pick<BrowserPage, 'recorder'>): number {
  return new Set(
    recorder.requests.filter((request) => request.isMainDocument && !hasLedNowhere(request)).map(({ id }) => id),
  ).size;
}

/** The journey has another number of navigations than its steps name. */
export function strayed(detail: string): VisitFailure {
  return new VisitFailure('journey-strayed', detail);
}
