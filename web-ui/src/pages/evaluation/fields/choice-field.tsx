import { Select, type SelectProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useField } from '../editor/editor-context.ts';
import type { Path } from '../editor/path.ts';

interface ChoiceFieldProps extends Pick<SelectProps, 'description' | 'w' | 'placeholder' | 'disabled' | 'flex' | 'miw'> {
  path: Path;
  label?: ReactNode;
  'aria-label'?: string;
  choices: readonly (string | { value: string; label: string; disabled?: boolean })[];
  /** What holds when nothing is written. */
  byDefault?: string;
  /** Whether nothing may be chosen. */
  isOptional?: boolean;
}

/** One of some values. A value that is none of them is shown all the same, with what is wrong with it. */
export function ChoiceField({ path, choices, byDefault, isOptional = false, ...input }: ChoiceFieldProps) {
  const { value, error, set } = useField(path);
  const written = typeof value === 'string' ? value : (byDefault ?? null);
  const data = choices.map((choice) => (typeof choice === 'string' ? { value: choice, label: choice } : choice));
  if (written !== null && !data.some((choice) => choice.value === written)) data.push({ value: written, label: written });
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
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      onChange={(next) => set(next ?? undefined)}
    />
  );
}
