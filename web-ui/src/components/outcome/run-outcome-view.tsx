import { Anchor, Group, Text, VisuallyHidden } from '@mantine/core';
import { Link } from 'react-router';
import type { RunSummary } from '#core/protocol/api/run.ts';
import { isOpen } from '../../api/queries.ts';
import { formatCount } from '../../format/format-count.ts';
import { AbsentValue } from '../absent-value.tsx';
import { ComparisonLink } from '../run/comparison-link.tsx';
import { ValuesInText } from '../values-in-text.tsx';
import { OutcomeMark } from './outcome-mark.tsx';

interface RunOutcomeViewProps {
  run: RunSummary;
  /** Of the axis, which is the same in the whole list. */
  reach: number;
}

/** What came out of a Run: its mark and words, which lead to the Comparison. */
export function RunOutcomeView({ run, reach }: RunOutcomeViewProps) {
  const { id, state, outcome, roundsCompleted } = run;
  if (isOpen(state)) return <AbsentValue reason="The Run has not ended." />;
  if (roundsCompleted === 0) return <AbsentValue reason="No Round was completed." />;
  if (outcome === null) {
    return (
      <Group gap="xs" wrap="nowrap">
        <AbsentValue reason="It is computed soon, or after the Run that is under way. The Comparison shows it at once." />
        <ComparisonLink run={run} />
      </Group>
    );
  }
  const words = (
    <Anchor component={Link} to={`/runs/${id}/comparison`} inherit c="inherit">
      <VisuallyHidden>Comparison of Run {id}: </VisuallyHidden>
      {outcome.kind === 'none' ? `Nothing compared: ${outcome.text}` : <ValuesInText text={outcome.text} />}
    </Anchor>
  );
  if (outcome.kind === 'none') {
    return (
      <Text component="div" size="sm" c="dimmed">
        {words}
      </Text>
    );
  }
  return (
    <Group gap="xs" wrap="nowrap">
      <OutcomeMark outcome={outcome} reach={reach} />
      <Text component="div" size="sm" miw={0} style={{ overflowWrap: 'anywhere' }}>
        {words}
        {outcome.otherScenarios > 0 && (
          <Text span inherit c="dimmed">
            {' '}
            and {formatCount(outcome.otherScenarios, 'more Scenario')}
          </Text>
        )}
      </Text>
    </Group>
  );
}
