import { Box, Anchor } from '@mantine/core';
import type { ReactNode } from 'react';
import type { VisitStatus } from '#core/protocol/api/listed-visit.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { flags } from '#core/comparison/latencies/flag.ts';
import { useIsAlone } from '../../components/report-place.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { Facts, type Fact } from '../../components/facts.tsx';
import { Term } from '../../components/terms/term.tsx';
import { VisitsLink } from '../../components/run/visits-link.tsx';
import { formatNumber } from '../../format/format-number.ts';
import { formatSkew } from '../../format/format-times.ts';
import { failedStatus } from './scenarios/scenario-table.tsx';
import { goToPlace } from '../../components/go-to-place.ts';

/** The numbers behind the findings, and the reasons for caution. Each number links to its details. */
export function ComparisonFacts({ comparison }: { comparison: Comparison }) {
  const { runId, roundsBroken, unsettledVisits, hiddenVisits, startSkew, bandwidth } = comparison;
  const { firstRequestSkew, firstPacketSkew } = comparison;
  const isAlone = useIsAlone();
  const scenarios = comparison.metrics.find(({ metric }) => metric === comparison.primaryMetric)?.scenarios ?? [];
  const sum = (count: 'visits' | 'failedVisits' | 'excludedVisits' | 'lossyVisits') =>
    scenarios.reduce((total, scenario) => total + scenario[count], 0);
  const flagged = new Set(scenarios.flatMap(({ distribution }) => distribution?.flags ?? []));
  const withDrops =
    bandwidth.kind === 'measured'
      ? bandwidth.scenarios.reduce((total, { roundsWithDrops }) => total + roundsWithDrops, 0)
      : 0;
  return (
    <Box px="lg" pt="md">
      <Facts
        facts={[
          { label: <Term of="round">Rounds counted</Term>, value: formatNumber(comparison.roundsCounted) },
          count({ label: <Term of="brokenRound">broken</Term>, value: roundsBroken, place: 'broken-rounds' }),
          { label: <Term of="warmUp">warm-up</Term>, value: formatNumber(comparison.warmUpRounds) },
          {
            label: <Term of="visit">Visits</Term>,
            value: <VisitsLink filter={{ runId }}>{formatNumber(sum('visits'))}</VisitsLink>,
          },
          // Where no Visits can be listed, the URLs at least show theirs.
          isAlone
            ? count({ label: <Term of="failedVisit">failed</Term>, value: sum('failedVisits'), place: 'urls' })
            : countVisits({
                label: <Term of="failedVisit">failed</Term>,
                value: sum('failedVisits'),
                runId,
                status: failedStatus({ lossyVisits: sum('lossyVisits') }, comparison.failedObjects.rule),
              }),
          count({ label: <Term of="lostObjects">lost objects</Term>, value: sum('lossyVisits'), place: 'scenarios' }),
          count({ label: 'excluded', value: sum('excludedVisits'), place: 'exclusions' }),
          countVisits({
            label: <Term of="unsettled">unsettled</Term>,
            value: unsettledVisits,
            runId,
            status: 'unsettled',
          }),
          countVisits({ label: <Term of="hidden">hidden</Term>, value: hiddenVisits, runId, status: 'hidden' }),
          ...(comparison.ending && comparison.ending.cells > 0
            ? [count({ label: 'missed target', value: comparison.ending.cellsMissed, place: 'missed' })]
            : []),
          ...(withDrops > 0
            ? [count({ label: 'Rounds with dropped packets', value: withDrops, place: 'bandwidth' })]
            : []),
          ...(flagged.size > 0
            ? [
                {
                  label: 'flags',
                  value: (
                    <PlaceLink place="scenarios">{[...flagged].map((flag) => flags[flag].label).join(', ')}</PlaceLink>
                  ),
                  isAlarming: true,
                },
              ]
            : []),
          firstRequestSkew === null
            ? {
                label: <Term of="startSkew">largest start skew</Term>,
                value:
                  startSkew === null ? (
                    <AbsentValue reason="There is only one User Agent, or no Round reported its start times." />
                  ) : (
                    formatSkew({ skewMs: startSkew.largestMs, errorMs: startSkew.errorMs })
                  ),
              }
            : {
                label: <Term of="firstRequestSkew">largest first-request skew</Term>,
                value: formatSkew({ skewMs: firstRequestSkew.largestMs, errorMs: firstRequestSkew.errorMs }),
              },
          ...(firstPacketSkew === null
            ? []
            : [
                {
                  label: <Term of="firstPacketSkew">largest first-packet skew</Term>,
                  value: formatSkew({ skewMs: firstPacketSkew.largestMs, errorMs: firstPacketSkew.errorMs }),
                },
              ]),
          { label: <Term of="seed">seed</Term>, value: <PlaceLink place="method">{comparison.seed}</PlaceLink> },
        ]}
      />
    </Box>
  );
}

/** Alarming, and a link to where it is shown, when it is above zero. */
function count({ label, value, place }: { label: ReactNode; value: number; place: string }): Fact {
  return {
    label,
    value: value === 0 ? formatNumber(value) : <PlaceLink place={place}>{formatNumber(value)}</PlaceLink>,
    isAlarming: value > 0,
  };
}

/** The same, where the Visits themselves are listed. */
function countVisits({
  label,
  value,
  runId,
  status,
}: {
  label: ReactNode;
  value: number;
  runId: string;
  status: VisitStatus | null;
}): Fact {
  return {
    label,
    value:
      value === 0 ? formatNumber(value) : <VisitsLink filter={{ runId, status }}>{formatNumber(value)}</VisitsLink>,
    isAlarming: value > 0,
  };
}

/** A link within the page. It does not change the address, which holds the current view. */
export function PlaceLink({ place, children }: { place: string; children: ReactNode }) {
  return (
    <Anchor
      href={`#${place}`}
      c="inherit"
      inherit
      underline="always"
      onClick={(event) => {
        event.preventDefault();
        goToPlace(place);
      }}
    >
      {children}
    </Anchor>
  );
}
