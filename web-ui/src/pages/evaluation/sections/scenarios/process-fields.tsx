import { Button, Group, Paper, Stack, Text, Alert } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEditor } from '../../editor/editor-context.ts';
import { findFreeName } from '../../editor/find-free-name.ts';
import { readList, readText, type Path } from '../../editor/path.ts';
import { removeEntry } from '../../editor/change-yaml.ts';
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

interface EntriesOnHostsProps {
  path: Path;
  what: 'Process' | 'Script';
  /** Shown where there are none. */
  none: string;
  /** One more beside these. */
  create: (host: string, others: readonly unknown[]) => object;
  children: (entry: { own: Path; number: number; host: ReactNode; warning: ReactNode }) => ReactNode;
}

/** What is run on hosts. `host`: the field of one's host; `warning`: shown below it where that host would refuse. */
export function EntriesOnHosts({ path, what, none, create, children }: EntriesOnHostsProps) {
  const { input, agents = [], change } = useEditor();
  const entries = readList(input, path);
  const hosts = agents.map(({ name, facts }) => ({
    value: name,
    label: facts.scriptsAllowed ? name : `${name} (scripts not allowed)`,
  }));
  const firstHost = agents.find(({ facts }) => facts.scriptsAllowed)?.name ?? agents[0]?.name ?? '';
  const word = what.toLowerCase();
  const add = () => change([{ path: [...path, entries.length], value: create(firstHost, entries) }]);
  return (
    <Stack gap="md">
      {entries.map((entry, index) => {
        const own = [...path, index];
        const host = <ChoiceField path={[...own, 'host']} label="Host" choices={hosts} />;
        const warning = <ScriptsNotAllowed host={readText(entry, ['host'])} />;
        return (
          <Paper key={index} role="group" aria-label={`${what} ${index + 1}`}>
            <Stack gap="xs">
              {children({ own, number: index + 1, host, warning })}
              <Group>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  onClick={() => change([removeEntry(input, path, index)])}
                >
                  Remove {word} {index + 1}
                </Button>
              </Group>
            </Stack>
          </Paper>
        );
      })}
      {entries.length === 0 && (
        <Text size="sm" c="dimmed">
          {none}
        </Text>
      )}
      <Group>
        <Button size="compact-sm" variant="default" onClick={add}>
          Add a {word}
        </Button>
      </Group>
    </Stack>
  );
}

/** The processes of a Scenario, each on a host. */
export function ProcessFields({ path }: { path: Path }) {
  return (
    <EntriesOnHosts
      path={path}
      what="Process"
      none="No processes. A process that ends during a Round breaks the Round. The output is kept."
      create={(host, others) => ({ ...nameNext(others), host, command: '' })}
    >
      {({ own, number, host, warning }) => (
        <>
          <FieldsRow least="11rem">
            <TextField path={[...own, 'name']} label="Name" isRequired />
            {host}
            <ChoiceField path={[...own, 'lifetime']} label="Runs for" choices={lifetimes} byDefault="round" />
          </FieldsRow>
          {warning}
          <ScriptField
            path={[...own, 'command']}
            label={`Command ${number}, run by sh -c`}
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
        </>
      )}
    </EntriesOnHosts>
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

/** Shown at a host that would refuse. */
function ScriptsNotAllowed({ host }: { host: string }) {
  const agent = useEditor().agents?.find(({ name }) => name === host);
  if (!agent || agent.facts.scriptsAllowed) return null;
  return (
    <Alert color="yellow" variant="light" p="xs">
      {agent.name} does not allow scripts. Start its Agent with --allow-scripts.
    </Alert>
  );
}
