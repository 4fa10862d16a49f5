import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { baselineOf } from '#core/comparison/compared-group.ts';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import { medianPairAddress } from '../../../api/pair-search.ts';
import { ScenarioName } from '../../../components/scenario/scenario-name.tsx';
import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import type { UrlRow } from './url-rows.ts';

interface PairLinksProps {
  row: UrlRow;
  comparison: Comparison;
  metric: MetricComparison;
  styles: Map<string, ScenarioStyle>;
  userAgent: string | null;
}

/** The way to the median Visits of a page under its baseline and under each other Scenario, side by side. */
export function PairLinks({ row, comparison, metric, styles, userAgent }: PairLinksProps) {
  const { runId, scenarios } = comparison;
  const isMeasured = (scenario: string) => Boolean(row.cells.get(scenario)?.estimate);
  const others = scenarios.filter((scenario) => {
    const baseline = baselineOf(comparison, scenario);
    return scenario !== baseline && isMeasured(scenario) && isMeasured(baseline);
  });
  if (others.length === 0) return null;
  return (
    <Group gap="md" className="no-print">
      <Text size="sm">Median Visits side by side with the baseline:</Text>
      {others.map((second) => {
        const first = baselineOf(comparison, second);
        return (
          <Anchor
            key={second}
            component={Link}
            to={medianPairAddress({ runId, url: row.url, first, second, userAgent, metric: metric.metric })}
            size="sm"
            aria-label={`Median Visits of ${first} and ${second} side by side`}
          >
            <ScenarioName name={second} style={styles.get(second)} />
          </Anchor>
        );
      })}
    </Group>
  );
}
