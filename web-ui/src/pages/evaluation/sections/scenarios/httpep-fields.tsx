import { HttpepSchema, httpepWords } from '#core/evaluation/network/httpep.ts';
import type { Path } from '../../editor/path.ts';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { LinesField } from '../../fields/lines-field.tsx';
import { SettingFields } from '../../fields/setting-fields.tsx';
import { SwitchedFields } from '../../fields/switch-field.tsx';
import { TextField } from '../../fields/text-field.tsx';
import { readVariables, writeVariables } from '../variables/variables-text.ts';

/** HTTPEP of a Scenario. Where it runs is set for a testbed; other places are in YAML. */
export function HttpepFields({ path }: { path: Path }) {
  const own = { path, schema: HttpepSchema, words: httpepWords };
  return (
    <SwitchedFields
      path={path}
      label="Requests pass HTTPEP"
      description="HTTP-AE starts both ends for each Round and sets the proxy of the browsers."
    >
      <FieldsRow least="11rem">
        <SettingFields {...own} names={['connections', 'scheduler', 'rateKbps', 'paceRatio']} />
      </FieldsRow>
      <FieldsRow least="11rem">
        <SettingFields {...own} names={['text', 'images', 'imageQuality']} />
      </FieldsRow>
      <SettingFields {...own} names={['tls', 'bundling']} />
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
    </SwitchedFields>
  );
}
