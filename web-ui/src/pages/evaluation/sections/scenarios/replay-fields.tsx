import { ReplaySchema, replayWords } from '#core/evaluation/network/replay.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { readPath, type Path } from '../../editor/path.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { SettingFields } from '../../fields/setting-fields.tsx';

/** Other factors are written in the YAML. */
const shares = [
  { value: 'recorded', label: 'as recorded', stored: undefined },
  'none',
  { value: '0.5', label: 'half as long', stored: 0.5 },
  { value: '2', label: 'twice as long', stored: 2 },
];

/** How pages of Sites are replayed, where a URL list has one. `path`: of the network. */
export function ReplayFields({ path }: { path: Path }) {
  const { input } = useEditor();
  if (readPath(input, path) === undefined) return null;
  const replay: Path = [...path, 'replay'];
  if (!hasSites(readPath(input, ['urlLists'])) && readPath(input, replay) === undefined) return null;
  return (
    <FieldsRow>
      {(['thinkTime', 'distance'] as const).map((name) => (
        <ChoiceField
          key={name}
          path={[...replay, name]}
          label={replayWords[name].label}
          choices={shares}
          byDefault="recorded"
        />
      ))}
      <SettingFields path={replay} schema={ReplaySchema} words={replayWords} names={['protocol']} />
    </FieldsRow>
  );
}

function hasSites(urlLists: unknown): boolean {
  if (typeof urlLists !== 'object' || urlLists === null) return false;
  return Object.values(urlLists)
    .flat()
    .some((entry: unknown) => typeof entry === 'object' && entry !== null && 'site' in entry);
}
