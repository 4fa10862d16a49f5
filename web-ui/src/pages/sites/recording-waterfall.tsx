import { Group, NativeSelect, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import type { HarLoad } from '#core/har/read-har.ts';
import type { SiteContents } from '#core/site/summarise-site.ts';
import { siteHarQuery } from '../../api/site-requests.ts';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { Section } from '../../components/section.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { layOutHar } from '../../waterfall/har-waterfall.ts';
import { makeScale } from '../visit/time-lane.tsx';
import { markVisit } from '../visit/visit-markers.ts';
import { WaterfallLegend } from '../visit/waterfall-legend.tsx';
import { WaterfallTable } from '../visit/waterfall-table.tsx';

type Page = SiteContents['pages'][number];

/** What a visit of the recording fetched, and when. */
export function RecordingWaterfall({ id, pages }: { id: string; pages: readonly Page[] }) {
  const [pageNumber, setPage] = useState(pages[0]!.number);
  const [chosenVisit, setVisit] = useState(1);
  const page = pages.find(({ number }) => number === pageNumber)!;
  const visits = Math.max(1, page.visits.length);
  const visit = Math.min(chosenVisit, visits);
  const query = useQuery(siteHarQuery(id, { page: pageNumber, visit }));
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
          {visits > 1 && (
            <NativeSelect
              size="xs"
              aria-label="Visit"
              value={visit}
              onChange={({ currentTarget }) => setVisit(Number(currentTarget.value))}
              data={Array.from({ length: visits }, (_, index) => ({
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
        skeleton={<RowsSkeleton rows={Math.min(page.objects, 20)} heightPx={22} />}
      >
        {(load) => <DrawnRecording load={load} />}
      </QueryContent>
    </Section>
  );
}

/** Which path decided a latency is known of Visits alone. */
const noPath = new Map<string, never>();

function DrawnRecording({ load }: { load: HarLoad }) {
  const [chosenKey, setChosenKey] = useState<string | null>(null);
  const waterfall = useMemo(() => layOutHar(load), [load]);
  const markers = markVisit({ readings: load.moments });
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
