import { Stack } from '@mantine/core';
import { Term } from '../../../../components/terms/term.tsx';
import type { Path } from '../../editor/path.ts';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { LinesField } from '../../fields/lines-field.tsx';
import { TextField } from '../../fields/text-field.tsx';
import { SweepFields } from './sweep-fields.tsx';
import { readScenarioVariables, writeScenarioVariables } from './swept-text.ts';

/** What a Scenario has for comparisons of many conditions: its sweep, its group, and values for URLs. */
export function VariableFields({ path }: { path: Path }) {
  return (
    <Stack gap="md">
      <SweepFields path={path} />
      <FieldsRow least="16rem">
        <TextField
          path={[...path, 'group']}
          label={<Term of="group">Group</Term>}
          description="Scenarios of a group are compared with the baseline of the group. If one Scenario has a group, all must."
          placeholder="none"
        />
        <LinesField
          path={[...path, 'variables']}
          label={<Term of="scenarioVariable">Variables</Term>}
          description="One on each line. {origin} in a URL becomes the value of origin."
          placeholder="origin=https://198.19.0.1:8443"
          write={writeScenarioVariables}
          read={readScenarioVariables}
        />
      </FieldsRow>
    </Stack>
  );
}
