import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useMemo } from 'react';
import { measuringMs, RunStateSchema, type RunSummary } from '#core/protocol/api/run-summary.ts';
import { runPagesQuery } from '../../api/queries.ts';
import { EmptyState } from '../empty-state.tsx';
import { NextPageButton } from '../next-page-button.tsx';
import { hasFilters, ListFilters } from '../list/list-filters.tsx';
import { useAddress } from '../list/use-address.ts';
import { useSorting, type Sorting } from '../list/use-sorting.ts';
import { QueryContent } from '../query-content.tsx';
import { RunSearchSchema, type RunSearch } from '#core/protocol/api/run-search.ts';
import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { listLabels } from '#core/protocol/api/run-labels.ts';
import { describeWaiting } from '#core/protocol/meeting.ts';
import { formatCount, formatNumber } from '../../format/format-numbers.ts';
import { formatDuration } from '../../format/format-times.ts';
import { AbsentValue } from '../absent-value.tsx';
import { DataTable, type DataColumn } from '../data-table.tsx';
import { AnnotationView } from '../annotation/annotation-view.tsx';
import { RunOutcomeView, OutcomeHeading } from '../outcome/run-outcome-view.tsx';
import { RunStateLabel } from './run-state-label.tsx';
import { Term } from '../terms/term.tsx';
import { timeColumn } from '../time-ago.tsx';
import { VisitsLink } from './visits-link.tsx';
import { reachOf } from '../outcome/place-outcome.ts';

interface RunTableProps {
  runs: RunSummary[];
  /** Left out where all are of one Evaluation. */
  withEvaluation?: boolean;
  sorting: Sorting;
}

const columnsOf = ({ withEvaluation, reach }: { withEvaluation: boolean; reach: number }): DataColumn<RunSummary>[] => [
  {
    name: 'Run',
    heading: <Term of="run">Run</Term>,
    widthPx: 90,
    sortBy: ({ id }) => id,
    cell: ({ id }) => (
      <Anchor component={Link} to={`/runs/${id}`} fw={600} c="inherit" inherit>
        {id}
      </Anchor>
    ),
  },
  withEvaluation ? evaluationColumn : noteColumn,
  {
    name: 'State',
    sortBy: ({ state }) => state,
    cell: (run) => (
      <>
        <RunStateLabel run={run} />
        <Waiting run={run} />
        {run.problem && (
          <Text size="xs" c="var(--mantine-color-error)" lineClamp={1} title={run.problem}>
            {run.problem}
          </Text>
        )}
      </>
    ),
  },
  {
    name: 'Outcome',
    heading: <OutcomeHeading reach={reach} />,
    style: { minWidth: 300 },
    sortBy: ({ outcome }) => (outcome?.kind === 'compared' ? outcome.ratio : null),
    cell: (run) => <RunOutcomeView run={run} reach={reach} />,
  },
  {
    name: 'Rounds',
    heading: <Term of="round">Rounds</Term>,
    isMinor: true,
    isNumeric: true,
    sortBy: ({ roundsCompleted }) => roundsCompleted,
    cell: ({ roundsCompleted, roundsPlanned }) => `${formatNumber(roundsCompleted)} / ${formatNumber(roundsPlanned)}`,
  },
  {
    name: 'Visits',
    heading: <Term of="visit">Visits</Term>,
    isMinor: true,
    isNumeric: true,
    sortBy: ({ visits }) => visits,
    cell: ({ visits }) => formatNumber(visits),
  },
  {
    name: 'Failed',
    heading: <Term of="failedVisit">Failed</Term>,
    isMinor: true,
    isNumeric: true,
    sortBy: ({ failedVisits }) => failedVisits,
    cell: (run) => <Failed run={run} />,
  },
  { name: 'Duration', isMinor: true, isNumeric: true, sortBy: elapsedMsOf, cell: (run) => <Took run={run} /> },
  timeColumn('Started', ({ startedAt }) => startedAt, 'It has not started.'),
];

const evaluationColumn: DataColumn<RunSummary> = {
  name: 'Evaluation',
  heading: <Term of="evaluation">Evaluation</Term>,
  style: { maxWidth: 380 },
  sortBy: ({ evaluationName }) => evaluationName,
  cell: ({ id, evaluationName, tags, labels, note }) => (
    <>
      <Anchor component={Link} to={`/runs/${id}`} c="inherit" inherit>
        {evaluationName}
      </Anchor>
      <AnnotationView tags={[...tags, ...listLabels(labels)]} note={note} isShort />
    </>
  ),
};

const noteColumn: DataColumn<RunSummary> = {
  name: 'Tags and note',
  style: { maxWidth: 300 },
  cell: ({ tags, labels, note }) => <AnnotationView tags={[...tags, ...listLabels(labels)]} note={note} isShort />,
};

const typingPauseMs = 250;

interface RunListProps {
  /** The Runs of one Evaluation; of all unless it is given. */
  evaluationId?: string;
  withTries?: boolean;
  /** Shown where there is no Run at all. */
  empty: ReactNode;
}

/** Runs, found and sorted as the address says. */
export function RunList({ evaluationId, withTries = false, empty }: RunListProps) {
  const [address] = useAddress();
  const sorting = useSorting({ by: 'run', order: 'descending' });
  const [settled] = useDebouncedValue(address.toString(), typingPauseMs, { leading: true });
  const search = readRunSearch(new URLSearchParams(settled));
  const query = useInfiniteQuery({
    ...runPagesQuery({
      withTries,
      search: { ...search, ...(evaluationId !== undefined && { evaluation: evaluationId }) },
    }),
    // The list stays in its place while another one is requested.
    placeholderData: keepPreviousData,
  });
  // Until the Runs that are asked for now are there, those of before are shown, which say nothing of them.
  const isEmpty =
    !hasFilters(new URLSearchParams(settled)) &&
    !query.isPlaceholderData &&
    query.data?.pages.every((page) => page.length === 0) === true;
  return (
    <QueryContent query={query} what="The Runs">
      {({ pages }) => {
        const runs = pages.flat();
        if (isEmpty) return empty;
        return (
          <>
            <ListFilters label="Search Runs" states={RunStateSchema.options} />
            {runs.length === 0 ? (
              <EmptyState title="No matching Run">No Run matches all filters above. Clear a filter.</EmptyState>
            ) : (
              <RunTable runs={runs} withEvaluation={evaluationId === undefined} sorting={sorting} />
            )}
            <NextPageButton query={query}>Show more Runs</NextPageButton>
          </>
        );
      }}
    </QueryContent>
  );
}

/** The search of a list of Runs, read from the address of its page. What the Controller would refuse is left out: the address may come from anywhere. */
export function readRunSearch(search: URLSearchParams): RunSearch {
  const given = Object.entries(RunSearchSchema.shape).flatMap(([name, schema]) => {
    const value = search.get(name);
    return value !== null && schema.safeParse(value).success ? [[name, value] as const] : [];
  });
  return RunSearchSchema.parse(Object.fromEntries(given));
}

function RunTable({ runs, withEvaluation = true, sorting }: RunTableProps) {
  const reach = reachOfRuns(runs);
  const columns = useMemo(() => columnsOf({ withEvaluation, reach }), [withEvaluation, reach]);
  return <DataTable rows={runs} columns={columns} rowKey={({ id }) => id} minWidthPx={980} sorting={sorting} />;
}

function Waiting({ run: { waitsFor } }: { run: RunSummary }) {
  const waiting = describeWaiting(waitsFor);
  if (waiting === null) return null;
  return (
    <Text size="xs" c="dimmed" lineClamp={2} title={waiting}>
      waits for {waiting}
    </Text>
  );
}

function Failed({ run: { id, failedVisits } }: { run: RunSummary }) {
  if (failedVisits === 0) return formatNumber(0);
  return (
    <Text span inherit c="var(--mantine-color-error)">
      <VisitsLink
        filter={{ runId: id, status: 'failed' }}
        label={`${formatCount(failedVisits, 'failed Visit')} of Run ${id}`}
      >
        {formatNumber(failedVisits)}
      </VisitsLink>
    </Text>
  );
}

function Took({ run }: { run: RunSummary }) {
  if (run.endedAt === null) return <AbsentValue reason="It has not ended." />;
  const elapsedMs = elapsedMsOf(run);
  return elapsedMs === null ? <AbsentValue reason="It has not started." /> : formatDuration(elapsedMs);
}

function elapsedMsOf(run: RunSummary): number | null {
  return run.endedAt === null ? null : measuringMs(run, Date.parse(run.endedAt));
}

/** One axis for the outcomes of all these Runs. */
export function reachOfRuns(runs: readonly (Pick<RunSummary, 'outcome'> | null)[]): number {
  return reachOf(runs.flatMap((run) => (run?.outcome?.kind === 'compared' ? [run.outcome] : [])));
}
