import { Select } from '@mantine/core';
import type { Rest } from '#core/evaluation/users/rest.ts';
import { useEditor, useField } from '../editor/editor-context.ts';
import type { Path } from '../editor/path.ts';
import { NumberField } from './number-field.tsx';

interface RestFieldProps {
  path: Path;
  /** What holds when nothing is written. */
  byDefault: Rest;
}

const drawn = 'exponential';

/** The rest before each Visit: a fixed one, or think times drawn at random. */
export function RestField({ path, byDefault }: RestFieldProps) {
  const { change } = useEditor();
  const { value: written, error } = useField(path);
  const inherited = typeof byDefault === 'number' ? 'fixed' : drawn;
  const kind = written === undefined ? inherited : isDrawn(written) ? drawn : 'fixed';
  const isInherited = kind === inherited;
  const placeholder = typeof byDefault === 'number' ? byDefault : byDefault.exponential;
  const choose = (next: string | null) => {
    if (next === null || next === kind) return;
    const ms = isDrawn(written) ? written.exponential : (written ?? placeholder);
    change([{ path, value: next === drawn ? { exponential: ms } : ms }]);
  };
  return (
    <>
      <Select
        label="Rest before a Visit"
        value={kind}
        error={kind === drawn && error}
        allowDeselect={false}
        data={[
          { value: 'fixed', label: 'fixed minimum' },
          { value: drawn, label: 'random' },
        ]}
        onChange={choose}
      />
      <NumberField
        path={kind === drawn ? [...path, drawn] : path}
        label={kind === drawn ? 'Mean think time' : 'Minimum rest'}
        unit="ms"
        {...(isInherited ? { byDefault: placeholder } : { isRequired: true })}
      />
    </>
  );
}

function isDrawn(value: unknown): value is { exponential: unknown } {
  return typeof value === 'object' && value !== null;
}
