import { Box } from '@mantine/core';
import type { Comparison } from '#core/statistics/comparison.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { Facts } from '../../components/facts.tsx';
import { Term } from '../../components/term.tsx';
import { formatMs } from '../../format/format-ms.ts';
import { formatNumber } from '../../format/format-number.ts';

/** What the findings rest on, and what a reader should know before believing them. */
export function ComparisonFacts({ comparison }: { comparison: Comparison }) {
  const { roundsBroken, unsettledVisits, hiddenVisits, largestStartSkewMs } = comparison;
  const scenarios = comparison.metrics.find(({ metric }) => metric === comparison.primaryMetric)?.scenarios ?? [];
  const visits = scenarios.reduce((total, scenario) => total + scenario.visits, 0);
  const failures = scenarios.reduce((total, scenario) => total + scenario.failedVisits, 0);
  return (
    <Box px="lg" pt="md">
      <Facts
        facts={[
          { label: <Term of="round">Rounds counted</Term>, value: formatNumber(comparison.roundsCounted) },
          { label: <Term of="brokenRound">broken</Term>, value: formatNumber(roundsBroken), isAlarming: roundsBroken > 0 },
          { label: <Term of="warmUp">warm-up</Term>, value: formatNumber(comparison.warmUpRounds) },
          { label: <Term of="visit">Visits</Term>, value: formatNumber(visits) },
          { label: <Term of="failedVisit">failed</Term>, value: formatNumber(failures), isAlarming: failures > 0 },
          { label: <Term of="unsettled">unsettled</Term>, value: formatNumber(unsettledVisits), isAlarming: unsettledVisits > 0 },
          { label: <Term of="hidden">hidden</Term>, value: formatNumber(hiddenVisits), isAlarming: hiddenVisits > 0 },
          {
            label: <Term of="startSkew">largest start skew</Term>,
            value: largestStartSkewMs === null ? <AbsentValue reason="No Round told when its User Agents started." /> : formatMs(largestStartSkewMs),
          },
          { label: <Term of="seed">seed</Term>, value: comparison.seed },
        ]}
      />
    </Box>
  );
}
