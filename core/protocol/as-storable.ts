import { formatPath } from '#core/input/describe-issues.ts';
import { VisitOutcomeSchema, type VisitOutcome } from './visit.ts';

const maximumDetail = 4096;
const mostIssues = 10;

/**
 * The outcome itself where a Visit can hold it. What a page does is the page's own choice: of frames, requests and names it can have more than a
 * Snapshot takes. Such a Visit has failed, as any other whose page could not be measured.
 */
export function asStorable(outcome: VisitOutcome): VisitOutcome {
  const { error } = VisitOutcomeSchema.safeParse(outcome);
  if (!error) return outcome;
  const issues = error.issues.slice(0, mostIssues).map(({ path, message }) => `${formatPath(path)}: ${message}`);
  return {
    status: 'failed',
    code: 'engine-error',
    detail: `The page exceeds the limits of a Snapshot: ${issues.join('; ')}`.slice(0, maximumDetail),
    snapshot: null,
  };
}
