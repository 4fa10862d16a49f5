import { Anchor, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Comparison } from '#core/comparison/comparison.ts';
import { useIsAlone } from '../../../components/report-place.ts';
import { Term } from '../../../components/terms/term.tsx';
import { VisitsLink } from '../../../components/run/visits-link.tsx';
import { formatCount, formatNumber } from '../../../format/format-numbers.ts';
import { failedStatus } from '../scenarios/scenario-table.tsx';
import { goToPlace } from '../../../components/go-to-place.ts';

interface Counter {
  name: string;
  value: number;
  shown: ReactNode;
}

/** What the answer rests on, in a line: what was counted, what was lost of it, and what was not. */
export function AnswerFacts({ comparison }: { comparison: Comparison }) {
  const { runId, roundsCounted, warmUpRounds } = comparison;
  const isAlone = useIsAlone();
  const scenarios = comparison.metrics.find(({ metric }) => metric === comparison.primaryMetric)?.scenarios ?? [];
  const sum = (count: 'visits' | 'failedVisits' | 'excludedVisits' | 'lossyVisits') =>
    scenarios.reduce((total, scenario) => total + scenario[count], 0);
  const atPlace = (name: string, value: number, place: string): Counter => ({
    name,
    value,
    shown: (
      <PlaceLink place={place}>
        {formatNumber(value)} {name}
      </PlaceLink>
    ),
  });
  const ofVisits = (
    name: string,
    value: number,
    status: Parameters<typeof VisitsLink>[0]['filter']['status'],
  ): Counter => ({
    name,
    value,
    shown: (
      <VisitsLink filter={{ runId, ...(status !== undefined && { status }) }}>
        {formatNumber(value)} {name}
      </VisitsLink>
    ),
  });
  const failedOf = failedStatus({ lossyVisits: sum('lossyVisits') }, comparison.failedObjects.rule);
  const counters = [
    // Where no Visits can be listed, the URLs at least show theirs.
    isAlone ? atPlace('failed', sum('failedVisits'), 'urls') : ofVisits('failed', sum('failedVisits'), failedOf),
    atPlace('with lost objects', sum('lossyVisits'), 'scenarios'),
    atPlace('excluded', sum('excludedVisits'), 'exclusions'),
    ofVisits('unsettled', comparison.unsettledVisits, 'unsettled'),
    ofVisits('hidden', comparison.hiddenVisits, 'hidden'),
  ];
  const seen = counters.filter(({ value }) => value > 0);
  const none = counters.filter(({ value }) => value === 0).map(({ name }) => name);
  return (
    <Text size="sm" c="dimmed" component="div" aria-label="What the answer rests on" role="group">
      {formatCount(roundsCounted, 'Round')}
      {warmUpRounds > 0 && (
        <>
          {' '}
          after <Term of="warmUp">warm-up</Term>
        </>
      )}
      {comparison.roundsBroken > 0 && (
        <>
          ,{' '}
          <PlaceLink place="broken-rounds">
            {formatNumber(comparison.roundsBroken)} <Term of="brokenRound">repeated</Term>
          </PlaceLink>
        </>
      )}
      {'; '}
      <VisitsLink filter={{ runId }}>{formatCount(sum('visits'), 'Visit')}</VisitsLink>
      {seen.map(({ name, shown }) => (
        <span key={name}>
          ,{' '}
          <Text span inherit c="var(--mantine-color-error)" fw={600}>
            {shown}
          </Text>
        </span>
      ))}
      {none.length > 0 && `; none ${listAlternatives(none)}`}.
    </Text>
  );
}

/** `failed, excluded or hidden`. */
function listAlternatives(names: readonly string[]): string {
  return names.length < 2 ? names.join() : `${names.slice(0, -1).join(', ')} or ${names.at(-1)!}`;
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
