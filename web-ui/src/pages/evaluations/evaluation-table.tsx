import { Anchor, Group, Stack, Text, Tooltip, Button } from '@mantine/core';
import { useMemo } from 'react';
import { Link } from 'react-router';
import type { EvaluationSummary } from '#core/protocol/api/evaluation-summary.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import { AnnotationView } from '../../components/annotation/annotation-view.tsx';
import { DataTable, type DataColumn, compareValues } from '../../components/data-table.tsx';
import { useSorting } from '../../components/list/use-sorting.ts';
import { reachOfRuns } from '../../components/run/run-list.tsx';
import { RunOutcomeView, OutcomeHeading } from '../../components/outcome/run-outcome-view.tsx';
import { ScenarioName } from '../../components/scenario/scenario-name.tsx';
import { styleScenarios } from '../../components/scenario/scenario-style.ts';
import { Term } from '../../components/terms/term.tsx';
import { formatNumber } from '../../format/format-numbers.ts';
import { DeleteEvaluationButton } from './delete-evaluation-button.tsx';
import type { SortOrder } from '#core/protocol/api/run-search.ts';
import { NeedsRole } from '../../access/needs-role.tsx';
import { startRun } from '../../api/run-requests.ts';
import { useStartRun } from '../../components/run/use-start-run.ts';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { ComparisonLink } from '../../components/run/comparison-link.tsx';
import { RunStateLabel, describeRunState } from '../../components/run/run-state-label.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';

export function EvaluationTable({ evaluations }: { evaluations: EvaluationSummary[] }) {
  const reach = reachOfRuns(evaluations.map(({ lastResult }) => lastResult));
  const columns = useMemo(() => columnsOf(reach), [reach]);
  const sorting = useSorting({ by: '', order: 'descending' });
  const sortBy = columns.find(({ name }) => name.toLowerCase() === sorting.by)?.sortBy;
  const rows = sortBy ? sortRows(evaluations, sortBy, sorting.order) : evaluations;
  return (
    <DataTable
      rows={rows}
      columns={columns}
      rowKey={({ id }) => id}
      minWidthPx={1000}
      verticalSpacing="sm"
      sorting={sorting}
      inParts
    />
  );
}

const columnsOf = (reach: number): DataColumn<EvaluationSummary>[] => [
  {
    name: 'Evaluation',
    heading: <Term of="evaluation">Evaluation</Term>,
    style: { maxWidth: 340 },
    sortBy: ({ name }) => name,
    cell: ({ id, name, description, tags, note }) => (
      <>
        <Anchor component={Link} to={`/evaluations/${id}`} fw={600} c="inherit" inherit>
          {name}
        </Anchor>
        {description && (
          <Text size="sm" c="dimmed" lineClamp={2}>
            {description}
          </Text>
        )}
        <AnnotationView tags={tags} note={note} isShort />
      </>
    ),
  },
  {
    name: 'Scenarios',
    isMinor: true,
    heading: <Term of="scenario">Scenarios</Term>,
    cell: ({ scenarios }) => <ScenarioNames scenarios={scenarios} />,
  },
  {
    name: 'User Agents',
    heading: <Term of="userAgent">User Agents</Term>,
    isMinor: true,
    isNumeric: true,
    sortBy: ({ userAgents }) => userAgents.length,
    cell: ({ userAgents }) => (
      <Tooltip label={userAgents.join(', ')}>
        <span tabIndex={0}>{formatNumber(userAgents.length)}</span>
      </Tooltip>
    ),
  },
  {
    name: 'URLs',
    isMinor: true,
    isNumeric: true,
    sortBy: ({ urlCount }) => urlCount,
    cell: ({ urlCount }) => formatNumber(urlCount),
  },
  {
    name: 'Last Run',
    heading: (
      <>
        Last <Term of="run">Run</Term>
      </>
    ),
    widthPx: 160,
    sortBy: ({ lastRun }) => lastRun && Number(lastRun.id),
    cell: ({ lastRun, lastResult }) => <LastRun run={lastRun} hasOutcome={lastRun?.id === lastResult?.id} />,
  },
  {
    name: 'Outcome',
    heading: <OutcomeHeading reach={reach} />,
    style: { minWidth: 260 },
    sortBy: ({ lastResult }) => (lastResult?.outcome?.kind === 'compared' ? lastResult.outcome.ratio : null),
    cell: ({ lastRun, lastResult }) =>
      lastResult ? (
        <>
          <RunOutcomeView run={lastResult} reach={reach} />
          {lastResult.id !== lastRun?.id && (
            <Text size="xs" c="dimmed">
              Run {lastResult.id}, the last one that was completed
            </Text>
          )}
        </>
      ) : (
        <AbsentValue reason="No completed Run has an outcome yet." />
      ),
  },
  {
    name: 'Actions',
    isActions: true,
    widthPx: 150,
    cell: (evaluation) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <DeleteEvaluationButton evaluation={evaluation} />
        <RunButton evaluationId={evaluation.id} evaluationName={evaluation.name} isSmall />
      </Group>
    ),
  },
];

/** More would push other Evaluations off the screen: a sweep makes dozens. */
const shownScenarios = 4;

function ScenarioNames({ scenarios }: Pick<EvaluationSummary, 'scenarios'>) {
  const styles = styleScenarios(scenarios);
  const rest = scenarios.length - shownScenarios;
  const shown = rest > 1 ? scenarios.slice(0, shownScenarios) : scenarios;
  return (
    <Stack gap={2}>
      {shown.map(({ name, baseline }) => (
        <ScenarioName key={name} name={name} style={styles.get(name)} isBaseline={baseline} />
      ))}
      {rest > 1 && (
        <Text size="xs" c="dimmed">
          and {rest} more
        </Text>
      )}
    </Stack>
  );
}

/** Rows by a value of each; those without a value come last in both orders. */
export function sortRows<Row>(
  rows: readonly Row[],
  valueOf: (row: Row) => string | number | null,
  order: SortOrder,
): Row[] {
  const sign = order === 'ascending' ? 1 : -1;
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one), valueOf(other)];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    return sign * compareValues(a, b);
  });
}

interface RunButtonProps {
  evaluationId: string;
  evaluationName: string;
  isSmall?: boolean;
}

/** Starts a Run and goes to its page. */
function RunButton({ evaluationId, evaluationName, isSmall = false }: RunButtonProps) {
  const starting = useStartRun(() => startRun(evaluationId));
  return (
    <NeedsRole role="evaluator">
      <Button
        variant={isSmall ? 'outline' : 'filled'}
        size={isSmall ? 'compact-sm' : 'sm'}
        loading={starting.isPending}
        onClick={() => starting.mutate()}
        aria-label={`Run ${evaluationName}`}
      >
        Run
      </Button>
    </NeedsRole>
  );
}

interface LastRunProps {
  run: RunSummary | null;
  /** Its outcome is beside it, and leads to its Comparison. */
  hasOutcome: boolean;
}

/** The last Run of an Evaluation: how it stands, and the ways to it and to what came out. */
function LastRun({ run, hasOutcome }: LastRunProps) {
  if (!run) {
    return (
      <Text size="sm" c="dimmed">
        never run
      </Text>
    );
  }
  return (
    <Stack gap={2} align="start">
      <Group gap="xs" style={{ rowGap: 0 }}>
        <Anchor
          component={Link}
          to={`/runs/${run.id}`}
          underline="never"
          aria-label={`Run ${run.id}, ${describeRunState(run).label}`}
        >
          <RunStateLabel run={run} />
        </Anchor>
        <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {isOpen(run.state) ? (
            `${run.roundsCompleted} of ${run.roundsPlanned} Rounds`
          ) : (
            <TimeAgo time={run.endedAt ?? run.createdAt} />
          )}
        </Text>
      </Group>
      {!hasOutcome && <ComparisonLink run={run} />}
    </Stack>
  );
}
