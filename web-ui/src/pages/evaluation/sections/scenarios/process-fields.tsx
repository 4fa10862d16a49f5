import { Button, Group, Paper, Stack, Text, Alert } from '@mantine/core';
import { useEditor } from '../../editor/editor-context.ts';
import { findFreeName } from '../../editor/find-free-name.ts';
import { readList, readText, type Path } from '../../editor/path.ts';
import { removeEntry } from '../../editor/remove-entry.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { LinesField } from '../../fields/lines-field.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { ScriptField } from '../../fields/script-field.tsx';
import { TextField } from '../../fields/text-field.tsx';

const wordOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');

const lifetimes = [
  { value: 'round', label: 'each Round' },
  { value: 'run', label: 'the whole Run' },
];

/** The processes of a Scenario, each on a host. */
export function ProcessFields({ path }: { path: Path }) {
  const { input, change } = useEditor();
  const processes = readList(input, path);
  const { hosts, firstHost } = useScriptHosts();
  return (
    <Stack gap="md">
      {processes.map((process, index) => {
        const own = [...path, index];
        return (
          <Paper key={index} role="group" aria-label={`Process ${index + 1}`}>
            <Stack gap="xs">
              <FieldsRow least="11rem">
                <TextField path={[...own, 'name']} label="Name" isRequired />
                <ChoiceField path={[...own, 'host']} label="Host" choices={hosts} />
                <ChoiceField path={[...own, 'lifetime']} label="Runs for" choices={lifetimes} byDefault="round" />
              </FieldsRow>
              <ScriptsNotAllowed host={readText(process, ['host'])} />
              <ScriptField
                path={[...own, 'command']}
                label={`Command ${index + 1}, run by sh -c`}
                language="shell"
                isRequired
              />
              <FieldsRow least="11rem">
                <LinesField
                  path={[...own, 'readyWhen']}
                  label="Ready when"
                  placeholder="once started"
                  description="A port such as 3128, a URL, or a text that it prints"
                  write={writeReady}
                  read={readReady}
                />
                <NumberField path={[...own, 'timeoutMs']} label="Ready within" unit="ms" byDefault={30_000} />
              </FieldsRow>
              <LinesField
                path={[...own, 'environment']}
                label="Environment"
                placeholder="NAME=value"
                write={writeEnvironment}
                read={readEnvironment}
              />
              <Group>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  onClick={() => change([removeEntry(input, path, index)])}
                >
                  Remove process {index + 1}
                </Button>
              </Group>
            </Stack>
          </Paper>
        );
      })}
      {processes.length === 0 && (
        <Text size="sm" c="dimmed">
          No processes. A process that ends during a Round breaks the Round. The output is kept.
        </Text>
      )}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            change([
              { path: [...path, processes.length], value: { ...nameNext(processes), host: firstHost, command: '' } },
            ])
          }
        >
          Add a process
        </Button>
      </Group>
    </Stack>
  );
}

/** The name of one more process: no other has it. */
export function nameNext(processes: readonly unknown[]): { name: string } {
  const names = processes.map((process) => readText(process, ['name']));
  return { name: findFreeName('process 1', names) };
}

/** Environment variables, `NAME=value` on each line. */
export function writeEnvironment(value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([name, each]) => `${name}=${String(each)}`)
    .join('\n');
}

/** The variables of such a text; the text itself, which validation rejects, where a line is no variable. */
export function readEnvironment(text: string): unknown {
  const entries: [string, string][] = [];
  for (const line of text.split('\n').filter((each) => each.trim() !== '')) {
    const end = line.indexOf('=');
    if (end < 1) return text;
    entries.push([line.slice(0, end).trim(), line.slice(end + 1)]);
  }
  return Object.fromEntries(entries);
}

/** When a process is ready, as one types it: a port, an address with a port, a URL, or a text that it prints. */
export function writeReady(value: unknown): string {
  if (typeof value !== 'object' || value === null) return wordOf(value);
  const { port, address, http, line } = value as Record<string, unknown>;
  if (port === undefined) return wordOf(http) || wordOf(line);
  const place = wordOf(address);
  if (place === '' || place === '127.0.0.1') return wordOf(port);
  return `${place.includes(':') ? `[${place}]` : place}:${wordOf(port)}`;
}

export function readReady(text: string): unknown {
  const typed = text.trim();
  if (/^\d{1,5}$/.test(typed)) return { port: Number(typed) };
  const place = /^(?:\[([\da-f:.]{2,45})\]|([\d.]{7,15})):(\d{1,5})$/i.exec(typed);
  if (place) return { port: Number(place[3]), address: place[1] ?? place[2] };
  return /^https?:\/\//i.test(typed) ? { http: typed } : { line: typed };
}

/** The hosts that scripts and processes can be on. */
export function useScriptHosts() {
  const { agents = [] } = useEditor();
  return {
    hosts: agents.map(({ name, facts }) => ({
      value: name,
      label: facts.scriptsAllowed ? name : `${name} (scripts not allowed)`,
    })),
    firstHost: agents.find(({ facts }) => facts.scriptsAllowed)?.name ?? agents[0]?.name ?? '',
  };
}

/** Shown at a host that would refuse. */
export function ScriptsNotAllowed({ host }: { host: string }) {
  const agent = useEditor().agents?.find(({ name }) => name === host);
  if (!agent || agent.facts.scriptsAllowed) return null;
  return (
    <Alert color="yellow" variant="light" p="xs">
      {agent.name} does not allow scripts. Start its Agent with --allow-scripts.
    </Alert>
  );
}
