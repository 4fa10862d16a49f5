import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { evaluationsQuery } from '../../../api/queries.ts';
import { useField } from '../editor/editor-context.ts';
import { ChoiceField } from '../fields/choice-field.tsx';
import { TextField } from '../fields/text-field.tsx';

export const metricChoices = [
  { value: 'totalMs', label: 'Total page load latency' },
  { value: 'viewportMs', label: 'Viewport latency' },
  { value: 'baseMs', label: 'Base page latency' },
];

interface AboutSectionProps {
  evaluationId: string | null;
  /** Whether a new one is being stored: the list may then have it before its id is known here. */
  isStoring: boolean;
}

/** What the Evaluation is called, and what its headline compares. */
export function AboutSection({ evaluationId, isStoring }: AboutSectionProps) {
  const { value } = useField(['name']);
  const { data: evaluations = [] } = useQuery(evaluationsQuery);
  const isTaken = !isStoring && evaluations.some(({ id, name }) => id !== evaluationId && name === value);
  return (
    <Stack gap="sm">
      <TextField
        path={['name']}
        label="Name"
        isRequired
        description={
          isTaken && (
            <Text span inherit c="var(--mantine-color-yellow-light-color)" role="status">
              Another Evaluation has the same name.
            </Text>
          )
        }
      />
      <TextField path={['description']} label="Description" isLong placeholder="The question that it answers" />
      <ChoiceField
        path={['primaryMetric']}
        label="Primary metric"
        description="Of the headline. Declared before the Run, so that the choice does not depend on the result."
        choices={metricChoices}
        byDefault="totalMs"
      />
    </Stack>
  );
}
