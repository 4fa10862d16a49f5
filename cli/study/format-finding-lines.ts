import { countFindings, describeCheck } from '#cli/study/format-findings.ts';
import { formatEstimate, formatLimits, verdictWords } from '#cli/study/format-quantity.ts';
import type { JudgedStudy } from '#cli/study/judge-study.ts';
import { showPlainly } from '../plain-text.ts';

/** What of a study was found, for a terminal: closed forms that are broken, then the findings. */
export function formatFindingLines({ findings, closedForms }: JudgedStudy): string {
  const broken = closedForms.flatMap(({ law, checks }) =>
    checks
      .filter(({ verdict }) => verdict === 'broken')
      .map(
        (check) =>
          `IMPLAUSIBLE, ${check.part}: ${law}. ${describeCheck(check, [check])}: ${formatEstimate(check.quantity, check.estimate)}, expected ${formatLimits(check.quantity, check.limits)}`,
      ),
  );
  const lines = findings.flatMap(({ claim, source, checks, verdict }) => [
    `${verdictWords[verdict].toUpperCase()}: ${claim} (${source})`,
    ...checks.map(
      (check) =>
        `  ${check.part}: ${describeCheck(check, [check])}: ${formatEstimate(check.quantity, check.estimate, check.verdict)}, expected ${formatLimits(check.quantity, check.limits)}`,
    ),
  ]);
  return [...broken, ...lines, countFindings(findings)].map(showPlainly).join('\n');
}
