import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { Comparison } from '#core/comparison/comparison.ts';
import { ChartFigure } from '../../components/chart/chart-figure.tsx';
import { ScenarioLegend } from '../../components/scenario-legend.tsx';
import type { ScenarioStyle } from '../../components/scenario-style.ts';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/term.tsx';
import { formatConfidence } from '../../format/format-confidence.ts';
import { forestFigure } from './figures/forest-figure.ts';

interface ForestSectionProps {
  comparison: Comparison;
  styles: Map<string, ScenarioStyle>;
}

/** Each Scenario against the baseline, in all three latencies. */
export function ForestSection({ comparison, styles }: ForestSectionProps) {
  const figure = useMemo(() => forestFigure(comparison, styles), [comparison, styles]);
  const others = comparison.scenarios.filter((name) => name !== comparison.baseline);
  if (others.length === 0) return null;
  return (
    <Section id="differences" title={`Difference vs ${comparison.baseline}`}>
      <ChartFigure
        figure={figure}
        heightPx={120 + comparison.metrics.length * Math.max(52, 18 * others.length, 34 * countAbsent(comparison))}
        legend={<ScenarioLegend names={others} styles={styles} baseline={comparison.baseline} />}
      />
      <Text size="xs" c="dimmed">
        <Term of="reduction">Reduction</Term> of latency with its {formatConfidence(comparison.confidence)} interval. If
        the interval is within the shaded band, the Scenarios are <Term of="equivalence">equivalent</Term>. If it also
        does not cross zero, the difference is real, but smaller than the declared margin. If it crosses zero and leaves
        the band, the result is undecided.
      </Text>
    </Section>
  );
}

/** The largest number of missing reductions of one metric. The chart shows their reasons instead. */
function countAbsent({ metrics }: Comparison): number {
  return Math.max(
    0,
    ...metrics.map(
      ({ scenarios }) => scenarios.filter(({ isBaseline, reduction }) => !isBaseline && reduction === null).length,
    ),
  );
}
