import { Stack, Text } from '@mantine/core';
import { useEditor } from '../../editor/editor-context.ts';
import { readPath, type Path } from '../../editor/path.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { TextField } from '../../fields/text-field.tsx';

const onOrOff = [
  { value: 'on', label: 'on', stored: true },
  { value: 'off', label: 'off', stored: false },
];

/** How TCP is set on both sides of the emulated link. */
export function TcpFields({ path }: { path: Path }) {
  const { input } = useEditor();
  if (readPath(input, path) === undefined) return null;
  return (
    <Stack gap="sm">
      <TcpSide path={[...path, 'tcp', 'ground']} title="TCP at the origin (ground)" />
      <TcpSide path={[...path, 'tcp', 'remote']} title="TCP at the users (remote)" />
      <datalist id="tcp-variants">
        {['cubic', 'reno', 'bbr', 'hybla', 'vegas', 'westwood', 'bic'].map((variant) => (
          <option key={variant} value={variant} />
        ))}
      </datalist>
    </Stack>
  );
}

function TcpSide({ path, title }: { path: Path; title: string }) {
  return (
    <div role="group" aria-label={title}>
      <Text size="sm" fw={600} mb={4}>
        {title}
      </Text>
      <FieldsRow least="9rem">
        <TextField
          path={[...path, 'congestionControl']}
          label="Congestion control"
          placeholder="as is"
          list="tcp-variants"
        />
        <NumberField
          path={[...path, 'initialWindowSegments']}
          label="Initial window"
          unit="segments"
          byDefault="as is"
        />
        <NumberField path={[...path, 'mtuBytes']} label="MTU" unit="bytes" byDefault="as is" />
        <ChoiceField path={[...path, 'fastOpen']} label="Fast Open" placeholder="as is" choices={onOrOff} isOptional />
        <NumberField path={[...path, 'receiveBufferBytes']} label="Receive window" unit="bytes" byDefault="as is" />
        <NumberField path={[...path, 'sendBufferBytes']} label="Send buffer" unit="bytes" byDefault="as is" />
        <ChoiceField
          path={[...path, 'slowStartAfterIdle']}
          label="Slow start after idle"
          placeholder="as is"
          choices={onOrOff}
          isOptional
        />
        <ChoiceField path={[...path, 'ecn']} label="ECN" placeholder="as is" choices={onOrOff} isOptional />
      </FieldsRow>
    </div>
  );
}
