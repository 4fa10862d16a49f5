import { Group, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import { matchRows, type MatchedRow } from '#core/waterfall/match-rows.ts';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../format/format-count.ts';
import { makeScale } from '../visit/time-lane.tsx';
import { markVisit } from '../visit/visit-markers.ts';
import { WaterfallLegend } from '../visit/waterfall-legend.tsx';
import { PairTable } from './pair-table.tsx';
import { endOfVisit } from '../visit/end-of-visit.ts';
import type { SeenVisit } from '../visit/use-seen-visit.ts';

/** The requests of both Visits, object by object, on one time axis. */
export function PairRequests({ first, second }: { first: SeenVisit; second: SeenVisit }) {
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const rows = useMemo(
    () => matchRows(first.waterfall?.rows ?? [], second.waterfall?.rows ?? []),
    [first.waterfall, second.waterfall],
  );
  const endMs = Math.max(endOfVisit(first), endOfVisit(second));
  const scales = [first, second].map(({ visit }) => makeScale(endMs, markVisit(visit), endMs));
  return (
    <Section title="Requests">
      <Stack gap="sm">
        <Group justify="space-between" align="end">
          <WaterfallLegend markers={markVisit(first.visit)} others={markVisit(second.visit)} />
          <Text size="xs" c="dimmed">
            {describeRows(rows)}
          </Text>
        </Group>
        <PairTable
          rows={rows}
          first={first}
          second={second}
          scales={[scales[0]!, scales[1]!]}
          chosenKey={chosenKey}
          onChoose={(key) => setChosenKey(key === chosenKey ? null : key)}
        />
      </Stack>
    </Section>
  );
}

function describeRows(rows: readonly MatchedRow[]): string {
  const alone = rows.filter(({ first, second }) => !first || !second).length;
  const differing = rows.filter(({ differences }) => differences.length > 0).length;
  return [
    formatCount(rows.length, 'request'),
    alone === 0 ? 'the same in both' : `${alone} in one Visit only`,
    ...(differing > 0 ? [`${differing} with another status, size or protocol`] : []),
  ].join(', ');
}
