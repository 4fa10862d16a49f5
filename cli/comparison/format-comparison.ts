import { styleText } from 'node:util';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { describeEnding } from '#core/record/describe-ending.ts';
import { groupOf, isBaseline, partByGroup } from '#core/comparison/compared-group.ts';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import type { SkewSummary } from '#core/comparison/summarize-skew.ts';
import { showPlainly } from '../show-plainly.ts';
import { absent, formatEstimate, formatFailedObjects, formatReduction } from './format-figures.ts';
import { formatMean } from './format-mean.ts';
import { formatTable } from './format-table.ts';
import { listBandwidth } from './list-bandwidth.ts';
import { listHttpep } from './list-httpep.ts';
import { listPoint } from './list-points.ts';

const shortLabels = { baseMs: 'Base page', viewportMs: 'Viewport', totalMs: 'Total' } as const;

/** The Evaluation Comparison for a terminal: the findings, the Scenarios, the URLs, and what the figures rest on. */
export function formatComparison(comparison: Comparison, { isColoured }: { isColoured: boolean }): string {
  const bold = (text: string) => (isColoured ? styleText('bold', text, { validateStream: false }) : text);
  const dim = (text: string) => (isColoured ? styleText('dim', text, { validateStream: false }) : text);
  const primary = comparison.metrics.find(({ metric }) => metric === comparison.primaryMetric)!;
  const [scenarioHead, ...scenarioRows] = formatTable(listScenarios(comparison, primary));

  return [
    bold(showPlainly(comparison.evaluationName)),
    '',
    ...comparison.findings.map(showPlainly),
    ...comparison.remarks.map(({ text }) => showPlainly(text)),
    '',
    dim(scenarioHead!),
    ...scenarioRows,
    '',
    ...describeUrls(comparison, primary, { bold, dim }),
    ...describeBandwidth(comparison, bold),
    ...describePoints(comparison, { bold, dim }),
    ...describeHttpep(comparison, { bold, dim }),
    ...describeBasis(comparison).map(dim),
  ].join('\n');
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
    isBaseline ? '' : formatReduction(reduction, contrast?.verdict),
    isBaseline ? '' : formatReduction(meanReduction, contrast?.verdict),
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
  const rows = [...labels].map(([url, label]) => [
    showPlainly(label),
    ...scenarios.map((scenario) =>
      formatEstimate(pooled.find((cell) => cell.url === url && cell.scenario === scenario)?.estimate ?? null),
    ),
  ]);
  const nameOf = (name: string) =>
    showPlainly(comparison.groups && isBaseline(comparison, name) ? `${name} (baseline)` : name);
  return [['URL', ...scenarios.map(nameOf)], ...rows];
}

function formatSkew({ largestMs, errorMs }: SkewSummary): string {
  return `${formatMean(largestMs, errorMs, 1)} ms`;
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
    userAgents,
    ending,
  } = comparison;
  const exclusions = comparison.exclusions.filter(({ reversal }) => reversal === null);
  const skews = [
    ...(firstRequestSkew === null ? [] : [`largest skew of first requests ${formatSkew(firstRequestSkew)}`]),
    startSkew === null ? 'start skew unknown' : `largest skew of orders ${formatSkew(startSkew)}`,
    ...(firstPacketSkew === null ? [] : [`largest skew of first packets ${formatSkew(firstPacketSkew)}`]),
  ];
  return [
    `Run ${runId} (${runState}, seed ${seed}): ${roundsCounted} Rounds counted, ${roundsBroken} broken, ${warmUpRounds} warm-up left out; ${skews.join(', ')}.`,
    `${unsettledVisits} Visits did not settle, ${hiddenVisits} were hidden. User Agents: ${userAgents.map(showPlainly).join(', ')}.`,
    ...(ending ? [describeEnding(ending)] : []),
    ...(exclusions.length > 0
      ? [
          `${exclusions.length} Visits were excluded: ${[...new Set(exclusions.map(({ reason, excludedBy }) => `${showPlainly(reason)} (${showPlainly(excludedBy)})`))].join('; ')}.`,
        ]
      : []),
    ...(comparison.countedFrom === 'first-request'
      ? ['Latencies are counted from the first request, not from navigation start.']
      : []),
    `Mean ± half-width of the ${comparison.confidence * 100} % interval over Rounds; ${absent}: not measured.`,
  ];
}
