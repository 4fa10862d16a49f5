import { Textarea, type TextareaProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useField } from '../editor/editor-context.ts';
import type { Path } from '../editor/path.ts';

interface LinesFieldProps extends Pick<TextareaProps, 'placeholder' | 'description' | 'disabled'> {
  path: Path;
  label?: ReactNode;
  'aria-label'?: string;
  /** What a value of the Evaluation is as lines, and back. */
  write: (value: unknown) => string;
  read: (text: string) => unknown;
  /** An emptied field stays, for validation to report; others are removed. */
  isRequired?: boolean;
}

/** A list or a mapping as a text of lines. What was typed stays as it was while it means what is stored. */
export function LinesField({ path, write, read, isRequired = false, ...input }: LinesFieldProps) {
  const { value, error, set } = useField(path, { isWhole: true });
  const [typed, setTyped] = useState<string | null>(null);
  const stored = write(value);
  const text = typed !== null && write(read(typed)) === stored ? typed : stored;
  return (
    <Textarea
      {...input}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={text}
      error={error}
      autosize
      minRows={1}
      maxRows={10}
      spellCheck={false}
      styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        set(currentTarget.value.trim() === '' && !isRequired ? undefined : read(currentTarget.value));
      }}
    />
  );
}
