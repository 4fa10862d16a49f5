import { TextInput, type TextInputProps } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useField } from '../editor/editor-context.ts';
import type { Path } from '../editor/path.ts';

interface NumberFieldProps extends Pick<TextInputProps, 'description' | 'w' | 'disabled' | 'flex' | 'miw'> {
  path: Path;
  label?: ReactNode;
  'aria-label'?: string;
  /** Shown after the figure. */
  unit?: string | undefined;
  /** What holds when nothing is written. */
  byDefault?: number | string | undefined;
  /** What is shown and typed for each 1 that is stored: 100 for a ratio in percent. */
  scale?: number;
  isRequired?: boolean;
}

/** A number of the Evaluation. Text that is not a number stays as typed, and validation rejects it. */
export function NumberField({ path, unit, byDefault, scale = 1, isRequired = false, ...input }: NumberFieldProps) {
  const { value, error, set } = useField(path, { isWhole: true });
  const [typed, setTyped] = useState<string | null>(null);
  const stored = show(value, scale);
  // Of `{rateKbps}` the sweep has the value, and it needs the room.
  const shownUnit = stored.startsWith('{') ? undefined : unit;
  const isSame = typed !== null && show(readNumber(typed, scale), scale) === stored;
  return (
    <TextInput
      {...input}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      inputMode="decimal"
      autoComplete="off"
      value={isSame ? typed : stored}
      placeholder={byDefault === undefined ? '' : String(byDefault)}
      error={error}
      rightSection={
        shownUnit && (
          <span style={{ fontSize: '0.8125rem', color: 'var(--mantine-color-dimmed)', whiteSpace: 'nowrap' }}>
            {shownUnit}
          </span>
        )
      }
      rightSectionWidth={shownUnit ? 18 + shownUnit.length * 7.5 : 0}
      rightSectionPointerEvents="none"
      styles={{ input: { fontVariantNumeric: 'tabular-nums' } }}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        set(currentTarget.value.trim() === '' && !isRequired ? undefined : readNumber(currentTarget.value, scale));
      }}
    />
  );
}

/** The comma of `2,5` is that of decimals. That of `1,500` may be one of thousands: it stays a text. */
export function readNumber(text: string, scale: number): unknown {
  const trimmed = text.trim().replace(/^(?![1-9]\d{0,2},\d{3}$)(\d+),(\d+)$/, '$1.$2');
  if (trimmed === '') return '';
  const number = Number(trimmed);
  return Number.isFinite(number) ? Number((number / scale).toPrecision(12)) : text;
}

function show(value: unknown, scale: number): string {
  if (typeof value === 'number') return String(Number((value * scale).toPrecision(12)));
  return typeof value === 'string' ? value : '';
}
