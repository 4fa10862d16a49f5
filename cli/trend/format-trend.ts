import { styleText } from 'node:util';
import { catalogue } from '#core/metrics/index.ts';
import { formatLabels } from '#core/protocol/api/run-labels.ts';
import type { ArrangedTrend, TrendPlace } from '#core/trend/arrange-trend.ts';
import { describeTrendChanges } from '#core/trend/describe-trend-changes.ts';
import { findTrendChanges } from '#core/trend/find-trend-changes.ts';
import { describeThreshold } from '#core/trend/judge-threshold.ts';
import { absent, formatEstimate, showReduction } from '../comparison/format-figures.ts';
import { formatTable } from '../comparison/format-table.ts';
import { showPlainly } from '../plain-text.ts';

interface FormatOptions {
  name: string;
  /** Whether there are older Runs. */
  isCut: boolean;
  /** The least reduction that a Run should show. */
  threshold: number | null;
  isColoured: boolean;
}

/** A row for each Run, lines where what measured it changed, and in sentences where the reduction did. */
export function formatTrend(arranged: ArrangedTrend, { name, isCut, threshold, isColoured }: FormatOptions): string[] {
  const dim = (text: string) => (isColoured ? styleText('dim', text, { validateStream: false }) : text);
  const { places, metric } = arranged;
  const compared = arranged.scenarios.filter(({ baseline }) => !baseline);
  // A single Scenario has only its mean.
  const shown = compared.length > 0 ? compared : arranged.scenarios;
  const what = compared.length > 0 ? 'Reduction' : 'Mean, ms';
  const [head, ...rows] = formatTable([
    ['Run', 'Started', 'Labels', 'Settings', ...shown.map((each) => `${what}: ${showPlainly(each.name)}`)],
    ...places.map((place) => [
      place.runId,
      // UTC, as all times in files and logs are.
      `${place.startedAt.slice(0, 16).replace('T', ' ')}Z`,
      showPlainly(formatLabels(place.labels)) || absent,
      place.settings,
      ...shown.map((each) => showMeasured(place, each.name, compared.length > 0)),
    ]),
  ]);
  return [
    `${catalogue[metric].label} of "${showPlainly(name)}"${isCut ? ', the newest Runs' : ''}`,
    dim(head!),
    ...rows.flatMap((row, index) => [...describeBreaks(places[index - 1], places[index]!).map(dim), row]),
    '',
    ...describeTrendChanges(findTrendChanges(arranged)).map(showPlainly),
    ...describeThreshold(arranged, threshold).map(showPlainly),
    ...describeLeftOut(arranged),
    dim(
      'Each with its 95 % interval. Runs with the same letter had the same settings. Rounds of different Runs are not paired.',
    ),
  ];
}

function showMeasured(place: TrendPlace, scenario: string, isReduction: boolean): string {
  const measured = place.scenarios.get(scenario);
  if (!measured) return absent;
  if (isReduction) return showReduction(measured.reduction);
  const { rounds, meanMs: mean, halfWidthMs: halfWidth } = measured;
  return formatEstimate(mean === null ? null : { rounds, mean, standardDeviation: null, halfWidth });
}

/** What differs from the Run before, besides the settings, which have a column. */
function describeBreaks(before: TrendPlace | undefined, after: TrendPlace): string[] {
  if (!before) return [];
  const changes = [
    before.definitions !== after.definitions &&
      `metric definitions ${before.definitions || 'not known'} → ${after.definitions || 'not known'}`,
    before.engines !== after.engines && `engine ${before.engines} → ${after.engines}`,
  ];
  return changes.filter((change) => change !== false).map((change) => `  ${showPlainly(change)}`);
}

function describeLeftOut({ waiting, otherMetric }: ArrangedTrend): string[] {
  return [
    ...(waiting > 0 ? [`Not computed yet: ${countRuns(waiting)}`] : []),
    ...(otherMetric > 0 ? [`Left out, with another main metric: ${countRuns(otherMetric)}`] : []),
  ];
}

function countRuns(count: number): string {
  return `${count} ${count === 1 ? 'Run' : 'Runs'}`;
}
