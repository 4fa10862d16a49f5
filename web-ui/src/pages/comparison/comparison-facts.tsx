import { Anchor, Box } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Comparison } from '#core/statistics/comparison.ts';
import { flags } from '#core/statistics/flag.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { Facts, type Fact } from '../../components/facts.tsx';
import { Term } from '../../components/term.tsx';
import { formatMs } from '../../format/format-ms.ts';
import { formatNumber } from '../../format/format-number.ts';

/** What the findings rest on, and what a reader should know before believing them; each leads to where it is shown. */
export function ComparisonFacts({ comparison }: { comparison: Comparison }) {
  const { roundsBroken, unsettledVisits, hiddenVisits, largestStartSkewMs, bandwidth } = comparison;
  const scenarios = comparison.metrics.find(({ metric }) => metric === comparison.primaryMetric)?.scenarios ?? [];
  const sum = (count: 'visits' | 'failedVisits' | 'excludedVisits') => scenarios.reduce((total, scenario) => total + scenario[count], 0);
  const flagged = new Set(scenarios.flatMap(({ distribution }) => distribution?.flags ?? []));
  const withDrops = bandwidth.kind === 'measured' ? bandwidth.scenarios.reduce((total, { roundsWithDrops }) => total + roundsWithDrops, 0) : 0;
  return (
    <Box px="lg" pt="md">
      <Facts
        facts={[
          { label: <Term of="round">Rounds counted</Term>, value: formatNumber(comparison.roundsCounted) },
          count({ label: <Term of="brokenRound">broken</Term>, value: roundsBroken, place: 'broken-rounds' }),
          { label: <Term of="warmUp">warm-up</Term>, value: formatNumber(comparison.warmUpRounds) },
          { label: <Term of="visit">Visits</Term>, value: formatNumber(sum('visits')) },
          count({ label: <Term of="failedVisit">failed</Term>, value: sum('failedVisits'), place: 'urls' }),
          count({ label: 'excluded', value: sum('excludedVisits'), place: 'exclusions' }),
          count({ label: <Term of="unsettled">unsettled</Term>, value: unsettledVisits, place: 'urls' }),
          count({ label: <Term of="hidden">hidden</Term>, value: hiddenVisits, place: 'urls' }),
          ...(comparison.ending && comparison.ending.cells > 0 ? [count({ label: 'missed their target', value: comparison.ending.cellsMissed, place: 'missed' })] : []),
          ...(withDrops > 0 ? [count({ label: 'Rounds with dropped packets', value: withDrops, place: 'bandwidth' })] : []),
          ...(flagged.size > 0 ? [{ label: 'flags', value: <To place="scenarios">{[...flagged].map((flag) => flags[flag].label).join(', ')}</To>, isAlarming: true }] : []),
          {
            label: <Term of="startSkew">largest start skew</Term>,
            value: largestStartSkewMs === null ? <AbsentValue reason="No Round told when its User Agents started." /> : formatMs(largestStartSkewMs),
          },
          { label: <Term of="seed">seed</Term>, value: <To place="method">{comparison.seed}</To> },
        ]}
      />
    </Box>
  );
}

/** Alarming, and a link to where it is shown, when it is above zero. */
function count({ label, value, place }: { label: ReactNode; value: number; place: string }): Fact {
  return { label, value: value === 0 ? formatNumber(value) : <To place={place}>{formatNumber(value)}</To>, isAlarming: value > 0 };
}

/** A link within the page. It leaves the address as it is: what is looked at stands there. */
function To({ place, children }: { place: string; children: ReactNode }) {
  return (
    <Anchor
      href={`#${place}`}
      c="inherit"
      inherit
      underline="always"
      onClick={(event) => {
        event.preventDefault();
        const target = document.getElementById(place);
        target?.scrollIntoView({ block: 'start' });
        target?.setAttribute('tabindex', '-1');
        target?.focus({ preventScroll: true });
      }}
    >
      {children}
    </Anchor>
  );
}
