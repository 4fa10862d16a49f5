import { Select, Text, type SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useField, useSweptVariables } from '../editor/editor-context.ts';
import type { Path } from '../editor/path.ts';

interface Choice {
  value: string;
  label: string;
  /** Why not to choose it, shown in the list. */
  note?: string | undefined;
  disabled?: boolean;
  /** What is written, where it is not the value. */
  stored?: boolean | number | undefined;
}

interface ChoiceFieldProps extends Pick<
  SelectProps,
  'description' | 'w' | 'placeholder' | 'disabled' | 'flex' | 'miw'
> {
  path: Path;
  label?: ReactNode;
  'aria-label'?: string;
  choices: readonly (string | Choice)[];
  /** What holds when nothing is written. */
  byDefault?: string;
  /** Whether nothing may be chosen. */
  isOptional?: boolean;
}

/** One of some values. A value that is none of them is shown all the same, with what is wrong with it. */
export function ChoiceField({ path, choices, byDefault, isOptional = false, ...input }: ChoiceFieldProps) {
  const { value, error, set } = useField(path);
  const swept = useSweptVariables(path);
  const data = [
    ...choices,
    ...swept.map((name) => ({ value: `{${name}}`, label: `{${name}}`, note: 'by the sweep' })),
  ].map((choice): Choice => (typeof choice === 'string' ? { value: choice, label: choice } : choice));
  const stored = data.find((choice) => 'stored' in choice && choice.stored === value);
  const other = typeof value === 'number' ? String(value) : byDefault;
  const written = typeof value === 'string' ? value : (stored?.value ?? other ?? null);
  if (written !== null && !data.some((choice) => choice.value === written))
    data.push({ value: written, label: written });
  return (
    <Select
      {...input}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      data={data}
      value={written}
      error={error}
      allowDeselect={false}
      clearable={isOptional && written !== null}
      checkIconPosition="right"
      renderOption={({ option }) => <ChoiceOption choice={option} />}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      onChange={(next) => {
        const choice = data.find((each) => each.value === next);
        set(choice && 'stored' in choice ? choice.stored : (next ?? undefined));
      }}
    />
  );
}

function ChoiceOption({ choice: { label, note } }: { choice: Choice }) {
  return (
    <>
      {label}
      {note && (
        <Text span size="xs" c="dimmed">
          {note}
        </Text>
      )}
    </>
  );
}
