import { Stack, Switch, Select } from '@mantine/core';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readPath, type Path } from '../../editor/path.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { DirectionFields, presetChoices, presetOf } from './link-fields.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { SettingFields } from '../../fields/setting-fields.tsx';
import { TcpPepSchema, tcpPepWords } from '#core/evaluation/network/tcp-pep.ts';

const places = [
  { value: 'both', label: 'terminal and gateway' },
  { value: 'terminal', label: 'terminal' },
  { value: 'gateway', label: 'gateway' },
];

/** What lies beyond the ends of the emulated link, and the proxy in its nodes. `path`: of the network. */
export function PathFields({ path }: { path: Path }) {
  const { input, change } = useEditor();
  const own = [...path, 'path'];
  const { error } = useField(own);
  if (readPath(input, path) === undefined) return null;
  const isOn = readPath(input, own) !== undefined;
  const set = (on: boolean) =>
    change(
      on
        ? [{ path: own, value: {} }]
        : [
            { path: own, value: undefined },
            { path: [...path, 'tcpPep'], value: undefined },
          ],
    );
  return (
    <Stack gap="sm">
      <Switch
        label="A terminal and a gateway at the ends of the link"
        description="With segments beyond them, and a proxy of the transport layer in them."
        checked={isOn}
        error={error}
        onChange={({ currentTarget }) => set(currentTarget.checked)}
      />
      {isOn && (
        <>
          <SegmentFields path={[...own, 'access']} title="Access segment" detail="between users and terminal" />
          <SegmentFields
            path={[...own, 'terrestrial']}
            title="Terrestrial segment"
            detail="between gateway and origins"
          />
          <TcpPepFields path={[...path, 'tcpPep']} />
        </>
      )}
    </Stack>
  );
}

function SegmentFields({ path, title, detail }: { path: Path; title: string; detail: string }) {
  const { input, change } = useEditor();
  const { error } = useField(path);
  const isOn = readPath(input, path) !== undefined;
  const preset = presetOf(input, path);
  return (
    <Stack gap="sm" role="group" aria-label={title}>
      <Switch
        label={`${title}, ${detail}`}
        checked={isOn}
        error={error}
        onChange={({ currentTarget }) =>
          change([{ path, value: currentTarget.checked ? { preset: 'none' } : undefined }])
        }
      />
      {isOn && (
        <>
          <ChoiceField
            path={[...path, 'preset']}
            label="Link"
            choices={presetChoices}
            isOptional
            placeholder="custom values"
          />
          <DirectionFields path={[...path, 'forward']} title="To the users (forward)" preset={preset?.forward} />
          <DirectionFields path={[...path, 'return']} title="From the users (return)" preset={preset?.return} />
        </>
      )}
    </Stack>
  );
}

/** The transport PEP of a Scenario. */
function TcpPepFields({ path }: { path: Path }) {
  const { input, change } = useEditor();
  const { error } = useField(path);
  const isOn = readPath(input, path) !== undefined;
  return (
    <Stack gap="sm" role="group" aria-label="Transport PEP">
      <Switch
        label="Transport PEP: each TCP connection is split"
        description="TLS stays from end to end."
        checked={isOn}
        error={error}
        onChange={({ currentTarget }) => change([{ path, value: currentTarget.checked ? {} : undefined }])}
      />
      {isOn && (
        <FieldsRow least="11rem">
          <PlaceField path={[...path, 'at']} />
          <SettingFields path={path} schema={TcpPepSchema} words={tcpPepWords} />
        </FieldsRow>
      )}
    </Stack>
  );
}

/** A node, or a list of nodes. */
function PlaceField({ path }: { path: Path }) {
  const { value = ['terminal', 'gateway'], error, set } = useField(path);
  const named: unknown[] = Array.isArray(value) ? value : [value];
  return (
    <Select
      label="Splits at"
      data={places}
      value={named.length === 1 ? String(named[0]) : 'both'}
      error={error}
      allowDeselect={false}
      checkIconPosition="right"
      onChange={(place) => set(place === 'both' ? undefined : place)}
    />
  );
}
