import { TextInput, Textarea, type TextInputProps } from '@mantine/core';
import type { ReactNode } from 'react';
import { useField } from '../editor/editor-context.ts';
import type { Path } from '../editor/path.ts';

interface TextFieldProps extends Pick<
  TextInputProps,
  'placeholder' | 'description' | 'w' | 'disabled' | 'list' | 'flex' | 'miw'
> {
  path: Path;
  label?: ReactNode;
  /** For where the label is that of a column. */
  'aria-label'?: string;
  /** An emptied field stays as an empty text, which validation reports as missing; others are removed. */
  isRequired?: boolean;
  /** Whether digits are a number: of an OS user they are. */
  takesNumbers?: boolean;
  isLong?: boolean;
  isCode?: boolean;
}

/** A text of the Evaluation. */
export function TextField({
  path,
  isRequired = false,
  takesNumbers = false,
  isLong = false,
  isCode = false,
  ...input
}: TextFieldProps) {
  const { value, error, set } = useField(path);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
  const take = (next: string) => {
    if (next === '' && !isRequired) set(undefined);
    else set(takesNumbers && /^\d{1,15}$/.test(next) ? Number(next) : next);
  };
  const styles = isCode ? { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } } : {};
  if (isLong) {
    return (
      <Textarea
        label={input.label}
        placeholder={input.placeholder ?? ''}
        description={input.description}
        value={text}
        error={error}
        autosize
        minRows={1}
        maxRows={8}
        onChange={(event) => take(event.currentTarget.value)}
      />
    );
  }
  return (
    <TextInput
      {...input}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      styles={styles}
      value={text}
      error={error}
      onChange={(event) => take(event.currentTarget.value)}
      spellCheck={!isCode}
      autoComplete="off"
    />
  );
}
