import { Stack, Text } from '@mantine/core';
import { ReplaySchema, replayWords } from '#core/evaluation/network/replay.ts';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { TextField } from '../../fields/text-field.tsx';
import { BrowserFields } from './browser-fields.tsx';
import { Fold } from '../fold.tsx';
import { HostsFields } from './hosts-fields.tsx';
import { HttpepFields } from './httpep-fields.tsx';
import { LinkFields } from './link-fields.tsx';
import { PathFields } from './path-fields.tsx';
import { EntriesOnHosts, ProcessFields } from './process-fields.tsx';
import { Term } from '../../../../components/terms/term.tsx';
import { type Path, readPath } from '../../editor/path.ts';
import { LinesField } from '../../fields/lines-field.tsx';
import { SweepFields } from '../variables/sweep-fields.tsx';
import { readScenarioVariables, writeScenarioVariables } from '../variables/swept-text.ts';
import { readLines } from '../variables/variables-text.ts';
import { useEditor } from '../../editor/editor-context.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { ScriptField } from '../../fields/script-field.tsx';
import { SettingFields } from '../../fields/setting-fields.tsx';
import { TcpSettingsSchema, tcpWords } from '#core/evaluation/network/tcp-settings.ts';

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
        title="Sweep, group, variables and users"
        paths={['sweep', 'except', 'group', 'variables', 'userAgents'].map((field) => [...path, field])}
        detail="many conditions at once"
      >
        <VariableFields path={path} />
      </Fold>
      <Fold
        title="Emulated link"
        path={[...path, 'network']}
        detail="rate, delay, loss, queue, shares of user classes, tunnel, path, PEP, hosts, TCP"
      >
        <LinkFields path={[...path, 'network']} />
        <PathFields path={[...path, 'network']} />
        <HostsFields path={[...path, 'network']} />
        <ReplayFields path={[...path, 'network']} />
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

/** What a Scenario has for comparisons of many conditions: its sweep, its group, and values for URLs. */
function VariableFields({ path }: { path: Path }) {
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
        <LinesField
          path={[...path, 'userAgents']}
          label={<Term of="userAgent">User Agents</Term>}
          description="Who takes part, one on each line. One alone shows what the others cost."
          placeholder="all"
          write={(value) => (Array.isArray(value) ? value.join('\n') : '')}
          read={readLines}
        />
      </FieldsRow>
    </Stack>
  );
}

/** The scripts of one phase, each on a host. */
function ScriptFields({ path }: { path: Path }) {
  return (
    <EntriesOnHosts
      path={path}
      what="Script"
      none="No scripts. An exit status other than 0 fails the Round. The output is kept."
      create={(host) => ({ host, script: '' })}
    >
      {({ own, number, host, warning }) => (
        <>
          <FieldsRow least="11rem">
            {host}
            <NumberField path={[...own, 'timeoutMs']} label="Timeout" unit="ms" byDefault={60_000} />
          </FieldsRow>
          {warning}
          <ScriptField path={[...own, 'script']} label={`Script ${number}, run by sh -e`} language="shell" isRequired />
        </>
      )}
    </EntriesOnHosts>
  );
}

/** How TCP is set on both sides of the emulated link. */
function TcpFields({ path }: { path: Path }) {
  const { input } = useEditor();
  if (readPath(input, path) === undefined) return null;
  const sides = { ground: 'TCP at the origin (ground)', remote: 'TCP at the users (remote)' };
  return (
    <Stack gap="sm">
      {Object.entries(sides).map(([side, title]) => (
        <div key={side} role="group" aria-label={title}>
          <Text size="sm" fw={600} mb={4}>
            {title}
          </Text>
          <FieldsRow least="11rem">
            <SettingFields path={[...path, 'tcp', side]} schema={TcpSettingsSchema} words={tcpWords} />
          </FieldsRow>
        </div>
      ))}
    </Stack>
  );
}

/** Other factors are written in the YAML. */
const shares = [
  { value: 'recorded', label: 'as recorded', stored: undefined },
  'none',
  { value: '0.5', label: 'half as long', stored: 0.5 },
  { value: '2', label: 'twice as long', stored: 2 },
];

/** How pages of Sites are replayed, where a URL list has one. `path`: of the network. */
function ReplayFields({ path }: { path: Path }) {
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
