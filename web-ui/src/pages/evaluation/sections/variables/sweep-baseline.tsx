import { Select } from '@mantine/core';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readPath, type Path } from '../../editor/path.ts';
import { chooseBaseline, type ScenarioEntry } from '../../editor/sweep/change-sweep.ts';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { LinesField } from '../../fields/lines-field.tsx';
import { readCombination, writeCombination } from './swept-text.ts';

const kinds = [
  { value: 'none', label: 'none of them' },
  { value: 'some', label: 'those with these values' },
  { value: 'all', label: 'all: each has a group of its own' },
];

/** Which Scenarios of a sweep are baselines. */
export function SweepBaseline({ path }: { path: Path }) {
  const { input } = useEditor();
  const own = [...path, 'baseline'];
  const { value, error, set } = useField(own);
  const kind = value === true ? 'all' : value === undefined || value === false ? 'none' : 'some';
  const choose = (next: string | null) => {
    if (next === null || next === kind) return;
    const values = { none: undefined, all: true, some: chooseBaseline((readPath(input, path) ?? {}) as ScenarioEntry) };
    set(values[next as keyof typeof values]);
  };
  return (
    <FieldsRow least="14rem">
      <Select
        label="Baseline"
        data={kinds}
        value={kind}
        error={kind === 'some' ? null : error}
        allowDeselect={false}
        onChange={choose}
      />
      {kind === 'some' && (
        <LinesField
          path={own}
          label="Values of the baseline"
          isRequired
          write={writeCombination}
          read={readCombination}
        />
      )}
    </FieldsRow>
  );
}
