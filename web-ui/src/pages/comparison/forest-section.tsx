import { Text } from '@mantine/core';
import { useMemo } from 'react';
import { isBaseline, partByGroup } from '#core/comparison/compared-group.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { ChartFigure } from '../../components/chart/chart-figure.tsx';
import { Folded } from '../../components/folded.tsx';
import { ScenarioLegend } from '../../components/scenario/scenario-legend.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatConfidence } from '../../format/format-ratios.ts';
import { forestFigure, isPrimaryOnly, placeForest } from './figures/forest-figure.ts';

interface ForestSectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** Each Scenario against the baseline, in all three latencies. */
export function ForestSection({ comparison, styles }: ForestSectionProps) {
  const figure = useMemo(() => forestFigure(comparison, styles), [comparison, styles]);
  const inOrder = partByGroup(comparison.groups, comparison.scenarios, (name) => name).flatMap(({ items }) => items);
  const others = inOrder.filter((name) => !isBaseline(comparison, name));
  if (others.length === 0) return null;
  const { groups } = comparison;
  return (
    <Section id="differences" title={`Difference vs ${groups ? 'the baseline of each group' : comparison.baseline}`}>
      <ChartFigure
        figure={figure}
        heightPx={heightOf(comparison)}
        legend={<ScenarioLegend names={others} styles={styles} compared={comparison} />}
      />
      {isPrimaryOnly(comparison) && (
        <Text size="xs" c="dimmed">
          There are many groups, so the chart shows only{' '}
          {nameLatency(comparison.primaryMetric, comparison.countedFrom).toLowerCase()}. Data has all metrics.
        </Text>
      )}
      <Folded summary="What this shows">
        <Text size="xs" c="dimmed">
          <Term of="reduction">Reduction</Term> of latency
          {comparison.countedFrom === 'first-request' && ' from the first request'} with its{' '}
          {formatConfidence(comparison.confidence)} interval. If the interval is within the shaded band, the Scenarios
          are <Term of="equivalence">equivalent</Term>. If it also does not cross zero, the difference is real, but
          smaller than the declared margin. If it crosses zero and leaves the band, the result is undecided.
        </Text>
      </Folded>
    </Section>
  );
}

/** So that each line of the chart has room for its marks, and for the reasons where marks are missing. */
function heightOf(comparison: Comparison): number {
  const places = placeForest(comparison);
  const most = Math.max(...places.map(({ scenarios }) => scenarios.length));
  const least = comparison.groups ? 28 : 52;
  return 120 + places.length * Math.max(least, 18 * most, 34 * countAbsent(places));
}

/** The largest number of missing reductions of one line. The chart shows their reasons instead. */
function countAbsent(places: ReturnType<typeof placeForest>): number {
  return Math.max(
    0,
    ...places.map(
      ({ metric, scenarios: own }) =>
        metric?.scenarios.filter(({ scenario, reduction }) => own.includes(scenario) && reduction === null).length ?? 0,
    ),
  );
}
