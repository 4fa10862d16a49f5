import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';

/** To the Comparison of a Run; nothing where there is none yet. */
export function ComparisonLink({ run: { id, state, roundsCompleted } }: { run: RunSummary }) {
  if (isOpen(state) || roundsCompleted === 0) return null;
  return (
    <Anchor component={Link} to={`/runs/${id}/comparison`} size="sm" aria-label={`Comparison of Run ${id}`}>
      Comparison
    </Anchor>
  );
}
