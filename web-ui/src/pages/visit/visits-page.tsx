import { Anchor, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { LatencyLimitSchema, VisitStatusSchema } from '#core/protocol/api/listed-visit.ts';
import { runQuery, visitPagesQuery } from '../../api/queries.ts';
import type { VisitFilter } from '../../api/reports.ts';
import { readVisitFilter } from '../../api/visit-search.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { NextPageButton } from '../../components/next-page-button.tsx';
import { useAddress } from '../../components/list/use-address.ts';
import { useSorting } from '../../components/list/use-sorting.ts';
import { PageHeader } from '../../components/page-header.tsx';
import { ProblemAlert } from '../../components/problem-alert.tsx';
import { QueryContent } from '../../components/query-content.tsx';
import { RowsSkeleton } from '../../components/rows-skeleton.tsx';
import { markTraits } from '#core/evaluation/scenarios/scenario-trait.ts';
import { styleScenarios } from '../../components/scenario/scenario-style.ts';
import { Term } from '../../components/terms/term.tsx';
import { formatCount } from '../../format/format-numbers.ts';
import { formatTime } from '../../format/format-times.ts';
import { VisitTable } from './visit-table.tsx';

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

/** Whether it leaves Visits out. */
function isFiltered({ scenario, url, userAgent, status, atLeastMs, atMostMs }: VisitFilter): boolean {
  return [scenario, url, userAgent, status, atLeastMs, atMostMs].some((part) => part != null);
}

interface NoVisitsProps {
  run: Pick<RunDetail, 'visitsDeletedAt'>;
  isFiltered: boolean;
}

export function NoVisits({ run: { visitsDeletedAt }, isFiltered: hasFilter }: NoVisitsProps) {
  if (visitsDeletedAt !== null)
    return (
      <EmptyState title="The Visits were deleted">
        The retention setting kept them until {formatTime(visitsDeletedAt).slice(0, 10)}. The Comparison has the means
        and reductions that are kept.
      </EmptyState>
    );
  return (
    <EmptyState title={hasFilter ? 'No matching Visits' : 'No Visits'}>
      {hasFilter
        ? 'No Visit of this Run matches all filters above. Clear a filter.'
        : 'Visits are listed when their Round is completed.'}{' '}
      Visits of the warm-up and of broken Rounds are on the page of the Run.
    </EmptyState>
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
  if (visits.length === 0) return <NoVisits run={run} isFiltered={isFiltered(filter)} />;
  const styles = styleScenarios(markTraits(run.evaluation.scenarios));
  return (
    <>
      <VisitTable visits={visits} runId={run.id} styles={styles} sorting={sorting} />
      <NextPageButton query={pages}>Show more ({formatCount(visits.length, 'Visit')} shown)</NextPageButton>
    </>
  );
}
