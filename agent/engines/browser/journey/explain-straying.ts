import type { DocumentFailure } from '#core/metrics/read-document-failure.ts';
import { withoutFragment } from '#core/metrics/page-object.ts';
import type { JourneyLeg } from '#core/evaluation/journey/journey.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { describeStep } from './take-step.ts';

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
