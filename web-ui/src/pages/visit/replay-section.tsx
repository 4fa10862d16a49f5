import { Anchor, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { latencyIds } from '#core/metrics/index.ts';
import type { ReplayOfVisit } from '#core/protocol/api/replay-of-visit.ts';
import { replayQuery } from '../../api/site-requests.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { Folded } from '../../components/folded.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { Section } from '../../components/section.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatBytes, formatNumber } from '../../format/format-numbers.ts';
import { formatPercent } from '../../format/format-ratios.ts';
import { formatMs } from '../../format/format-times.ts';

type Comparison = Extract<ReplayOfVisit, { kind: 'compared' }>['comparison'];

/** How like its recording a page of a Site was. */
export function ReplaySection({ visitId }: { visitId: string }) {
  const query = useQuery(replayQuery(visitId));
  return (
    <Section title="Replay">
      <QueryContent query={query} what="The replay" skeleton={<RowsSkeleton rows={8} heightPx={32} />}>
        {(replay) =>
          replay.kind === 'absent' ? (
            <Text size="sm" c="dimmed">
              Not compared with its recording. {replay.reason}.
            </Text>
          ) : (
            <ComparedReplay {...replay} />
          )
        }
      </QueryContent>
    </Section>
  );
}

function ComparedReplay({ site, page, comparison }: Extract<ReplayOfVisit, { kind: 'compared' }>) {
  const { score, inexact, misses, unknownHosts, missing, webSockets } = comparison;
  return (
    <Stack gap="sm">
      <Text size="sm">
        <Term of="replayScore">Like its recording</Term>: <strong>{formatPercent(score)}</strong>. This is page {page}{' '}
        of the Site{' '}
        <Anchor component={Link} to={`/sites/${site.id}`} inherit underline="always">
          {site.name}
        </Anchor>
        .
      </Text>
      <DataTable rows={listRows(comparison)} columns={columns} rowKey={({ key }) => key} minWidthPx={420} />
      <Urls of="answered with the recording of another URL" urls={inexact} />
      <Urls of="not in the recording, answered by 404" urls={misses} />
      <Urls of="on hosts that the replay does not have" urls={unknownHosts} />
      <Urls of="recorded, and not requested" urls={missing} />
      <Urls
        of={`${webSockets.length === 1 ? 'WebSocket' : 'WebSockets'} of the recorded page, not replayed`}
        urls={webSockets}
      />
    </Stack>
  );
}

/** More would make the page slow. */
const mostUrls = 200;

function Urls({ of, urls }: { of: string; urls: readonly string[] }) {
  if (urls.length === 0) return null;
  return (
    <Folded summary={`${formatNumber(urls.length)} ${of}`}>
      <List size="sm" style={{ overflowWrap: 'anywhere' }}>
        {urls.slice(0, mostUrls).map((url, index) => (
          <List.Item key={index}>{url}</List.Item>
        ))}
        {urls.length > mostUrls && <List.Item>and {formatNumber(urls.length - mostUrls)} more</List.Item>}
      </List>
    </Folded>
  );
}

interface Row {
  key: string;
  name: ReactNode;
  recorded: ReactNode;
  replayed: ReactNode;
}

const columns: DataColumn<Row>[] = [
  { name: 'Compared', isRowHeader: true, cell: ({ name }) => name },
  { name: 'Recorded', isNumeric: true, cell: ({ recorded }) => recorded },
  { name: 'Replayed', isNumeric: true, cell: ({ replayed }) => replayed },
];

function listRows({ objects, bytes, hosts, connections, orderRatio, latencies }: Comparison): Row[] {
  return [
    { key: 'objects', name: 'Objects', ...show(objects, formatNumber) },
    { key: 'bytes', name: 'Size', ...show(bytes, formatBytes) },
    { key: 'hosts', name: 'Hosts', ...show(hosts, formatNumber) },
    { key: 'connections', name: 'Connections', ...show(connections, formatNumber) },
    { key: 'order', name: 'In the recorded order', ...show({ recorded: 1, replayed: orderRatio }, formatPercent) },
    ...latencyIds.map((id) => {
      const { recordedMs, replayedMs } = latencies[id];
      return {
        key: id,
        name: <Term metric={id} />,
        ...show({ recorded: recordedMs, replayed: replayedMs }, formatMs),
      };
    }),
  ];
}

function show(
  compared: { recorded: number | null; replayed: number | null } | null,
  format: (value: number) => string,
): Pick<Row, 'recorded' | 'replayed'> {
  const showOne = (value: number | null, reason: string) =>
    value === null ? <AbsentValue reason={reason} /> : format(value);
  return {
    recorded: showOne(compared?.recorded ?? null, 'The recording does not have it.'),
    replayed: showOne(compared?.replayed ?? null, 'It is not known of this Visit.'),
  };
}
