import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { RunSummary } from '#core/protocol/api/run.ts';
import { formatCount } from '../format/format-count.ts';
import { formatDuration } from '../format/format-duration.ts';
import { formatNumber } from '../format/format-number.ts';
import { AbsentValue } from './absent-value.tsx';
import { ComparisonLink } from './comparison-link.tsx';
import { DataTable, type DataColumn } from './data-table.tsx';
import { RunStateLabel } from './run-state-label.tsx';
import { measuringMs } from '#core/protocol/api/run-times.ts';
import { Term } from './term.tsx';
import { TimeAgo } from './time-ago.tsx';
import { VisitsLink } from './visits-link.tsx';

interface RunTableProps {
  runs: RunSummary[];
  /** Left out where all are of one Evaluation. */
  withEvaluation?: boolean;
}

export function RunTable({ runs, withEvaluation = true }: RunTableProps) {
  return (
    <DataTable
      rows={runs}
      columns={withEvaluation ? columns : columnsOfOneEvaluation}
      rowKey={({ id }) => id}
      minWidthPx={860}
    />
  );
}

const columns: DataColumn<RunSummary>[] = [
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
  {
    name: 'Evaluation',
    heading: <Term of="evaluation">Evaluation</Term>,
    style: { maxWidth: 380 },
    sortBy: ({ evaluationName }) => evaluationName,
    cell: ({ id, evaluationName }) => (
      <Anchor component={Link} to={`/runs/${id}`} c="inherit" inherit>
        {evaluationName}
      </Anchor>
    ),
  },
  {
    name: 'State',
    sortBy: ({ state }) => state,
    cell: (run) => (
      <>
        <RunStateLabel run={run} />
        {run.problem && (
          <Text size="xs" c="var(--mantine-color-error)" lineClamp={1} title={run.problem}>
            {run.problem}
          </Text>
        )}
      </>
    ),
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
  { name: 'Actions', isActions: true, isNumeric: true, widthPx: 120, cell: (run) => <ComparisonLink run={run} /> },
];
const columnsOfOneEvaluation = columns.filter(({ name }) => name !== 'Evaluation');

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
