import { Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useEditor } from '../../editor/editor-context.ts';
import { readList, readText, type Path } from '../../editor/path.ts';
import { removeEntry } from '../../editor/remove-entry.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { ScriptField } from '../../fields/script-field.tsx';
import { ScriptsNotAllowed, useScriptHosts } from './script-hosts.tsx';

/** The scripts of one phase, each on a host. */
export function ScriptFields({ path }: { path: Path }) {
  const { input, change } = useEditor();
  const scripts = readList(input, path);
  const { hosts, firstHost } = useScriptHosts();
  return (
    <Stack gap="md">
      {scripts.map((script, index) => {
        return (
          <Paper key={index} role="group" aria-label={`Script ${index + 1}`}>
            <Stack gap="xs">
              <FieldsRow least="11rem">
                <ChoiceField path={[...path, index, 'host']} label="Host" choices={hosts} />
                <NumberField path={[...path, index, 'timeoutMs']} label="Timeout" unit="ms" byDefault={60_000} />
              </FieldsRow>
              <ScriptsNotAllowed host={readText(script, ['host'])} />
              <ScriptField
                path={[...path, index, 'script']}
                label={`Script ${index + 1}, run by sh -e`}
                language="shell"
                isRequired
              />
              <Group>
                <Button
                  size="compact-sm"
                  variant="subtle"
                  color="gray"
                  onClick={() => change([removeEntry(input, path, index)])}
                >
                  Remove script {index + 1}
                </Button>
              </Group>
            </Stack>
          </Paper>
        );
      })}
      {scripts.length === 0 && (
        <Text size="sm" c="dimmed">
          No scripts. An exit status other than 0 fails the Round. The output is kept.
        </Text>
      )}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => change([{ path: [...path, scripts.length], value: { host: firstHost, script: '' } }])}
        >
          Add a script
        </Button>
      </Group>
    </Stack>
  );
}
