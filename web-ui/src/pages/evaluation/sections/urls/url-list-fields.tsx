import { ActionIcon, Button, Group, Paper, Stack, Table, Text, VisuallyHidden } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { UrlEntrySchema, expandUrlEntry, type ExpandedUrl } from '#core/evaluation/pages/url-entry.ts';
import { formatCount } from '../../../../format/format-numbers.ts';
import { useEditor, useField } from '../../editor/editor-context.ts';
import type { Change } from '../../editor/change-yaml.ts';
import { readKeys, readList, readPath, readText, type Path } from '../../editor/path.ts';
import { LinesField } from '../../fields/lines-field.tsx';
import { TextField } from '../../fields/text-field.tsx';
import { PasteUrls } from './paste-urls.tsx';
import { RenameField } from '../rename-field.tsx';
import { AddSitePageButton, SitePageFields } from './site-page-fields.tsx';
import { TryUrl } from './try-url.tsx';
import { UrlPreview } from './url-preview.tsx';
import { readVariables, writeVariables } from '../variables/variables-text.ts';
import { taskNames, techniques } from '#core/evaluation/pages/real-time-task.ts';
import { ChoiceField } from '../../fields/choice-field.tsx';
import { FieldsRow } from '../../fields/fields-row.tsx';
import { NumberField } from '../../fields/number-field.tsx';
import { ErrorText } from '../../fields/error-text.tsx';

interface UrlListFieldsProps {
  list: string;
  entries: unknown;
  canRemove: boolean;
}

/** One URL list: its name, its entries, and what they stand for. */
export function UrlListFields({ list, entries, canRemove }: UrlListFieldsProps) {
  const { input, change } = useEditor();
  const [isPasting, { open, close }] = useDisclosure(false);
  const path: Path = ['urlLists', list];
  const { error } = useField(path);
  const rows = Array.isArray(entries) ? (entries as unknown[]) : [];
  const urls = rows.flatMap(expandQuietly);

  return (
    <Paper withBorder p="sm" radius="md">
      <Stack gap="sm">
        <Group justify="space-between" align="flex-end">
          <RenameField
            label="List"
            name={list}
            onRename={(next) => change(renameList(input, { list, next }))}
            taken={readKeys(input, ['urlLists'])}
          />
          <Group gap={4}>
            <TryUrl urls={urls} />
            <UrlPreview urls={urls} label={formatCount(urls.length, 'URL')} />
            <Button size="compact-sm" variant="subtle" onClick={open}>
              Paste or upload
            </Button>
            {canRemove && (
              <Button
                size="compact-sm"
                variant="subtle"
                color="gray"
                onClick={() => change([{ path, value: undefined }])}
                aria-label={`Remove the list ${list}`}
              >
                Remove
              </Button>
            )}
          </Group>
        </Group>
        <ErrorText error={error} />
        <Table.ScrollContainer minWidth={480}>
          <Table verticalSpacing={3} horizontalSpacing={4} withRowBorders={false} layout="fixed">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>URL or pattern</Table.Th>
                <Table.Th w="22%">Label</Table.Th>
                <Table.Th w="20%">Variables</Table.Th>
                <Table.Th w="4.5rem">Visits</Table.Th>
                <Table.Th w={42}>
                  <VisuallyHidden>Remove</VisuallyHidden>
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.slice(0, shownRows).map((_, index) => (
                <UrlRow
                  key={index}
                  path={[...path, index]}
                  entry={rows[index]}
                  number={index + 1}
                  isOnly={rows.length === 1}
                />
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {rows.length > shownRows && (
          <Text size="sm" c="dimmed">
            and {rows.length - shownRows} more: see the YAML.
          </Text>
        )}
        <Group>
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => change([{ path: [...path, rows.length], value: { url: suggestNext(rows) } }])}
          >
            Add a URL
          </Button>
          <Button
            size="compact-sm"
            variant="subtle"
            onClick={() => change([{ path: [...path, rows.length], value: newTask(rows) }])}
          >
            Add a real-time task
          </Button>
          <AddSitePageButton path={[...path, rows.length]} />
        </Group>
      </Stack>
      <PasteUrls
        isOpen={isPasting}
        onClose={close}
        onTake={(taken, how) => change([{ path, value: how === 'add' ? [...rows, ...taken] : taken }])}
      />
    </Paper>
  );
}

/** More rows would make the page slow. */
const shownRows = 100;

interface UrlRowProps {
  path: Path;
  entry: unknown;
  number: number;
  isOnly: boolean;
}

function UrlRow({ path, entry, number, isOnly }: UrlRowProps) {
  const { change } = useEditor();
  return (
    <Table.Tr style={{ verticalAlign: 'top' }}>
      <Table.Td>
        <PageField path={path} entry={entry} number={number} />
      </Table.Td>
      <Table.Td>
        <TextField
          path={[...path, 'label']}
          aria-label={`Label ${number}`}
          placeholder={readPath(entry, ['journey']) === undefined ? 'the URL' : 'the title'}
        />
      </Table.Td>
      <Table.Td>
        <LinesField
          path={[...path, 'variables']}
          aria-label={`Variables ${number}`}
          placeholder="images={1}"
          write={writeVariables}
          read={readVariables}
        />
      </Table.Td>
      <Table.Td>
        <NumberField path={[...path, 'visits']} aria-label={`Visits ${number}`} byDefault={1} />
      </Table.Td>
      <Table.Td>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={34}
          disabled={isOnly}
          aria-label={`Remove URL ${number}`}
          onClick={() => change([{ path, value: undefined }])}
        >
          ✕
        </ActionIcon>
      </Table.Td>
    </Table.Tr>
  );
}

/** A URL, with the mark that it waits for if there is one; or a task; or a page of a Site; or a journey, whose steps are in the YAML. */
function PageField({ path, entry, number }: Omit<UrlRowProps, 'isOnly'>) {
  if (readPath(entry, ['task']) !== undefined) return <TaskFields path={path} number={number} />;
  if (readPath(entry, ['site']) !== undefined) return <SitePageFields path={path} number={number} />;
  if (readPath(entry, ['journey']) !== undefined) return <JourneyText path={path} entry={entry} />;
  return (
    <Stack gap={4}>
      <TextField path={[...path, 'url']} aria-label={`URL ${number}`} isRequired isCode />
      {readPath(entry, ['until']) !== undefined && (
        <TextField
          path={[...path, 'until']}
          aria-label={`Until ${number}`}
          description="The Visit waits for this."
          isCode
        />
      )}
    </Stack>
  );
}

/** What there is of a journey; never what it types. */
function JourneyText({ path, entry }: Pick<UrlRowProps, 'path' | 'entry'>) {
  const { error } = useField([...path, 'journey'], { isWhole: true });
  const steps = formatCount(readList(entry, ['journey', 'steps']).length, 'step');
  return (
    <>
      <Text size="sm" py={7} style={{ overflowWrap: 'anywhere' }}>
        Journey: {readText(entry, ['journey', 'title'])} ({steps},{' '}
        {formatCount(expandQuietly(entry).length, 'navigation')})
      </Text>
      <ErrorText error={error} />
    </>
  );
}

/** What an entry stands for; nothing while it is being written. */
function expandQuietly(entry: unknown): ExpandedUrl[] {
  const parsed = UrlEntrySchema.safeParse(entry);
  if (!parsed.success) return [];
  try {
    return expandUrlEntry(parsed.data);
  } catch (error) {
    // The field says what is wrong with the pattern.
    if (error instanceof Error) return [];
    throw error;
  }
}

/** Most lists name pages of one origin. */
function suggestNext(rows: unknown[]): string {
  const origin = originOf(rows.at(-1));
  return origin === null ? 'http://' : `${origin}/`;
}

function newTask(rows: unknown[]) {
  return { task: 'chat', by: 'websocket', origin: originOf(rows.at(-1)) ?? 'http://' };
}

/** As it is written, since a host or port may be a variable. */
function originOf(entry: unknown): string | null {
  const address = readText(entry, ['url']) || readText(entry, ['origin']);
  return /^https?:\/\/[^/?#]+/.exec(address)?.[0] ?? null;
}

/** The list under its new name, in its place, and named so by those who load it. */
function renameList(input: unknown, { list, next }: { list: string; next: string }): Change[] {
  const lists = readPath(input, ['urlLists']) as Record<string, unknown>;
  const renamed = Object.fromEntries(
    Object.entries(lists).map(([name, entries]) => [name === list ? next : name, entries]),
  );
  const users = readList(input, ['userAgents']).flatMap((userAgent, index): Change[] =>
    readText(userAgent, ['urlList']) === list ? [{ path: ['userAgents', index, 'urlList'], value: next }] : [],
  );
  return [{ path: ['urlLists'], value: renamed }, ...users];
}

/** A task of the real-time web: who sends, how, from which origin, and how many messages. */
function TaskFields({ path, number }: { path: Path; number: number }) {
  return (
    <Stack gap={4} role="group" aria-label={`Task ${number}`}>
      <FieldsRow least="8rem">
        <ChoiceField path={[...path, 'task']} label="Task" choices={taskNames} />
        <ChoiceField path={[...path, 'by']} label="By" choices={techniques} />
      </FieldsRow>
      <TextField
        path={[...path, 'origin']}
        label="Origin"
        description="An origin of HTTP-AE, such as http://198.19.0.1:8080."
        isRequired
        isCode
      />
      <FieldsRow least="6rem">
        <NumberField path={[...path, 'messages']} label="Messages" byDefault={100} />
        <NumberField path={[...path, 'payloadBytes']} label="Payload" unit="bytes" byDefault={100} />
        <NumberField path={[...path, 'gapMs']} label="Gap" unit="ms" byDefault={200} />
      </FieldsRow>
    </Stack>
  );
}
