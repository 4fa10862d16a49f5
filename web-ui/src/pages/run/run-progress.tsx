import { Progress, Stack } from '@mantine/core';
import type { RunDetail } from '#core/protocol/api/run.ts';
import { isOpen } from '../../api/queries.ts';
import { Facts } from '../../components/facts.tsx';
import { Term } from '../../components/term.tsx';
import { useNow } from '../../components/use-now.ts';
import { formatDuration } from '../../format/format-duration.ts';
import { formatNumber } from '../../format/format-number.ts';
import { estimateTimeLeftMs } from './estimate-time-left-ms.ts';

/** How far a Run is, in one bar and a few figures. */
export function RunProgress({ run }: { run: RunDetail }) {
  const nowEpochMs = useNow(1000);
  const startedEpochMs = run.startedAt === null ? null : Date.parse(run.startedAt);
  const endedEpochMs = run.endedAt === null ? nowEpochMs : Date.parse(run.endedAt);

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
          { label: <Term of="round">Rounds</Term>, value: `${formatNumber(run.roundsCompleted)} of ${formatNumber(run.roundsPlanned)}` },
          { label: <Term of="visit">Visits</Term>, value: formatNumber(run.visits) },
          { label: <Term of="failedVisit">Failed</Term>, value: formatNumber(run.failedVisits), isAlarming: run.failedVisits > 0 },
          { label: run.endedAt === null ? 'Running for' : 'Took', value: startedEpochMs === null ? 'not started' : formatDuration(endedEpochMs - startedEpochMs) },
          ...(isOpen(run.state) ? [{ label: 'Time left', value: describeTimeLeft(run, { startedEpochMs, nowEpochMs }) }] : []),
        ]}
      />
    </Stack>
  );
}

function describeTimeLeft(run: RunDetail, times: { startedEpochMs: number | null; nowEpochMs: number }): string {
  const { startedEpochMs, nowEpochMs } = times;
  const { pausedAt, pausedMs, roundsCompleted, roundsPlanned } = run;
  const untilEpochMs = pausedAt === null ? nowEpochMs : Date.parse(pausedAt);
  const leftMs = startedEpochMs === null ? null : estimateTimeLeftMs({ startedEpochMs, untilEpochMs, pausedMs, roundsCompleted, roundsPlanned });
  return leftMs === null ? 'known after one Round' : `about ${formatDuration(leftMs)}`;
}
