import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { LatencyId } from '#core/metrics/index.ts';
import type { RecordedVisit } from '#core/protocol/api/stored-site.ts';
import type { SiteSummary } from '#core/site/summarise-site.ts';
import { recordedVisitQuery } from '../../api/site-requests.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { layOutRecording } from '../../waterfall/recorded-waterfall.ts';
import { makeScale } from '../visit/time-lane.tsx';
import { markVisit } from '../visit/visit-markers.ts';
import { WaterfallLegend } from '../visit/waterfall-legend.tsx';
import { WaterfallTable } from '../visit/waterfall-table.tsx';

/** What a visit of the recording fetched, and when. */
export function RecordingWaterfall({ id, pages, hosts }: { id: string } & Pick<SiteSummary, 'pages' | 'hosts'>) {
  const [pageNumber, setPage] = useState(pages[0]!.number);
  const [chosenVisit, setVisit] = useState(1);
  const page = pages.find(({ number }) => number === pageNumber)!;
  const visit = Math.min(chosenVisit, page.visits);
  const query = useQuery(recordedVisitQuery(id, { page: pageNumber, visit }));
  return (
    <Section
      title="Waterfall of the recording"
      beside={
        <Group gap="xs">
          {pages.length > 1 && (
            <NativeSelect
              size="xs"
              maw={280}
              aria-label="Page"
              value={pageNumber}
              onChange={({ currentTarget }) => setPage(Number(currentTarget.value))}
              data={pages.map(({ number, title, url }) => ({
                value: String(number),
                label: `${number}. ${title || url}`,
              }))}
            />
          )}
          {page.visits > 1 && (
            <NativeSelect
              size="xs"
              aria-label="Visit"
              value={visit}
              onChange={({ currentTarget }) => setVisit(Number(currentTarget.value))}
              data={Array.from({ length: page.visits }, (_, index) => ({
                value: String(index + 1),
                label: `Visit ${index + 1}`,
              }))}
            />
          )}
        </Group>
      }
    >
      <QueryContent
        query={query}
        what="The waterfall"
        skeleton={<RowsSkeleton rows={1} heightPx={heightOf(page.objects)} />}
      >
        {(recorded) => <DrawnRecording recorded={recorded} hosts={hosts} />}
      </QueryContent>
    </Section>
  );
}

/** As high as the waterfall of a visit to the page will be: its legend, its head and its rows, in a frame that scrolls. */
function heightOf(objects: number): number {
  return 44 + Math.min(34 + 26 * objects, 760, 0.74 * window.innerHeight);
}

/** Which path decided a latency is known of Visits alone. */
const noPath = new Map<string, never>();

function DrawnRecording({ recorded, hosts }: { recorded: RecordedVisit; hosts: SiteSummary['hosts'] }) {
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const { exchanges, latencies } = recorded;
  const waterfall = useMemo(() => layOutRecording({ exchanges, hosts }), [exchanges, hosts]);
  const known = Object.entries(latencies).filter((each): each is [LatencyId, number] => each[1] !== null);
  const markers = markVisit({ readings: Object.fromEntries(known) });
  const endMs = Math.max(waterfall.endMs, ...markers.map(({ atMs }) => atMs));
  return (
    <Stack gap="sm">
      <Group justify="space-between" align="end">
        <WaterfallLegend markers={markers} />
        <Text size="xs" c="dimmed">
          {formatCount(waterfall.rows.length, 'request')}
        </Text>
      </Group>
      <WaterfallTable
        rows={waterfall.rows}
        scale={makeScale(endMs, markers)}
        path={noPath}
        chosenKey={chosenKey}
        onChoose={(key) => setChosenKey(key === chosenKey ? null : key)}
        films={[]}
        foot={null}
      />
    </Stack>
  );
}
