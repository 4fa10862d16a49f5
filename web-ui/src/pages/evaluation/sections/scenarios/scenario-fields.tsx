import { Stack } from '@mantine/core';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { TextField } from '../../fields/text-field.tsx';
import { BrowserFields } from './browser-fields.tsx';
import { Fold } from '../fold.tsx';
import { HttpepFields } from './httpep-fields.tsx';
import { LinkFields } from './link-fields.tsx';
import { PathFields } from './path-fields.tsx';
import { ProcessFields } from './process-fields.tsx';
import { ScriptFields } from './script-fields.tsx';
import { TcpFields } from './tcp-fields.tsx';
import { VariableFields } from '../variables/variable-fields.tsx';

/** What one Scenario changes. What it changes already is open. */
export function ScenarioFields({ index }: { index: number }) {
  const path = ['scenarios', index] as const;
  return (
    <Stack gap="sm">
      <FieldsRow least="14rem">
        <TextField path={[...path, 'name']} label="Name" isRequired />
        <TextField path={[...path, 'description']} label="Description" placeholder="none" />
      </FieldsRow>
      <Fold
        title="Sweep, group and variables"
        paths={['sweep', 'except', 'group', 'variables'].map((field) => [...path, field])}
        detail="many conditions at once"
      >
        <VariableFields path={path} />
      </Fold>
      <Fold
        title="Emulated link"
        path={[...path, 'network']}
        detail="rate, delay, loss, queue, shares of user classes, tunnel, path, PEP, TCP"
      >
        <LinkFields path={[...path, 'network']} />
        <PathFields path={[...path, 'network']} />
        <TcpFields path={[...path, 'network']} />
      </Fold>
      <Fold
        title="Browser"
        path={[...path, 'browser']}
        detail="proxy, HTTP versions, connections, switches and preferences"
      >
        <BrowserFields path={[...path, 'browser']} />
      </Fold>
      <Fold title="HTTPEP" path={[...path, 'httpep']} detail="the split proxy between users and origins">
        <HttpepFields path={[...path, 'httpep']} />
      </Fold>
      <Fold
        title="Scripts before each Round"
        path={[...path, 'setUp']}
        detail="on hosts whose operator allowed scripts"
      >
        <ScriptFields path={[...path, 'setUp']} />
      </Fold>
      <Fold
        title="Scripts once the link is set"
        path={[...path, 'afterNetwork']}
        detail="for what must run under the Scenario's network"
      >
        <ScriptFields path={[...path, 'afterNetwork']} />
      </Fold>
      <Fold
        title="Processes"
        path={[...path, 'processes']}
        detail="such as a proxy, on hosts whose operator allowed scripts"
      >
        <ProcessFields path={[...path, 'processes']} />
      </Fold>
      <Fold title="Scripts after each Round" path={[...path, 'tearDown']} detail="also after a failed Round">
        <ScriptFields path={[...path, 'tearDown']} />
      </Fold>
    </Stack>
  );
}
