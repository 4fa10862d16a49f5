import { Text } from '@mantine/core';
import { latencyIds } from '#core/metrics/index.ts';
import type { SiteSummary } from '#core/site/summarise-site.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { MeasuredUrl } from '../../components/measured-url.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatBytes, formatNumber } from '../../format/format-numbers.ts';
import { formatMs } from '../../format/format-times.ts';

type Page = SiteSummary['pages'][number];
type Host = SiteSummary['hosts'][number];
type Type = SiteSummary['types'][number];

const size: DataColumn<{ bytes: number }> = {
  name: 'Size',
  isNumeric: true,
  sortBy: ({ bytes }) => bytes,
  cell: ({ bytes }) => formatBytes(bytes),
};
const requestCount: DataColumn<{ requests: number }> = {
  name: 'Requests',
  isNumeric: true,
  sortBy: ({ requests }) => requests,
  cell: ({ requests }) => formatNumber(requests),
};

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
    isMinor: true,
    sortBy: ({ visits }) => visits,
    cell: ({ visits }) => formatNumber(visits),
  },
  ...latencyIds.map((id): DataColumn<Page> => ({
    name: id,
    heading: <Term metric={id} />,
    isNumeric: true,
    sortBy: (page) => page[id],
    cell: (page) => <Latency valueMs={page[id]} />,
  })),
  {
    name: 'Objects',
    isNumeric: true,
    isMinor: true,
    sortBy: ({ objects }) => objects,
    cell: ({ objects }) => formatNumber(objects),
  },
  size,
];

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
  {
    name: 'Think time',
    heading: <Term of="thinkTime">Think time</Term>,
    isMinor: true,
    isNumeric: true,
    sortBy: ({ thinkMs }) => thinkMs,
    cell: ({ thinkMs }) => <Latency valueMs={thinkMs} />,
  },
  requestCount,
  size,
];

export function TypeTable({ types }: { types: readonly Type[] }) {
  return <DataTable rows={types} columns={typeColumns} rowKey={({ type }) => type} minWidthPx={400} />;
}

const typeColumns: DataColumn<Type>[] = [
  { name: 'Type', isRowHeader: true, sortBy: ({ type }) => type, cell: ({ type }) => type },
  requestCount,
  size,
];
