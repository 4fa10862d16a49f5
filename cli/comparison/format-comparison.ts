import { fewDecimals } from '#core/statistics/reads-as-zero.ts';
import { styleText } from 'node:util';
import { httpepFigures, type HttpepComparison } from '#core/comparison/network/compare-httpep.ts';
import { pointFigures, type PointComparison } from '#core/comparison/network/compare-points.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { leastErrorMs } from '#core/protocol/start-skew.ts';
import { describeEnding } from '#core/record/describe-ending.ts';
import { groupOf, isBaseline, partByGroup } from '#core/comparison/compared-group.ts';
import type {
  Comparison,
  MetricComparison,
  BandwidthComparison,
  Estimate,
  SkewSummary,
} from '#core/comparison/comparison.ts';
import { showConfidence } from '#core/comparison/findings/finding-words.ts';
import { countChecks, listChecks } from '#core/comparison/checks/list-checks.ts';
import { quantity, type Report } from '#core/comparison/checks/check.ts';
import { showPlainly } from '../plain-text.ts';
import { absent, formatEstimate, formatFailedObjects, showReduction, formatMean } from './format-figures.ts';
import { formatCauses, formatHarm } from './format-causes.ts';
import { formatTable } from './format-table.ts';
import type { CountedFigure, CountedUnit, CountedValue } from '#core/comparison/counted/counted-value.ts';

/** More would not fit beside each other in a terminal. */
const mostShares = 8;
/** Likewise. */
const mostReductions = 3;

const index = { factor: 1, digits: 3 };

interface CountedScenario<Figure extends string> {
  scenario: string;
  roundsCounted: number;
  figures: Record<Figure, CountedValue>;
}

/** Behind the label of a figure; bytes and counts need none. */
const suffixes: Record<CountedUnit, string> = { count: '', bytes: '', share: ', %', ms: ', ms', score: '' };

const shortLabels = { baseMs: 'Base page', viewportMs: 'Viewport', totalMs: 'Total' } as const;

/** What checks read beside the report; left out where there is no Controller to ask. */
export type CheckedBesides = Pick<Report, 'method' | 'wire'>;

/** The Evaluation Comparison for a terminal: the findings, the Scenarios, the URLs, and what the figures rest on. */
export function formatComparison(
  comparison: Comparison,
  { isColoured, method = null, wire = null }: { isColoured: boolean } & Partial<CheckedBesides>,
): string {
  const bold = (text: string) => (isColoured ? styleText('bold', text, { validateStream: false }) : text);
  const dim = (text: string) => (isColoured ? styleText('dim', text, { validateStream: false }) : text);
  const primary = comparison.metrics.find(({ metric }) => metric === comparison.primaryMetric)!;
  const [scenarioHead, ...scenarioRows] = formatTable(listScenarios(comparison, primary));

  return [
    bold(showPlainly(comparison.evaluationName)),
    '',
    ...comparison.findings.map(showPlainly),
    ...comparison.remarks.map(({ text }) => showPlainly(text)),
    describeChecks({ comparison, method, wire }),
    ...formatCauses(comparison, { bold, dim }),
    '',
    dim(scenarioHead!),
    ...scenarioRows,
    '',
    ...describeUrls(comparison, primary, { bold, dim }),
    ...describeBandwidth(comparison, bold),
    ...formatHarm(comparison, bold),
    ...describePoints(comparison, { bold, dim }),
    ...describeHttpep(comparison, { bold, dim }),
    ...describeBasis(comparison).map(dim),
  ].join('\n');
}

function describeChecks(report: Report): string {
  const checks = listChecks(report);
  const { passed, of } = countChecks(checks);
  const failed = checks
    .filter(({ state }) => state === 'failed')
    .map(({ label, touchesReduction }) => `${label}${touchesReduction ? ' (touches the reduction)' : ''}`);
  return `${passed} of ${of} checks passed.${failed.length === 0 ? '' : ` Failed: ${failed.join(', ')}.`}`;
}

function describeBandwidth({ bandwidth, userAgents }: Comparison, bold: (text: string) => string): string[] {
  return bandwidth.kind === 'absent'
    ? []
    : [bold('Bandwidth share and fairness'), ...formatTable(listBandwidth(bandwidth, userAgents)), ''];
}

function describePoints(
  comparison: Comparison,
  { bold, dim }: Record<'bold' | 'dim', (text: string) => string>,
): string[] {
  return (comparison.capturePoints ?? []).flatMap((each) => {
    const [head, ...rows] = formatTable(listPoint(each, comparison));
    return [bold(`At ${showPlainly(each.point)}, per Round (× baseline)`), dim(head!), ...rows, ''];
  });
}

function describeHttpep(
  comparison: Comparison,
  { bold, dim }: Record<'bold' | 'dim', (text: string) => string>,
): string[] {
  if (!comparison.httpep) return [];
  const [head, ...rows] = formatTable(listHttpep(comparison.httpep, comparison));
  return [bold('HTTPEP, bytes and counts per Round'), dim(head!), ...rows, ''];
}

function listScenarios(comparison: Comparison, primary: MetricComparison): string[][] {
  const latencies = comparison.metrics.map(({ metric }) => `${shortLabels[metric]}, ms`);
  const { groups } = comparison;
  const head = [
    ...(groups ? ['Group'] : []),
    'Scenario',
    ...latencies,
    `Reduction of ${shortLabels[primary.metric].toLowerCase()}`,
    'of arithmetic means',
    'Visits',
    'Failed',
    'Failed objects',
  ];
  const inOrder = partByGroup(groups, primary.scenarios, ({ scenario }) => scenario).flatMap(({ items }) => items);
  const rows = inOrder.map(({ scenario, isBaseline, reduction, meanReduction, contrast, visits, failedVisits }) => [
    ...(groups ? [showPlainly(groupOf(groups, scenario)?.name ?? absent)] : []),
    showPlainly(isBaseline ? `${scenario} (baseline)` : scenario),
    ...comparison.metrics.map(({ scenarios }) =>
      formatEstimate(scenarios.find((other) => other.scenario === scenario)?.estimate ?? null),
    ),
    isBaseline ? '' : showReduction(reduction, contrast?.verdict),
    isBaseline ? '' : showReduction(meanReduction, contrast?.verdict),
    String(visits),
    String(failedVisits),
    formatFailedObjects(comparison.failedObjects.scenarios.find((other) => other.scenario === scenario)),
  ]);
  return [head, ...rows];
}

/** A table of URLs or, where Scenarios have groups, one for each group, so that a line has a few figures. */
function describeUrls(
  comparison: Comparison,
  primary: MetricComparison,
  { bold, dim }: Record<'bold' | 'dim', (text: string) => string>,
): string[] {
  const label = nameLatency(primary.metric, comparison.countedFrom);
  return partByGroup(comparison.groups, comparison.scenarios, (name) => name).flatMap(({ group, items }) => {
    const [head, ...rows] = formatTable(listUrls(comparison, primary, items));
    return [bold(`${label} in ms, by URL${group ? `: ${showPlainly(group.name)}` : ''}`), dim(head!), ...rows, ''];
  });
}

function listUrls(comparison: Comparison, primary: MetricComparison, scenarios: readonly string[]): string[][] {
  const pooled = primary.cells.filter(({ userAgent }) => userAgent === null);
  const labels = new Map(pooled.map(({ url, label }) => [url, label]));
  const cellOf = (url: string, scenario: string) =>
    pooled.find((cell) => cell.url === url && cell.scenario === scenario);
  const reduced = scenarios.filter((name) => pooled.some(({ scenario, reduction }) => scenario === name && reduction));
  const shown = reduced.length <= mostReductions ? reduced : [];
  const rows = [...labels].map(([url, label]) => [
    showPlainly(label),
    ...scenarios.map((scenario) => formatEstimate(cellOf(url, scenario)?.estimate ?? null)),
    ...shown.map((scenario) => showReduction(cellOf(url, scenario)?.reduction ?? null)),
  ]);
  const nameOf = (name: string) =>
    showPlainly(comparison.groups && isBaseline(comparison, name) ? `${name} (baseline)` : name);
  const reductionOf = (name: string) => (shown.length === 1 ? 'Reduction' : `Reduction: ${showPlainly(name)}`);
  return [['URL', ...scenarios.map(nameOf), ...shown.map(reductionOf)], ...rows];
}

function formatSkew({ largestMs, errorMs }: SkewSummary): string {
  return `${formatMean(largestMs, errorMs === null ? null : Math.max(leastErrorMs, errorMs), 1)} ms`;
}

function describeBasis(comparison: Comparison): string[] {
  const {
    runId,
    runState,
    seed,
    roundsCounted,
    roundsBroken,
    warmUpRounds,
    unsettledVisits,
    hiddenVisits,
    startSkew,
    firstRequestSkew,
    firstPacketSkew,
    pageSkew,
    userAgents,
    ending,
  } = comparison;
  const exclusions = comparison.exclusions.filter(({ reversal }) => reversal === null);
  const skews = [
    ...(firstRequestSkew === null ? [] : [`largest skew of first requests ${formatSkew(firstRequestSkew)}`]),
    ...(userAgents.length < 2
      ? []
      : [startSkew === null ? 'start skew unknown' : `largest skew of orders ${formatSkew(startSkew)}`]),
    ...(pageSkew ? [`largest skew of later pages ${formatSkew(pageSkew)}`] : []),
    ...(firstPacketSkew === null ? [] : [`largest skew of first packets ${formatSkew(firstPacketSkew)}`]),
  ];
  return [
    `Run ${runId} (${runState}, seed ${seed}): ${quantity(roundsCounted, 'Round')} counted, ${roundsBroken} broken, ${warmUpRounds} warm-up left out${skews.length === 0 ? '' : `; ${skews.join(', ')}`}.`,
    `${quantity(unsettledVisits, 'Visit')} did not settle, ${hiddenVisits} ${hiddenVisits === 1 ? 'was' : 'were'} hidden. User Agents: ${userAgents.map(showPlainly).join(', ')}.`,
    ...(ending ? [describeEnding(ending)] : []),
    ...(exclusions.length > 0
      ? [
          `${quantity(exclusions.length, 'Visit')} ${exclusions.length === 1 ? 'was' : 'were'} excluded: ${[...new Set(exclusions.map(({ reason, excludedBy }) => `${showPlainly(reason)} (${showPlainly(excludedBy)})`))].join('; ')}.`,
        ]
      : []),
    ...(comparison.countedFrom === 'first-request'
      ? ['Latencies are counted from the first request, not from navigation start.']
      : []),
    `Mean ± half-width of the ${showConfidence(comparison.confidence)} interval over Rounds; ${absent}: not measured.`,
  ];
}

/** What HTTPEP counted per Round, as rows of a table. */
export function listHttpep(
  { scenarios }: HttpepComparison,
  compared: Pick<Comparison, 'baseline' | 'groups'>,
): string[][] {
  return listCounted(scenarios, { catalogue: httpepFigures, compared });
}

/** What crossed a Capture Point per Round, as rows of a table. */
export function listPoint(
  { scenarios }: PointComparison,
  compared: Pick<Comparison, 'baseline' | 'groups'>,
): string[][] {
  return listCounted(scenarios, { catalogue: pointFigures, compared });
}

/** What was counted per Round, Scenario by Scenario, as rows of a table; the first is its head. Each mean has the ratio to the baseline behind it. */
function listCounted<Figure extends string>(
  scenarios: readonly CountedScenario<Figure>[],
  {
    catalogue,
    compared,
  }: { catalogue: Readonly<Record<Figure, CountedFigure>>; compared: Pick<Comparison, 'baseline' | 'groups'> },
): string[][] {
  const figures = Object.entries(catalogue) as [Figure, CountedFigure][];
  const head = ['Scenario', ...figures.map(([, { label, unit }]) => label + suffixes[unit]), 'Rounds'];
  const inOrder = partByGroup(compared.groups, scenarios, ({ scenario }) => scenario).flatMap(({ items }) => items);
  const rows = inOrder.map((each) => [
    showPlainly(isBaseline(compared, each.scenario) ? `${each.scenario} (baseline)` : each.scenario),
    ...figures.map(([id, { unit }]) => formatValue(each.figures[id], unit)),
    String(each.roundsCounted),
  ]);
  return [head, ...rows];
}

function formatValue(value: CountedValue, unit: CountedUnit): string {
  if (value.kind === 'absent') return absent;
  const factor = unit === 'share' ? 100 : 1;
  const { mean, halfWidth } = value.estimate;
  const digits = fewDecimals(mean * factor);
  const ratio = value.contrast?.ratio ? ` (×${showRatio(value.contrast.ratio.value)})` : '';
  return `${formatMean(mean * factor, halfWidth && halfWidth * factor, digits)}${ratio}`;
}

/** Two decimals, and of a small ratio two digits that say how small: 0.0031. */
function showRatio(ratio: number): string {
  return ratio === 0 || ratio >= 0.1 ? ratio.toFixed(2) : String(Number(ratio.toPrecision(2)));
}

/** How the User Agents shared the way to them, Scenario by Scenario, as rows of a table; the first is its head. Of many User Agents no shares. */
export function listBandwidth(
  bandwidth: Extract<BandwidthComparison, { kind: 'measured' }>,
  userAgents: readonly string[],
): string[][] {
  const shown = userAgents.length <= mostShares ? userAgents : [];
  const hasWeights = bandwidth.scenarios.some(({ weightedFairness }) => weightedFairness !== null);
  const head = [
    'Scenario',
    ...shown.map((name) => `${showPlainly(name)}, %`),
    'Fairness',
    ...(hasWeights ? ['by class weight'] : []),
    'Least to most',
    'Rounds',
  ];
  const rows = bandwidth.scenarios.map(
    ({ scenario, shares, fairness, weightedFairness, leastToMost, roundsCounted }) => [
      showPlainly(scenario),
      ...shown.map((name) =>
        formatScaled(shares.find(({ userAgent }) => userAgent === name)?.estimate ?? null, { factor: 100, digits: 1 }),
      ),
      formatScaled(fairness, index),
      ...(hasWeights ? [formatScaled(weightedFairness, index)] : []),
      formatScaled(leastToMost, index),
      String(roundsCounted),
    ],
  );
  return [head, ...rows];
}

function formatScaled(estimate: Estimate | null, { factor, digits }: { factor: number; digits: number }): string {
  if (estimate === null) return absent;
  return formatMean(estimate.mean * factor, estimate.halfWidth && estimate.halfWidth * factor, digits);
}
