import { describeQuantity } from './describe-quantity.ts';
import { formatBound, formatEstimate, studyVerdicts, verdictWords } from './format-quantity.ts';
import type { JudgedCheck, JudgedExpectation } from './judge-study.ts';
import type { Study } from '../../core/study/study-definition.ts';

/** What was found, as a table in Markdown, and the figures. `remarks` are sentences on how it was measured. */
export function formatFindings(
  study: Study,
  findings: readonly JudgedExpectation[],
  { remarks, figures }: { remarks: readonly string[]; figures: readonly StudyFigure[] },
): string {
  const lines = [
    `# ${study.title}`,
    '',
    study.summary,
    '',
    ...remarks.map((remark) => `- ${remark}`),
    '- A finding is confirmed only if the interval of each of its quantities is wholly as expected. It is contradicted if one is wholly otherwise.',
    '',
    countFindings(findings),
    '',
    '| the paper says | measured here, with interval | expected | finding |',
    '|---|---|---|---|',
    ...findings.flatMap(formatRows),
    '',
    ...formatFigures(figures),
  ];
  return lines.join('\n');
}

/** Each part by a heading, each figure as a picture with a link to its numbers. */
function formatFigures(figures: readonly StudyFigure[]): string[] {
  return [...Map.groupBy(figures, ({ part }) => part)].flatMap(([part, own]) => [
    `## ${part}`,
    '',
    ...own.flatMap(({ title, file }) => [
      `![${title.replaceAll(/[[\]\\]/g, '\\$&')}](${encodeURI(file)}.svg)`,
      '',
      `[Its numbers as CSV](${encodeURI(file)}.csv)`,
      '',
    ]),
  ]);
}

/** `3 confirmed, 1 not confirmed`. */
export function countFindings(findings: readonly JudgedExpectation[]): string {
  return studyVerdicts
    .flatMap((verdict) => {
      const count = findings.filter((finding) => finding.verdict === verdict).length;
      return count === 0 ? [] : [`${count} ${verdictWords[verdict]}`];
    })
    .join(', ');
}

/** A row for the claim, and one more for each quantity where there are several. */
function formatRows({ claim, source, remark, checks, verdict }: JudgedExpectation): string[] {
  const parts = new Set(checks.map(({ part }) => part));
  const says = [`${claim}.`, `Source: ${source}.`, ...(remark === undefined ? [] : [remark])].join(' ');
  const measured = (check: JudgedCheck) => [
    `${describeQuantity(check.quantity)}${parts.size > 1 ? `, ${check.part}` : ''}: ${formatEstimate(check.quantity, check.estimate, check.verdict)}`,
    formatBound(check.quantity, check.bound),
  ];
  const joint = `**${verdictWords[verdict]}**`;
  if (checks.length === 1) return [formatRow([says, ...measured(checks[0]!), joint])];
  return [
    formatRow([says, '', '', joint]),
    ...checks.map((check) => formatRow(['', ...measured(check), verdictWords[check.verdict]])),
  ];
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(' | ')} |`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;');
}

/** A figure of a part that was drawn: its files are `FILE.svg` and `FILE.csv`, beside the table of findings. */
export interface StudyFigure {
  part: string;
  title: string;
  file: string;
}
