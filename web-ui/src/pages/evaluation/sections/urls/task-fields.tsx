import { Stack } from '@mantine/core';
import { taskNames, techniques } from '#core/evaluation/pages/real-time-task.ts';
import type { Path } from '../../editor/path.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { TextField } from '../../fields/text-field.tsx';

/** A task of the real-time web: who sends, how, from which origin, and how many messages. */
export function TaskFields({ path, number }: { path: Path; number: number }) {
  return (
    <Stack gap={4} role="group" aria-label={`Task ${number}`}>
      <FieldsRow least="8rem">
        <ChoiceField path={[...path, 'task']} label="Task" choices={taskNames} />
        <ChoiceField path={[...path, 'by']} label="By" choices={techniques} />
      </FieldsRow>
      <TextField
        path={[...path, 'origin']}
        label="Origin"
        description="An origin of HTTP-AE, such as http://198.19.0.1:8080."
        isRequired
        isCode
      />
      <FieldsRow least="6rem">
        <NumberField path={[...path, 'messages']} label="Messages" byDefault={100} />
        <NumberField path={[...path, 'payloadBytes']} label="Payload" unit="bytes" byDefault={100} />
        <NumberField path={[...path, 'gapMs']} label="Gap" unit="ms" byDefault={200} />
      </FieldsRow>
    </Stack>
  );
}
