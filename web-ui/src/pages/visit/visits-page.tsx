import { Anchor, Group, Select, TextInput, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import {
  LatencyLimitSchema,
  VisitStatusSchema,
  type ListedVisit,
  type VisitSort,
} from '#core/protocol/api/listed-visit.ts';
import { runQuery, visitPagesQuery } from '../../api/queries.ts';
import type { VisitFilter } from '../../api/reports.ts';
import { DataTable, type DataColumn } from '../../components/data-table.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { NextPageButton } from '../../components/next-page-button.tsx';
import { useAddress } from '../../components/list/use-address.ts';
import { useSorting, type Sorting } from '../../components/list/use-sorting.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { markTraits } from '#core/evaluation/scenarios/scenario-trait.ts';
import { styleScenarios, type ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Term } from '../../components/terms/term.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { readVisitFilter } from '../../api/visit-search.ts';
import { useMemo } from 'react';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { StateDot } from '../../components/state-dot.tsx';
import { VirtualRows } from '../../components/virtual-rows.tsx';
import { formatMs } from '../../format/format-ms.ts';
import { formatTime } from '../../format/format-times.ts';
import { hostOf, pathOf } from './name-objects.ts';

const typingPauseMs = 250;

/** The Visits of a Run. The address holds the filter, so that a report can link to any cell of it. */
export function VisitsPage() {
  const { runId = '' } = useParams();
  const query = useQuery(runQuery(runId));
  return (
    <QueryContent query={query} what="The Run" parent={{ to: '/runs', label: 'Runs' }}>
      {(run) => <VisitsContent run={run} />}
    </QueryContent>
  );
}

function VisitsContent({ run }: { run: RunDetail }) {
  const [search, change] = useAddress();
  const filter = readVisitFilter(run.id, search);
  const { evaluation } = run;
  const urls = [
    ...new Set(Object.keys(evaluation.urlLists).flatMap((list) => urlsOf(evaluation, list).map(({ url }) => url))),
  ];
  const choose = (name: string) => (value: string | null) => change({ [name]: value });
  const names = (items: { name: string }[]) => items.map(({ name }) => name);

  return (
    <>
      <PageHeader
        title="Visits"
        documentTitle={`Visits of Run ${run.id}: ${run.evaluationName}`}
        parent={{ to: `/runs/${run.id}`, label: `Run ${run.id} of ${run.evaluationName}` }}
        description={
          <>
            Every measured <Term of="visit">Visit</Term> of the completed <Term of="round">Rounds</Term>, without the{' '}
            <Term of="warmUp">warm-up</Term>. The{' '}
            <Anchor component={Link} to={`/runs/${run.id}/comparison`} inherit underline="always">
              Comparison
            </Anchor>{' '}
            uses these.
          </>
        }
      />
      <Group gap="sm" align="start">
        <Select
          label="Scenario"
          placeholder="all"
          data={names(evaluation.scenarios)}
          value={filter.scenario}
          onChange={choose('scenario')}
          clearable
          w={190}
        />
        <Select
          label="User Agent"
          placeholder="all"
          data={names(evaluation.userAgents)}
          value={filter.userAgent}
          onChange={choose('userAgent')}
          clearable
          searchable
          w={190}
        />
        <Select
          label="URL"
          placeholder="all"
          data={urls}
          value={filter.url}
          onChange={choose('url')}
          clearable
          searchable
          limit={200}
          flex="1 1 260px"
        />
        <Select
          label="State"
          placeholder="any"
          data={VisitStatusSchema.options}
          value={filter.status ?? null}
          onChange={choose('status')}
          clearable
          w={140}
        />
        <LatencyLimit label="Total from" text={search.get('atLeastMs')} onChange={choose('atLeastMs')} />
        <LatencyLimit label="Total to" text={search.get('atMostMs')} onChange={choose('atMostMs')} />
      </Group>
      <FoundVisits run={run} filter={filter} />
    </>
  );
}

interface LatencyLimitProps {
  label: string;
  /** As the address has it. */
  text: string | null;
  onChange: (text: string) => void;
}

/** A limit of the total latency. */
function LatencyLimit({ label, text, onChange }: LatencyLimitProps) {
  const isWrong = text !== null && !LatencyLimitSchema.safeParse(text).success;
  return (
    <TextInput
      label={label}
      placeholder="any"
      inputMode="decimal"
      rightSection="ms"
      rightSectionPointerEvents="none"
      maxLength={16}
      value={text ?? ''}
      onChange={(event) => onChange(event.currentTarget.value)}
      error={isWrong && 'Not a number'}
      w={110}
    />
  );
}

function FoundVisits({ run, filter }: { run: RunDetail; filter: VisitFilter }) {
  const [settled] = useDebouncedValue(filter, typingPauseMs, { leading: true });
  const pages = useInfiniteQuery({ ...visitPagesQuery(settled), placeholderData: keepPreviousData });
  const sorting = useSorting({ by: 'block', order: 'ascending' });
  if (pages.error && !pages.data)
    return <ProblemAlert title="The Visits cannot be shown" error={pages.error} onRetry={() => void pages.refetch()} />;
  if (!pages.data) return <RowsSkeleton />;
  const visits = pages.data.pages.flatMap((page) => page.visits);
  if (visits.length === 0)
    return (
      <EmptyState title="No matching Visits">
        No Visit of this Run matches all filters above. Clear a filter. Visits of the warm-up and of broken Rounds are
        on the page of the Run.
      </EmptyState>
    );
  const styles = styleScenarios(markTraits(run.evaluation.scenarios));
  return (
    <>
      <VisitTable visits={visits} runId={run.id} styles={styles} sorting={sorting} />
      <NextPageButton query={pages}>Show more ({formatCount(visits.length, 'Visit')} shown)</NextPageButton>
    </>
  );
}

interface VisitTableProps {
  visits: ListedVisit[];
  runId: string;
  styles: Map<string, ScenarioStyle>;
  sorting: Sorting;
}

/** Visits in the order that its headings choose, each a link to its page. */
function VisitTable({ visits, runId, styles, sorting }: VisitTableProps) {
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
