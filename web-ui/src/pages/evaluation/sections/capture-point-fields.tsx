import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { Term } from '../../../components/terms/term.tsx';
import { findFreeName } from '../editor/find-free-name.ts';
import { useEditor } from '../editor/editor-context.ts';
import { readList, readText } from '../editor/path.ts';
import { removeEntry } from '../editor/remove-entry.ts';
import { ChoiceField } from '../fields/choice-field.tsx';
import { FieldsRow } from '../fields/fields-row.tsx';
import { TextField } from '../fields/text-field.tsx';

const path = ['capturePoints'];

/** Where packets are captured without a User Agent. */
export function CapturePointFields() {
  const { input, agents = [], change } = useEditor();
  const points = readList(input, path);
  const names = points.map((point) => readText(point, ['name']));
  return (
    <Stack gap="xs">
      <Text size="sm" fw={600}>
        <Term of="capturePoint">Capture Points</Term>
      </Text>
      {points.map((point, index) => {
        const agent = agents.find(({ name }) => name === readText(point, ['host']));
        return (
          <Group
            key={index}
            align="flex-start"
            wrap="nowrap"
            gap="xs"
            role="group"
            aria-label={names[index] || `Capture Point ${index + 1}`}
          >
            <div style={{ flex: 1 }}>
              <FieldsRow least="9rem">
                <TextField path={[...path, index, 'name']} label="Name" isRequired />
                <ChoiceField path={[...path, index, 'host']} label="Host" choices={agents.map(({ name }) => name)} />
                <ChoiceField
                  path={[...path, index, 'interface']}
                  label="Interface"
                  choices={agent?.facts.interfaces.map(({ name }) => name) ?? []}
                />
                <TextField path={[...path, index, 'filter']} label="Filter" placeholder="every packet" isCode />
              </FieldsRow>
            </div>
            <ActionIcon
              variant="subtle"
              color="gray"
              size={34}
              mt={25}
              aria-label={`Remove ${names[index] ?? ''}`}
              onClick={() => change([removeEntry(input, path, index)])}
            >
              ✕
            </ActionIcon>
          </Group>
        );
      })}
      <Group>
        <Button
          size="compact-sm"
          variant="default"
          onClick={() =>
            change([
              {
                path: [...path, points.length],
                value: {
                  name: findFreeName('point', names),
                  host: agents[0]?.name ?? '',
                  interface: agents[0]?.facts.interfaces[0]?.name ?? '',
                },
              },
            ])
          }
        >
          Add a Capture Point
        </Button>
      </Group>
    </Stack>
  );
}
