import { Stack, Switch } from '@mantine/core';
import { httpepCodings, httpepImageFormats, httpepSchedulers } from '#core/evaluation/network/httpep.ts';
import { useEditor, useField } from '../../editor/editor-context.ts';
import { readPath, type Path } from '../../editor/path.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { LinesField } from '../../fields/lines-field.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { SwitchField } from '../../fields/switch-field.tsx';
import { TextField } from '../../fields/text-field.tsx';
import { readVariables, writeVariables } from '../variables/variables-text.ts';

const schedulerWords: Partial<Record<(typeof httpepSchedulers)[number], string>> = {
  turns: 'turns: one load after another',
  fifo: 'fifo: as in the papers',
};
const schedulers = httpepSchedulers.map((name) => ({ value: name, label: schedulerWords[name] ?? name }));

const tlsChoices = [
  { value: 'untouched', label: 'passes as it is' },
  { value: 'terminate', label: 'HTTPEP reads it' },
];

const imageFormats = httpepImageFormats.map((name) => ({
  value: name,
  label: name === 'none' ? 'as they are' : `${name}, with a loss`,
}));

/** HTTPEP of a Scenario. Where it runs is set for a testbed; other places are in YAML. */
export function HttpepFields({ path }: { path: Path }) {
  const { input, change } = useEditor();
  const { error } = useField(path);
  const isOn = readPath(input, path) !== undefined;
  return (
    <Stack gap="sm">
      <Switch
        label="Requests pass HTTPEP"
        description="HTTP-AE starts both ends for each Round and sets the proxy of the browsers."
        checked={isOn}
        error={error}
        onChange={({ currentTarget }) => change([{ path, value: currentTarget.checked ? {} : undefined }])}
      />
      {isOn && (
        <>
          <FieldsRow least="11rem">
            <NumberField path={[...path, 'connections']} label="Connections of the tunnel" byDefault={4} />
            <ChoiceField
              path={[...path, 'scheduler']}
              label="Who is served next"
              choices={schedulers}
              byDefault="fair"
            />
            <NumberField path={[...path, 'rateKbps']} label="Rate" unit="kb/s" byDefault="that of the link, or auto" />
            <NumberField
              path={[...path, 'paceRatio']}
              label="Paced at"
              unit="% of the rate"
              scale={100}
              byDefault={97}
            />
          </FieldsRow>
          <FieldsRow least="11rem">
            <ChoiceField
              path={[...path, 'text']}
              label="Text in the tunnel"
              choices={httpepCodings}
              byDefault="brotli"
            />
            <ChoiceField path={[...path, 'images']} label="Images" choices={imageFormats} byDefault="none" />
            <NumberField path={[...path, 'imageQuality']} label="Quality of images" byDefault={50} />
          </FieldsRow>
          <ChoiceField path={[...path, 'tls']} label="HTTPS" choices={tlsChoices} byDefault="untouched" />
          <SwitchField path={[...path, 'bundling']} label="Fetch ahead what pages need" byDefault />
          <LinesField
            path={[...path, 'classes']}
            label="Weights of user classes"
            description="Each User Agent then needs a source address."
            placeholder="gold=50, silver=30, bronze=20"
            write={writeVariables}
            read={readVariables}
          />
          <FieldsRow least="14rem">
            <TextField
              path={[...path, 'ground', 'address']}
              label="Address of the ground end"
              placeholder="198.19.0.1:9000"
            />
            <TextField
              path={[...path, 'remote', 'address']}
              label="Address of the remote end"
              placeholder="198.19.0.2:3128"
            />
          </FieldsRow>
        </>
      )}
    </Stack>
  );
}
