import { Anchor, Table, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { RunSummary } from '#core/protocol/api/run.ts';
import { formatCount } from '../format/format-count.ts';
import { formatDuration } from '../format/format-duration.ts';
import { formatNumber } from '../format/format-number.ts';
import { AbsentValue } from './absent-value.tsx';
import { ActionsHeader } from './actions-header.tsx';
import { ComparisonLink } from './comparison-link.tsx';
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
    <Table.ScrollContainer minWidth={760}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w={80}>
              <Term of="run">Run</Term>
            </Table.Th>
            {withEvaluation && (
              <Table.Th>
                <Term of="evaluation">Evaluation</Term>
              </Table.Th>
            )}
            <Table.Th>State</Table.Th>
            <Table.Th className="numeric">
              <Term of="round">Rounds</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="visit">Visits</Term>
            </Table.Th>
            <Table.Th className="numeric">
              <Term of="failedVisit">Failed</Term>
            </Table.Th>
            <Table.Th className="numeric">Duration</Table.Th>
            <Table.Th className="numeric">Started</Table.Th>
            <ActionsHeader widthPx={120} />
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {runs.map((run) => (
            <Table.Tr key={run.id}>
              <Table.Td>
                <Anchor component={Link} to={`/runs/${run.id}`} fw={600} c="inherit" inherit>
                  {run.id}
                </Anchor>
              </Table.Td>
              {withEvaluation && (
                <Table.Td maw={380}>
                  <Anchor component={Link} to={`/runs/${run.id}`} c="inherit" inherit>
                    {run.evaluationName}
                  </Anchor>
                </Table.Td>
              )}
              <Table.Td>
                <RunStateLabel run={run} />
                {run.problem && (
                  <Text size="xs" c="var(--mantine-color-error)" lineClamp={1} title={run.problem}>
                    {run.problem}
                  </Text>
                )}
              </Table.Td>
              <Table.Td className="numeric">
                {formatNumber(run.roundsCompleted)} / {formatNumber(run.roundsPlanned)}
              </Table.Td>
              <Table.Td className="numeric">{formatNumber(run.visits)}</Table.Td>
              <Table.Td className="numeric">
                <Failed run={run} />
              </Table.Td>
              <Table.Td className="numeric">
                <Took run={run} />
              </Table.Td>
              <Table.Td className="numeric">
                {run.startedAt ? <TimeAgo time={run.startedAt} /> : <AbsentValue reason="It has not started." />}
              </Table.Td>
              <Table.Td className="numeric">
                <ComparisonLink run={run} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
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
  const elapsedMs = measuringMs(run, Date.parse(run.endedAt));
  return elapsedMs === null ? <AbsentValue reason="It has not started." /> : formatDuration(elapsedMs);
}
