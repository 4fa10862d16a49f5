import { Anchor, Group, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import type { RunSummary } from '#core/protocol/api/run.ts';
import { isOpen } from '../../api/queries.ts';
import { ComparisonLink } from '../../components/run/comparison-link.tsx';
import { describeRunState } from '../../components/run/describe-run-state.ts';
import { RunStateLabel } from '../../components/run/run-state-label.tsx';
import { TimeAgo } from '../../components/time-ago.tsx';

interface LastRunProps {
  run: RunSummary | null;
  /** Its outcome is beside it, and leads to its Comparison. */
  hasOutcome: boolean;
}

/** The last Run of an Evaluation: how it stands, and the ways to it and to what came out. */
export function LastRun({ run, hasOutcome }: LastRunProps) {
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
