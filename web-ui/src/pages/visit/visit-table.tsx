import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { ListedVisit, VisitSort } from '#core/protocol/api/listed-visit.ts';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import type { Sorting } from '../../components/list/use-sorting.ts';
import type { ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Term } from '../../components/terms/term.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { useMemo } from 'react';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatTime, formatMs } from '../../format/format-times.ts';
import { hostOf, pathOf } from './name-objects.ts';

interface VisitTableProps {
  visits: ListedVisit[];
  runId: string;
  styles: Map<string, ScenarioStyle>;
  sorting: Sorting;
}

/** Visits in the order that its headings choose, each a link to its page. */
export function VisitTable({ visits, runId, styles, sorting }: VisitTableProps) {
  const showsHosts = new Set(visits.map(({ url }) => hostOf(url))).size > 1;
  const columns = useMemo(() => listColumns({ runId, styles, showsHosts }), [runId, styles, showsHosts]);
  return (
    <DataTable
      label="Visits"
      rows={visits}
      columns={columns}
      rowKey={({ id }) => id}
      minWidthPx={980}
      sorting={sorting}
      inSight={{ rowHeightPx: 39, Rows: VirtualRows }}
    />
  );
}

export function listColumns({
  runId,
  styles,
  showsHosts,
}: {
  runId: string;
  styles: Map<string, ScenarioStyle>;
  showsHosts: boolean;
}): DataColumn<ListedVisit>[] {
  const latency = (
    name: 'Base' | 'Viewport' | 'Total',
    metric: 'baseMs' | 'viewportMs' | 'totalMs',
  ): DataColumn<ListedVisit> => ({
    name,
    heading: <Term metric={metric}>{name}</Term>,
    isNumeric: true,
    isMinor: metric === 'baseMs',
    sortBy: (visit) => visit[metric],
    cell: ({ status, [metric]: valueMs }) => <Latency isFailed={status === 'failed'} valueMs={valueMs} />,
  });
  return [
    {
      name: 'Block',
      heading: <Term of="block">Block</Term>,
      isNumeric: true,
      sortBy: ({ block }) => block,
      cell: ({ block }) => block,
    },
    {
      name: 'Scenario',
      heading: <Term of="scenario">Scenario</Term>,
      sortBy: ({ scenario }) => scenario,
      cell: ({ scenario }) => <ScenarioName name={scenario} style={styles.get(scenario)} />,
    },
    {
      name: 'User Agent',
      heading: <Term of="userAgent">User Agent</Term>,
      sortKey: 'user-agent' satisfies VisitSort,
      isMinor: true,
      sortBy: ({ userAgent }) => userAgent,
      cell: ({ userAgent }) => userAgent,
    },
    {
      name: 'URL',
      isTitle: true,
      style: { maxWidth: 280 },
      sortBy: ({ url }) => url,
      cell: ({ id, url }) => (
        <Anchor
          component={Link}
          to={`/runs/${runId}/visits/${id}`}
          c="inherit"
          inherit
          truncate
          display="block"
          title={url}
        >
          {pathOf(url)}
          {showsHosts && (
            <Text span inherit c="dimmed">
              {' '}
              {hostOf(url)}
            </Text>
          )}
        </Anchor>
      ),
    },
    {
      name: 'Started',
      isMinor: true,
      style: { whiteSpace: 'nowrap' },
      sortBy: ({ startedAt }) => startedAt,
      cell: ({ startedAt }) => formatTime(startedAt),
    },
    {
      name: 'State',
      sortBy: ({ status }) => status,
      cell: (visit) => <StateDot state={visit.status === 'ok' ? 'good' : 'bad'} label={describeState(visit)} />,
    },
    latency('Base', 'baseMs'),
    latency('Viewport', 'viewportMs'),
    latency('Total', 'totalMs'),
  ];
}

function Latency({ isFailed, valueMs }: { isFailed: boolean; valueMs: number | null }) {
  if (valueMs !== null) return formatMs(valueMs);
  return <AbsentValue reason={isFailed ? 'The Visit failed.' : 'There is no value. The Visit shows why.'} />;
}

export function describeState({
  status,
  code,
  failedObjects,
  isSettled,
  isHidden,
  exclusionReason,
}: ListedVisit): string {
  const flags = [
    failedObjects !== null && failedObjects > 0 && formatCount(failedObjects, 'failed object'),
    isSettled === false && 'unsettled',
    isHidden === true && 'hidden',
    exclusionReason !== null && 'excluded',
  ].filter((flag) => flag !== false);
  return [status === 'failed' ? (code ?? 'failed') : 'ok', ...flags].join(', ');
}
