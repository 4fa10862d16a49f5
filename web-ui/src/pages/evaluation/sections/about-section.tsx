import { Stack } from '@mantine/core';
import { ChoiceField } from '../fields/choice-field.tsx';
import { TextField } from '../fields/text-field.tsx';

export const metricChoices = [
  { value: 'totalMs', label: 'Total page load latency' },
  { value: 'viewportMs', label: 'Viewport latency' },
  { value: 'baseMs', label: 'Base page latency' },
];

/** What the Evaluation is called, and what its headline compares. */
export function AboutSection() {
  return (
    <Stack gap="sm">
      <TextField path={['name']} label="Name" isRequired />
      <TextField path={['description']} label="Description" isLong placeholder="The question that it answers" />
      <ChoiceField path={['primaryMetric']} label="The headline compares" description="Declared before the Run, so that nobody chooses after having seen the figures." choices={metricChoices} byDefault="totalMs" />
    </Stack>
  );
}
