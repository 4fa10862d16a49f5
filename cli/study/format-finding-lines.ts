import { describeQuantity } from '#cli/study/describe-quantity.ts';
import { countFindings } from '#cli/study/format-findings.ts';
import { formatBound, formatEstimate, verdictWords } from '#cli/study/format-quantity.ts';
import type { JudgedExpectation } from '#cli/study/judge-study.ts';
import { showPlainly } from '../plain-text.ts';

/** The findings of a study, for a terminal. */
export function formatFindingLines(findings: readonly JudgedExpectation[]): string {
  const lines = findings.flatMap(({ claim, source, checks, verdict }) => [
    `${verdictWords[verdict].toUpperCase()}: ${claim} (${source})`,
    ...checks.map(
      ({ part, quantity, bound, estimate, verdict: own }) =>
        `  ${part}: ${describeQuantity(quantity)}: ${formatEstimate(quantity, estimate, own)}, expected ${formatBound(quantity, bound)}`,
    ),
  ]);
  return [...lines, countFindings(findings)].map(showPlainly).join('\n');
}
