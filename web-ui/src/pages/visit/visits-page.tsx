import { Anchor, Group, Select, TextInput, Table, Text } from '@mantine/core';
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
import { EmptyState } from '../../components/empty-state.tsx';
import { NextPageButton } from '../../components/next-page-button.tsx';
import { useAddress } from '../../components/list/use-address.ts';
import { useSorting, type Sorting } from '../../components/list/use-sorting.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { styleScenarios, type ScenarioStyle } from '../../components/scenario/scenario-style.ts';
import { Term } from '../../components/terms/term.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { readVisitFilter } from '../../api/visit-search.ts';
import { useState, type ReactNode } from 'react';
import { AbsentValue } from '../../components/absent-value.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { SortButton } from '../../components/sort-button.tsx';
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
  return (
    <>
      <VisitTable visits={visits} runId={run.id} styles={styleScenarios(run.evaluation.scenarios)} sorting={sorting} />
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
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null); // state, because rows in sight are known only once it is there
  const hosts = new Set(visits.map(({ url }) => hostOf(url)));
  return (
    <div
      ref={setScroller}
      style={{ overflow: 'auto', maxHeight: '74vh' }}
      tabIndex={0}
      role="region"
      aria-label="Visits"
    >
      <Table highlightOnHover stickyHeader miw={980} aria-label="Visits">
        <Table.Thead>
          <Table.Tr>
            <SortedHeading by="block" name="Block" sorting={sorting} isNumeric>
              <Term of="block">Block</Term>
            </SortedHeading>
            <SortedHeading by="scenario" name="Scenario" sorting={sorting}>
              <Term of="scenario">Scenario</Term>
            </SortedHeading>
            <SortedHeading by="user-agent" name="User Agent" sorting={sorting}>
              <Term of="userAgent">User Agent</Term>
            </SortedHeading>
            <SortedHeading by="url" name="URL" sorting={sorting} />
            <SortedHeading by="started" name="Started" sorting={sorting} />
            <SortedHeading by="state" name="State" sorting={sorting} />
            <SortedHeading by="base" name="Base" sorting={sorting} isNumeric>
              <Term metric="baseMs">Base</Term>
            </SortedHeading>
            <SortedHeading by="viewport" name="Viewport" sorting={sorting} isNumeric>
              <Term metric="viewportMs">Viewport</Term>
            </SortedHeading>
            <SortedHeading by="total" name="Total" sorting={sorting} isNumeric>
              <Term metric="totalMs">Total</Term>
            </SortedHeading>
          </Table.Tr>
        </Table.Thead>
        <VirtualRows rows={visits} rowHeightPx={39} columns={9} scroller={{ current: scroller }}>
          {(visit) => (
            <Table.Tr key={visit.id}>
              <Table.Td className="numeric">{visit.block}</Table.Td>
              <Table.Td>
                <ScenarioName name={visit.scenario} style={styles.get(visit.scenario)} />
              </Table.Td>
              <Table.Td>{visit.userAgent}</Table.Td>
              <Table.Td maw={280}>
                <Anchor
                  component={Link}
                  to={`/runs/${runId}/visits/${visit.id}`}
                  c="inherit"
                  inherit
                  truncate
                  display="block"
                  title={visit.url}
                >
                  {pathOf(visit.url)}
                  {hosts.size > 1 && (
                    <Text span inherit c="dimmed">
                      {' '}
                      {hostOf(visit.url)}
                    </Text>
                  )}
                </Anchor>
              </Table.Td>
              <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatTime(visit.startedAt)}</Table.Td>
              <Table.Td>
                <StateDot state={visit.status === 'ok' ? 'good' : 'bad'} label={describeState(visit)} />
              </Table.Td>
              {([visit.baseMs, visit.viewportMs, visit.totalMs] as const).map((valueMs, index) => (
                <Table.Td key={index} className="numeric">
                  {valueMs === null ? (
                    <AbsentValue
                      reason={
                        visit.status === 'failed' ? 'The Visit failed.' : 'There is no value. The Visit shows why.'
                      }
                    />
                  ) : (
                    formatMs(valueMs)
                  )}
                </Table.Td>
              ))}
            </Table.Tr>
          )}
        </VirtualRows>
      </Table>
    </div>
  );
}

interface SortedHeadingProps {
  by: VisitSort;
  name: string;
  sorting: Sorting;
  isNumeric?: boolean;
  /** The name, unless given. */
  children?: ReactNode;
}

function SortedHeading({ by, name, sorting, isNumeric = false, children = name }: SortedHeadingProps) {
  const order = sorting.by === by ? sorting.order : 'none';
  return (
    <Table.Th className={isNumeric ? 'numeric' : undefined} aria-sort={order} style={{ whiteSpace: 'nowrap' }}>
      {children} <SortButton order={order} onClick={() => sorting.onSort(by)} label={`Sort by ${name}`} />
    </Table.Th>
  );
}

function describeState({ status, code, failedObjects, isSettled, isHidden, exclusionReason }: ListedVisit): string {
  const flags = [
    failedObjects !== null && failedObjects > 0 && formatCount(failedObjects, 'failed object'),
    isSettled === false && 'unsettled',
    isHidden === true && 'hidden',
    exclusionReason !== null && 'excluded',
  ].filter((flag) => flag !== false);
  return [status === 'failed' ? (code ?? 'failed') : 'ok', ...flags].join(', ');
}
