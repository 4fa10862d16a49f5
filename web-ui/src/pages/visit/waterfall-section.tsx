import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useMemo, useState } from 'react';
import type { VisitDetail } from '#core/protocol/api/stored-visit.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { buildWaterfall } from '#core/waterfall/build-waterfall.ts';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../format/format-count.ts';
import { ConnectionLanes } from './connection-lanes.tsx';
import { Filmstrip } from './filmstrip.tsx';
import { listLooks } from './list-looks.ts';
import { RequestDetails } from './request-details.tsx';
import { ThroughputFoot } from './throughput-foot.tsx';
import { makeScale } from './time-lane.tsx';
import { markVisit } from './visit-markers.ts';
import { WaterfallLegend } from './waterfall-legend.tsx';
import { WaterfallTable } from './waterfall-table.tsx';

const views = [
  { value: 'requests', label: 'Requests' },
  { value: 'connections', label: 'Connections' },
];

/** What the page fetched, and when. */
export function WaterfallSection({ visit, snapshot }: { visit: VisitDetail; snapshot: Snapshot }) {
  const [view, setView] = useState('requests');
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const waterfall = useMemo(() => buildWaterfall(snapshot), [snapshot]);
  const { rows, originEpochMs, endMs } = waterfall;
  const { filmstrip } = visit;
  const looks = filmstrip?.kind === 'kept' ? listLooks(filmstrip, originEpochMs) : [];
  const scale = makeScale(Math.max(endMs, looks.at(-1)?.atMs ?? 0), markVisit(visit));
  const chosen = rows.find(({ key }) => key === chosenKey);
  const hasConnections = rows.some(({ connection }) => connection !== null);
  // The page itself is no object of its viewport: the same count as the Reading.
  const needed = rows.filter(({ viewportNeed }) => viewportNeed !== null && viewportNeed !== 'page').length;
  const foot = (columnsBefore: number) => (
    <ThroughputFoot passId={visit.passId} originEpochMs={originEpochMs} scale={scale} columnsBefore={columnsBefore} />
  );
  return (
    <Section
      title="Waterfall"
      beside={
        hasConnections && (
          <SegmentedControl
            size="xs"
            aria-label="Lanes of the waterfall"
            data={views}
            value={view}
            onChange={setView}
          />
        )
      }
    >
      <Stack gap="sm">
        <Group justify="space-between" align="end">
          <WaterfallLegend markers={scale.markers} />
          <Text size="xs" c="dimmed">
            {formatCount(rows.length, 'request')}, {formatCount(needed, 'object')} for the viewport
          </Text>
        </Group>
        {filmstrip?.kind === 'kept' && (
          <Filmstrip looks={looks} leftOut={filmstrip.leftOut} viewport={snapshot.viewport} scale={scale} />
        )}
        {filmstrip?.kind === 'absent' && (
          <Text size="sm" c="dimmed">
            No filmstrip: {filmstrip.reason}
          </Text>
        )}
        {view === 'connections' ? (
          <ConnectionLanes rows={rows} scale={scale} foot={foot(6)} />
        ) : (
          <WaterfallTable
            rows={rows}
            scale={scale}
            chosenKey={chosenKey}
            onChoose={(key) => setChosenKey(key === chosenKey ? null : key)}
            foot={foot(7)}
          />
        )}
        {view === 'requests' && chosen && <RequestDetails row={chosen} />}
      </Stack>
    </Section>
  );
}
