import { Select, Stack, Switch } from '@mantine/core';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readPath, type Path } from '../../editor/path.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { TextField } from '../../fields/text-field.tsx';

const places = [
  { value: 'both', label: 'terminal and gateway' },
  { value: 'terminal', label: 'terminal' },
  { value: 'gateway', label: 'gateway' },
];

const programs = [
  { value: 'haproxy', label: 'haproxy' },
  { value: 'pepsal', label: 'PEPsal', note: 'where you have installed it' },
];

/** The transport PEP of a Scenario. */
export function TcpPepFields({ path }: { path: Path }) {
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
          <ChoiceField path={[...path, 'program']} label="Program" choices={programs} byDefault="haproxy" />
          <TextField
            path={[...path, 'congestionControl']}
            label="Congestion control"
            placeholder="as is"
            list="tcp-variants"
          />
          <NumberField path={[...path, 'windowBytes']} label="Window" unit="bytes" byDefault="as is" />
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
