import { Select } from '@mantine/core';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readPath, type Path } from '../../editor/path.ts';
import { DirectionsFields, PresetField } from './link-fields.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { SettingFields } from '../../fields/setting-fields.tsx';
import { SwitchedFields } from '../../fields/switch-field.tsx';
import { TcpPepSchema, tcpPepWords } from '#core/evaluation/network/tcp-pep.ts';

const places = [
  { value: 'both', label: 'terminal and gateway' },
  { value: 'terminal', label: 'terminal' },
  { value: 'gateway', label: 'gateway' },
];

/** What lies beyond the ends of the emulated link, and the proxy in its nodes. `path`: of the network. */
export function PathFields({ path }: { path: Path }) {
  const { input } = useEditor();
  if (readPath(input, path) === undefined) return null;
  const own = [...path, 'path'];
  const tcpPep = [...path, 'tcpPep'];
  return (
    <SwitchedFields
      path={own}
      label="A terminal and a gateway at the ends of the link"
      description="With segments beyond them, and a proxy of the transport layer in them."
      others={[tcpPep]}
    >
      <SegmentFields path={[...own, 'access']} title="Access segment" detail="between users and terminal" />
      <SegmentFields path={[...own, 'terrestrial']} title="Terrestrial segment" detail="between gateway and origins" />
      <SwitchedFields
        path={tcpPep}
        label="Transport PEP: each TCP connection is split"
        description="TLS stays from end to end."
        group="Transport PEP"
      >
        <FieldsRow least="11rem">
          <PlaceField path={[...tcpPep, 'at']} />
          <SettingFields path={tcpPep} schema={TcpPepSchema} words={tcpPepWords} />
        </FieldsRow>
      </SwitchedFields>
    </SwitchedFields>
  );
}

function SegmentFields({ path, title, detail }: { path: Path; title: string; detail: string }) {
  return (
    <SwitchedFields path={path} label={`${title}, ${detail}`} group={title} initial={{ preset: 'none' }}>
      <PresetField path={path} />
      <DirectionsFields path={path} />
    </SwitchedFields>
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
