import { showConfidence } from '../../core/comparison/findings/finding-words.ts';
import { showPlainly } from '../plain-text.ts';
import { describeQuantity, formatEstimate, formatLimits, studyVerdicts, verdictWords } from './format-quantity.ts';
import type { JudgedCheck, JudgedClosedForm, JudgedExpectation, JudgedStudy } from './judge-study.ts';
import type { MeasuredVisit, Measurements } from './study-measurements.ts';
import type { Study } from '../../core/study/study-definition.ts';

/** Fewer counted Rounds than the papers had: intervals are wide, and t intervals rest on their shape. */
const fewestRounds = 10;

/** From here on, a median pressure says that programs waited for a CPU. */
const busyPressureRatio = 0.2;

const sentenceCount = 4;

const formWords: Record<JudgedClosedForm['checks'][number]['verdict'], string> = {
  holds: 'holds',
  broken: 'broken',
  'not-measured': 'not measured',
};

export interface FindingsOptions {
  /** By part, of those that were measured. */
  runs: ReadonlyMap<string, Measurements>;
  /** What else limits this measurement. */
  threats: readonly string[];
  figures: readonly StudyFigure[];
  /** How it was measured. */
  command: string;
}

/** What was found, in Markdown: in sentences, what limits it, as tables with numbers, and as figures. */
export function formatFindings(study: Study, judged: JudgedStudy, options: FindingsOptions): string {
  const { findings, closedForms } = judged;
  const lines = [
    `# ${study.title}`,
    '',
    study.summary,
    '',
    ...writeSentences(judged).flatMap((sentence) => [`- ${sentence}`]),
    '',
    '## What limits this',
    '',
    ...[...study.threats, ...options.threats, ...listThreats(study, options)].map((threat) => `- ${threat}`),
    `- A finding is confirmed only if the ${nameConfidence(options)}interval of each of its quantities is wholly as expected. It is contradicted if one is wholly otherwise, by intervals that hold for all its quantities together (Bonferroni).`,
    '',
    '## Findings',
    '',
    '| the paper says | measured here, with interval | n | expected | finding |',
    '|---|---|---|---|---|',
    ...findings.flatMap(formatRows),
    '',
    '## Closed forms',
    '',
    'What physics says of these Runs. A Run that breaks one is implausible, and no finding of it has a verdict.',
    '',
    '| what must hold | measured here | limits | verdict |',
    '|---|---|---|---|',
    ...closedForms.flatMap(formatForm),
    '',
    '## Measured',
    '',
    `By \`${options.command}\`.`,
    '',
    '| part | on | version | machine | browser | CPU busy | waited for a CPU | Rounds |',
    '|---|---|---|---|---|---|---|---|',
    ...[...options.runs].map(formatConditions),
    '',
    ...formatFigures(options.figures),
  ];
  return lines.join('\n');
}

/** The counts, and the first findings one by one: a study lists what matters first. */
function writeSentences({ findings, closedForms }: JudgedStudy): string[] {
  const checks = closedForms.flatMap((form) => form.checks);
  const broken = [...new Set(checks.filter(({ verdict }) => verdict === 'broken').map(({ part }) => part))];
  const physics =
    broken.length > 0
      ? `Implausible, as a closed form is broken: ${broken.join(', ')}.`
      : `${checks.filter(({ verdict }) => verdict === 'holds').length} of ${checks.length} checks of closed forms hold${checks.every(({ verdict }) => verdict === 'holds') ? '' : ', the others were not measured'}.`;
  return [
    `${findings.length} findings: ${countFindings(findings)}. ${physics}`,
    ...findings.slice(0, sentenceCount).map(({ claim, verdict, checks: own }) => {
      const said = own.find((check) => check.verdict === verdict) ?? own[0]!;
      return `**${capitalise(verdictWords[verdict])}**: ${claim}. ${describeCheck(said, own)}: ${formatEstimate(said.quantity, said.estimate, said.verdict)}.`;
    }),
  ];
}

function capitalise(word: string): string {
  return `${word[0]!.toUpperCase()}${word.slice(1)}`;
}

/** What the numbers of the parts themselves say against them. */
function listThreats({ parts }: Study, { runs }: FindingsOptions): string[] {
  const unmeasured = parts.map(({ name }) => name).filter((name) => !runs.has(name));
  const where = (isSo: (run: Measurements) => boolean) =>
    [...runs].filter(([, run]) => isSo(run)).map(([part]) => part);
  const few = where((run) => countRounds(run) < fewestRounds);
  const busy = where(({ conditions }) => (conditions.cpuPressureRatio ?? 0) >= busyPressureRatio);
  const dropping = where(hasDrops);
  const versions = new Set([...runs.values()].map(({ conditions }) => conditions.httpAeVersion));
  return [
    ...(unmeasured.length > 0 ? [`Not measured: ${unmeasured.join(', ')}.`] : []),
    ...(few.length > 0 ? [`Fewer than ${fewestRounds} counted Rounds of each Scenario: ${few.join(', ')}.`] : []),
    ...[...runs].flatMap(([part, run]) => describeLost(part, run)),
    ...(busy.length > 0 ? [`The machine was busy, and programs waited for a CPU: ${busy.join(', ')}.`] : []),
    ...(dropping.length > 0
      ? [`Captures dropped packets, so that counts of packets and bytes may be too low: ${dropping.join(', ')}.`]
      : []),
    ...(versions.size > 1 ? ['The parts were measured by different versions.'] : []),
  ];
}

/** `95 % `; nothing without a Run. */
function nameConfidence({ runs }: FindingsOptions): string {
  return [...new Set([...runs.values()].map(({ confidence }) => `${showConfidence(confidence)} `))].join('or ');
}

/** Whether a Capture that counts took fewer packets than there were. */
function hasDrops({ traffic, points }: Measurements): boolean {
  return (
    traffic.some((round) => round.hasDrops) ||
    points.some(({ captured }) => captured.kind === 'counted' && captured.counts.hasDrops)
  );
}

/** The Visits that failed, or lost objects where these are left out. */
function describeLost(part: string, { visits }: Measurements): string[] {
  const lost = visits.filter((visit) => !hasValues(visit));
  if (lost.length === 0) return [];
  const byScenario = [...Map.groupBy(lost, ({ scenario }) => scenario)].map(
    ([scenario, own]) => `${own.length} with ${scenario}`,
  );
  return [`Visits failed and are left out, in ${part} ${lost.length} of ${visits.length}: ${byScenario.join(', ')}.`];
}

function hasValues({ values }: MeasuredVisit): boolean {
  return Object.keys(values).length > 0;
}

/** Of the Scenario that has the fewest. */
function countRounds({ visits }: Measurements): number {
  const byScenario = [...Map.groupBy(visits, ({ scenario }) => scenario).values()];
  const counts = byScenario.map((own) => new Set(own.filter(hasValues).map(({ block }) => block)).size);
  return counts.length === 0 ? 0 : Math.min(...counts);
}

function formatConditions([part, run]: [string, Measurements]): string {
  const { startedAt, httpAeVersion, machines, browsers, busyRatio, cpuPressureRatio } = run.conditions;
  const percent = (ratio: number | null) => (ratio === null ? 'not known' : `${Math.round(ratio * 100)} %`);
  const cells = [startedAt.slice(0, 10), httpAeVersion, machines.join('; '), browsers.join('; ')];
  return formatRow([part, ...cells, percent(busyRatio), percent(cpuPressureRatio), String(countRounds(run))]);
}

/** Each part by a heading, each figure as a picture with its caption and a link to its numbers. */
function formatFigures(figures: readonly StudyFigure[]): string[] {
  return [...Map.groupBy(figures, ({ part }) => part)].flatMap(([part, own]) => [
    `## ${part}`,
    '',
    ...own.flatMap(({ title, file, caption }) => [
      `![${title.replaceAll(/[[\]\\]/g, '\\$&')}](${encodeURI(file)}.svg)`,
      '',
      `${caption === '' ? '' : `${caption} `}[Its numbers as CSV](${encodeURI(file)}.csv)`,
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
function formatRows({ claim, source, remark, otherConditions, checks, verdict }: JudgedExpectation): string[] {
  const says = [`${claim}.`, `Source: ${source}.`, otherConditions, remark]
    .filter((text) => text !== undefined)
    .join(' ');
  const joint = `**${verdictWords[verdict]}**`;
  if (checks.length === 1) return [formatRow([says, ...formatMeasured(checks[0]!, checks), joint])];
  return [
    formatRow([says, '', '', '', joint]),
    ...checks.map((check) => formatRow(['', ...formatMeasured(check, checks), verdictWords[check.verdict]])),
  ];
}

function formatMeasured(check: JudgedCheck, all: readonly JudgedCheck[]): string[] {
  const { quantity, estimate, verdict, limits } = check;
  return [
    `${describeCheck(check, all)}: ${formatEstimate(quantity, estimate, verdict)}`,
    estimate === null ? '' : String(estimate.blocks),
    formatLimits(quantity, limits),
  ];
}

function formatForm({ law, checks }: JudgedClosedForm): string[] {
  return checks.map((check, index) =>
    formatRow([
      index === 0 ? `${capitalise(law)}.` : '',
      `${describeCheck(check, checks)}: ${formatEstimate(check.quantity, check.estimate)}`,
      formatLimits(check.quantity, check.limits),
      formWords[check.verdict],
    ]),
  );
}

/** The quantity, with its page and, where there are several, its part. */
export function describeCheck(
  { quantity, page, part }: Omit<JudgedCheck, 'verdict'>,
  all: readonly Pick<JudgedCheck, 'part'>[],
): string {
  const hasParts = new Set(all.map((each) => each.part)).size > 1;
  return [describeQuantity(quantity), ...(page === null ? [] : [page]), ...(hasParts ? [part] : [])].join(', ');
}

function formatRow(cells: readonly string[]): string {
  return `| ${cells.map(escapeCell).join(' | ')} |`;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;');
}

/** A figure that was drawn: its files are `FILE.svg` and `FILE.csv`, beside the table of findings. `part` is the heading that it is under. */
export interface StudyFigure {
  part: string;
  title: string;
  file: string;
  caption: string;
}

/** What of a study was found, for a terminal: closed forms that are broken, then the findings. */
export function formatFindingLines({ findings, closedForms }: JudgedStudy): string {
  const state = (check: JudgedCheck | JudgedClosedForm['checks'][number], verdict?: JudgedCheck['verdict']) =>
    `${describeCheck(check, [check])}: ${formatEstimate(check.quantity, check.estimate, verdict)}, expected ${formatLimits(check.quantity, check.limits)}`;
  const broken = closedForms.flatMap(({ law, checks }) =>
    checks
      .filter(({ verdict }) => verdict === 'broken')
      .map((check) => `IMPLAUSIBLE, ${check.part}: ${law}. ${state(check)}`),
  );
  const lines = findings.flatMap(({ claim, source, checks, verdict }) => [
    `${verdictWords[verdict].toUpperCase()}: ${claim} (${source})`,
    ...checks.map((check) => `  ${check.part}: ${state(check, check.verdict)}`),
  ]);
  return [...broken, ...lines, countFindings(findings)].map(showPlainly).join('\n');
}
