import { Progress, Stack } from '@mantine/core';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { isOpen } from '../../api/queries.ts';
import { Facts } from '../../components/facts.tsx';
import { estimateTimeLeftMs, measuringMs } from '#core/protocol/api/run-times.ts';
import { Term } from '../../components/terms/term.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatDuration } from '../../format/format-duration.ts';
import { formatNumber } from '../../format/format-number.ts';

/** How far a Run is, in one bar and a few figures. */
export function RunProgress({ run }: { run: RunDetail }) {
  const elapsedMs = measuringMs(run, useNow(1000));

  return (
    <Stack gap="sm">
      <Progress
        value={(100 * run.roundsCompleted) / run.roundsPlanned}
        size="sm"
        color={isOpen(run.state) ? 'iris' : 'gray'}
        aria-label={`${run.roundsCompleted} of ${run.roundsPlanned} Rounds completed`}
      />
      <Facts
        facts={[
          {
            label: <Term of="round">Rounds</Term>,
            value: `${formatNumber(run.roundsCompleted)} of ${formatNumber(run.roundsPlanned)}`,
          },
          { label: <Term of="visit">Visits</Term>, value: formatNumber(run.visits) },
          {
            label: <Term of="failedVisit">Failed</Term>,
            value: formatNumber(run.failedVisits),
            isAlarming: run.failedVisits > 0,
          },
          {
            label: run.endedAt === null ? 'Running for' : 'Duration',
            value: elapsedMs === null ? 'not started' : formatDuration(elapsedMs),
          },
          ...(isOpen(run.state) ? [{ label: 'Time left', value: describeTimeLeft(run, elapsedMs) }] : []),
        ]}
      />
    </Stack>
  );
}

function describeTimeLeft(run: RunDetail, elapsedMs: number | null): string {
  const leftMs = elapsedMs === null ? null : estimateTimeLeftMs(run, elapsedMs);
  return leftMs === null ? 'known after one Round' : `about ${formatDuration(leftMs)}`;
}
