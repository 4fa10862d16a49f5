import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useEditor } from '../../editor/editor-context.ts';
import { readList, readText, type Path } from '../../editor/path.ts';
import { removeEntry } from '../../editor/remove-entry.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { LinesField } from '../../fields/lines-field.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { ScriptField } from '../../fields/script-field.tsx';
import { TextField } from '../../fields/text-field.tsx';
import { readEnvironment, writeEnvironment } from './environment-text.ts';
import { readReady, writeReady } from './ready-text.ts';
import { ScriptsNotAllowed, useScriptHosts } from './script-hosts.tsx';

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
              {
                path: [...path, processes.length],
                value: { name: `process ${processes.length + 1}`, host: firstHost, command: '' },
              },
            ])
          }
        >
          Add a process
        </Button>
      </Group>
    </Stack>
  );
}
