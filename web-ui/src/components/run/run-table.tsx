import { Anchor, Text } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import { listLabels } from '#core/protocol/api/run-labels.ts';
import type { RunSummary } from '#core/protocol/api/run.ts';
import { describeWaiting } from '#core/run-queue/meeting.ts';
import { formatCount } from '../../format/format-count.ts';
import { formatDuration } from '../../format/format-duration.ts';
import { formatNumber } from '../../format/format-number.ts';
import { AbsentValue } from '../absent-value.tsx';
import { DataTable, type DataColumn } from '../data-table.tsx';
import { AnnotationView } from '../annotation/annotation-view.tsx';
import type { Sorting } from '../list/use-sorting.ts';
import { OutcomeHeading } from '../outcome/outcome-heading.tsx';
import { reachOfRuns } from '../outcome/reach-of-runs.ts';
import { RunOutcomeView } from '../outcome/run-outcome-view.tsx';
import { RunStateLabel } from './run-state-label.tsx';
import { measuringMs } from '#core/protocol/api/run-times.ts';
import { Term } from '../terms/term.tsx';
import { TimeAgo } from '../time-ago.tsx';
import { VisitsLink } from './visits-link.tsx';

interface RunTableProps {
  runs: RunSummary[];
  /** Left out where all are of one Evaluation. */
  withEvaluation?: boolean;
  sorting: Sorting;
}

export function RunTable({ runs, withEvaluation = true, sorting }: RunTableProps) {
  const reach = reachOfRuns(runs);
  const columns = useMemo(() => columnsOf({ withEvaluation, reach }), [withEvaluation, reach]);
  return <DataTable rows={runs} columns={columns} rowKey={({ id }) => id} minWidthPx={980} sorting={sorting} />;
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
    isNumeric: true,
    sortBy: ({ roundsCompleted }) => roundsCompleted,
    cell: ({ roundsCompleted, roundsPlanned }) => `${formatNumber(roundsCompleted)} / ${formatNumber(roundsPlanned)}`,
  },
  {
    name: 'Visits',
    heading: <Term of="visit">Visits</Term>,
    isNumeric: true,
    sortBy: ({ visits }) => visits,
    cell: ({ visits }) => formatNumber(visits),
  },
  {
    name: 'Failed',
    heading: <Term of="failedVisit">Failed</Term>,
    isNumeric: true,
    sortBy: ({ failedVisits }) => failedVisits,
    cell: (run) => <Failed run={run} />,
  },
  { name: 'Duration', isNumeric: true, sortBy: elapsedMsOf, cell: (run) => <Took run={run} /> },
  {
    name: 'Started',
    isNumeric: true,
    sortBy: ({ startedAt }) => startedAt,
    cell: ({ startedAt }) => (startedAt ? <TimeAgo time={startedAt} /> : <AbsentValue reason="It has not started." />),
  },
];

function Waiting({ run: { waitsFor } }: { run: RunSummary }) {
  const waiting = describeWaiting(waitsFor);
  if (waiting === null) return null;
  return (
    <Text size="xs" c="dimmed" lineClamp={2} title={waiting}>
      waits for {waiting}
    </Text>
  );
}

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
