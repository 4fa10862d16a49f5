import { NativeSelect, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { baselineOf, isBaseline } from '#core/comparison/compared-group.ts';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import { pairBlocks } from '#core/comparison/latencies/pair-blocks.ts';
import { nameLatency } from '#core/metrics/latency-origin.ts';
import { ChartFigure } from '../../components/chart/chart-figure.tsx';
import { Folded } from '../../components/folded.tsx';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Term } from '../../components/terms/term.tsx';
import { blockFigure } from './figures/block-figure.ts';

/** More Scenarios than this have no room beside each other: one is chosen. */
const mostBeside = 4;

interface BlockSectionProps {
  comparison: Comparison;
  metric: MetricComparison;
  styles: Map<string, ScenarioStyle>;
}

/** Each Block as a line from the baseline to a Scenario: whether a difference is that of every Block, or of a few. Not there without pairs. */
export function BlockSection({ comparison, metric, styles }: BlockSectionProps) {
  const paired = useMemo(() => listPaired(comparison, metric), [comparison, metric]);
  const [chosen, choose] = useState<string | null>(null);
  const isChoice = paired.length > mostBeside;
  const shown = isChoice ? (paired.find((name) => name === chosen) ?? paired[0]!) : null;
  const figure = useMemo(
    () => blockFigure({ metric, scenarios: shown === null ? paired : [shown], compared: comparison, styles }),
    [metric, paired, shown, comparison, styles],
  );
  if (paired.length === 0) return null;
  return (
    <Folded
      summary={
        <span id="blocks">
          {nameLatency(metric.metric, comparison.countedFrom)} by Block: whether every Block agrees
        </span>
      }
    >
      {isChoice && (
        <NativeSelect
          size="xs"
          w={240}
          aria-label="Scenario whose Blocks are shown"
          value={shown!}
          onChange={({ currentTarget: { value } }) => choose(value)}
          data={paired}
        />
      )}
      <ChartFigure figure={figure} heightPx={320} />
      <Text size="xs" c="dimmed">
        A line for each <Term of="block">Block</Term>, from its mean under the baseline to that under the Scenario.
        Dashed lines: the Scenario is slower. The large marks are the means over Blocks with their intervals. The
        difference is tested within Blocks, so lines of the same slope are evidence even where the intervals overlap.
      </Text>
    </Folded>
  );
}

/** Scenarios that have at least one Block together with their baseline. */
export function listPaired(
  comparison: Pick<Comparison, 'baseline' | 'groups' | 'scenarios'>,
  { scenarios }: MetricComparison,
): string[] {
  const of = (name: string) => scenarios.find(({ scenario }) => scenario === name);
  return comparison.scenarios.filter((name) => {
    const [scenario, baseline] = [of(name), of(baselineOf(comparison, name))];
    return !isBaseline(comparison, name) && scenario && baseline && pairBlocks(baseline, scenario).length > 0;
  });
}
