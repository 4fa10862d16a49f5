import { Anchor, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { RunSummary } from '#core/protocol/api/run.ts';
import { isOpen } from '../../api/queries.ts';
import { RunStateLabel } from '../../components/run-state-label.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';

/** The last Run of an Evaluation: how it stands, and the way to it. */
export function LastRun({ run }: { run: RunSummary | null }) {
  if (!run) {
    return (
      <Text size="sm" c="dimmed">
        never run
      </Text>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <Anchor component={Link} to={`/runs/${run.id}`} underline="never" aria-label={`Run ${run.id}, ${run.pausedAt === null ? run.state : 'paused'}`}>
        <RunStateLabel state={run.state} isPaused={run.pausedAt !== null} />
      </Anchor>
      <Text size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {isOpen(run.state) ? `${run.roundsCompleted} of ${run.roundsPlanned} Rounds` : <TimeAgo time={run.endedAt ?? run.createdAt} />}
      </Text>
    </Group>
  );
}
