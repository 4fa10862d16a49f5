import { Group, SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import type { Waterfall } from '#core/waterfall/build-waterfall.ts';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../format/format-count.ts';
import { ConnectionLanes } from './connection-lanes.tsx';
import { endOfVisit } from './end-of-visit.ts';
import { Filmstrip } from './filmstrip.tsx';
import { ThroughputFoot } from './throughput-foot.tsx';
import { makeScale } from './time-lane.tsx';
import type { SeenVisit } from './use-seen-visit.ts';
import { markVisit } from './visit-markers.ts';
import { WaterfallLegend } from './waterfall-legend.tsx';
import { WaterfallTable } from './waterfall-table.tsx';

const views = [
  { value: 'requests', label: 'Requests' },
  { value: 'connections', label: 'Connections' },
];

interface WaterfallSectionProps {
  seen: SeenVisit;
  waterfall: Waterfall;
  viewport: Snapshot['viewport'];
}

/** What the page fetched, and when. */
export function WaterfallSection({ seen, waterfall: { rows, originEpochMs }, viewport }: WaterfallSectionProps) {
  const [view, setView] = useState('requests');
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const { visit, looks } = seen;
  const { filmstrip } = visit;
  const scale = makeScale(endOfVisit(seen), markVisit(visit));
  const hasConnections = rows.some(({ connection }) => connection !== null);
  // The page itself is no object of its viewport: the same count as the Reading.
  const needed = rows.filter(({ viewportNeed }) => viewportNeed !== null && viewportNeed !== 'page').length;
  const foot = <ThroughputFoot visit={visit} originEpochMs={originEpochMs} scale={scale} columnsBefore={4} />;
  const films =
    filmstrip?.kind === 'kept'
      ? [
          {
            name: <strong>Film</strong>,
            strip: <Filmstrip looks={looks} leftOut={filmstrip.leftOut} viewport={viewport} scale={scale} />,
          },
        ]
      : [];
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
        {filmstrip?.kind === 'absent' && (
          <Text size="sm" c="dimmed">
            No filmstrip: {filmstrip.reason}
          </Text>
        )}
        {view === 'connections' ? (
          <ConnectionLanes rows={rows} scale={scale} films={films} foot={foot} />
        ) : (
          <WaterfallTable
            rows={rows}
            scale={scale}
            chosenKey={chosenKey}
            onChoose={(key) => setChosenKey(key === chosenKey ? null : key)}
            films={films}
            foot={foot}
          />
        )}
      </Stack>
    </Section>
  );
}
