import { Text } from '@mantine/core';
import { latencyIds, type LatencyId } from '#core/metrics/index.ts';
import type { SiteContents } from '#core/site/summarise-site.ts';
import { quantileOrNull } from '#core/statistics/sample-quantile.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { MeasuredUrl } from '../../components/measured-url.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatMs } from '../../format/format-ms.ts';
import { formatNumber } from '../../format/format-number.ts';
import { formatBytes } from '../../format/format-numbers.ts';

type Page = SiteContents['pages'][number];
type Host = SiteContents['hosts'][number];
type Type = SiteContents['types'][number];

interface Amount {
  objects: number;
  bytes: number;
}

const amounts: DataColumn<Amount>[] = [
  { name: 'Objects', isNumeric: true, sortBy: ({ objects }) => objects, cell: ({ objects }) => formatNumber(objects) },
  { name: 'Size', isNumeric: true, sortBy: ({ bytes }) => bytes, cell: ({ bytes }) => formatBytes(bytes) },
];

/** With the latencies of the recording: over the network that it was made on, not over a link of the testbed. */
export function PageTable({ pages }: { pages: readonly Page[] }) {
  return <DataTable rows={pages} columns={pageColumns} rowKey={({ number }) => String(number)} minWidthPx={900} />;
}

const pageColumns: DataColumn<Page>[] = [
  { name: 'Page', isNumeric: true, widthPx: 70, sortBy: ({ number }) => number, cell: ({ number }) => number },
  {
    name: 'Address',
    isRowHeader: true,
    isTitle: true,
    style: { overflowWrap: 'anywhere' },
    sortBy: ({ url }) => url,
    cell: ({ url, title }) => (
      <>
        <MeasuredUrl url={url} />
        <Text size="xs" c="dimmed" fw={400}>
          {title}
        </Text>
      </>
    ),
  },
  {
    name: 'Visits',
    isNumeric: true,
    sortBy: ({ visits }) => visits.length,
    cell: ({ visits }) => formatNumber(visits.length),
  },
  ...latencyIds.map((id): DataColumn<Page> => ({
    name: id,
    heading: <Term metric={id} />,
    isNumeric: true,
    sortBy: (page) => latencyOf(page, id),
    cell: (page) => <Latency valueMs={latencyOf(page, id)} />,
  })),
  {
    name: 'Hosts',
    isMinor: true,
    isNumeric: true,
    sortBy: ({ hosts }) => hosts,
    cell: ({ hosts }) => formatNumber(hosts),
  },
  ...amounts,
];

/** The median of the visits that have it. */
function latencyOf({ visits }: Page, id: LatencyId): number | null {
  return quantileOrNull(
    visits.flatMap((visit) => visit[id] ?? []),
    0.5,
  );
}

function Latency({ valueMs }: { valueMs: number | null }) {
  if (valueMs === null) return <AbsentValue reason="The recording does not have it." />;
  return formatMs(valueMs);
}

export function HostTable({ hosts }: { hosts: readonly Host[] }) {
  return <DataTable rows={hosts} columns={hostColumns} rowKey={({ name }) => name} minWidthPx={800} />;
}

const hostColumns: DataColumn<Host>[] = [
  {
    name: 'Host',
    isRowHeader: true,
    style: { overflowWrap: 'anywhere' },
    sortBy: ({ name }) => name,
    cell: ({ name }) => name,
  },
  {
    name: 'Address',
    isMinor: true,
    style: { overflowWrap: 'anywhere' },
    sortBy: ({ address }) => address,
    cell: ({ address }) => address ?? <AbsentValue reason="The recording does not have it." />,
  },
  {
    name: 'Protocols',
    sortBy: ({ protocols }) => protocols.join(', '),
    cell: ({ protocols }) => protocols.join(', '),
  },
  {
    name: 'Distance',
    heading: <Term of="distance">Distance</Term>,
    isNumeric: true,
    sortBy: ({ connectMs }) => connectMs,
    cell: ({ connectMs }) => <Latency valueMs={connectMs} />,
  },
  ...amounts,
];

export function TypeTable({ types }: { types: readonly Type[] }) {
  return <DataTable rows={types} columns={typeColumns} rowKey={({ type }) => type} minWidthPx={400} />;
}

const typeColumns: DataColumn<Type>[] = [
  { name: 'Type', isRowHeader: true, sortBy: ({ type }) => type, cell: ({ type }) => type },
  ...amounts,
];
