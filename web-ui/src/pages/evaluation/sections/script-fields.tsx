import { Alert, Button, Group, Paper, Stack, Text } from '@mantine/core';
import { useEditor } from '../editor/editor-context.ts';
import { readList, readText, type Path } from '../editor/path.ts';
import { ChoiceField } from '../fields/choice-field.tsx';
import { FieldsRow } from '../fields/fields-row.tsx';
import { NumberField } from '../fields/number-field.tsx';
import { ScriptField } from '../fields/script-field.tsx';

/** The scripts of one phase, each on a host. */
export function ScriptFields({ path }: { path: Path }) {
  const { input, agents = [], change } = useEditor();
  const scripts = readList(input, path);
  const hosts = agents.map(({ name, facts }) => ({
    value: name,
    label: facts.scriptsAllowed ? name : `${name} (scripts not allowed)`,
  }));
  const firstHost = agents.find(({ facts }) => facts.scriptsAllowed)?.name ?? agents[0]?.name ?? '';
  return (
    <Stack gap="md">
      {scripts.map((script, index) => {
        const agent = agents.find(({ name }) => name === readText(script, ['host']));
        return (
          <Paper key={index} role="group" aria-label={`Script ${index + 1}`}>
            <Stack gap="xs">
              <FieldsRow least="11rem">
                <ChoiceField path={[...path, index, 'host']} label="Host" choices={hosts} />
                <NumberField path={[...path, index, 'timeoutMs']} label="Timeout" unit="ms" byDefault={60_000} />
              </FieldsRow>
              {agent && !agent.facts.scriptsAllowed && (
                <Alert color="yellow" variant="light" p="xs">
                  {agent.name} does not allow scripts. Start its Agent with --allow-scripts.
                </Alert>
              )}
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
                  onClick={() => change([{ path: scripts.length === 1 ? path : [...path, index], value: undefined }])}
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
