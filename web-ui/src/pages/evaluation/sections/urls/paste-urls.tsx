import { Button, Code, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { TextFileButton } from '../../../../components/text-file-button.tsx';
import { expandUrlEntry } from '#core/evaluation/pages/url-entry.ts';
import { TypedUrlListSchema } from '#core/evaluation/pages/url-list.ts';
import { parseStorable } from '#core/input/parse-yaml.ts';
import { formatCount } from '../../../../format/format-numbers.ts';
import { isRecording, parseRecording, parseUrlLines } from './parse-url-lines.ts';

interface PasteUrlsProps {
  isOpen: boolean;
  onClose: () => void;
  onTake: (entries: unknown[], how: 'add' | 'replace') => void;
}

/** Many URLs at once, or a journey: pasted, or from a file of text, CSV or JSON; errors are shown by entry before anything is added. */
export function PasteUrls({ isOpen, onClose, onTake }: PasteUrlsProps) {
  const [text, setText] = useState('');
  const entries = readEntries(text);
  const parsed = parseStorable(entries ?? [], TypedUrlListSchema);
  const issues =
    entries === null
      ? [{ path: [], message: 'This is no complete recording: export it from the Recorder as JSON' }]
      : parsed.kind === 'valid' || entries.length === 0
        ? []
        : parsed.issues;
  const take = (how: 'add' | 'replace') => {
    onTake(entries ?? [], how);
    setText('');
    onClose();
  };
  return (
    <Modal opened={isOpen} onClose={onClose} title="Paste or upload URLs" size="xl" centered>
      <Stack gap="sm">
        <Text size="sm">
          One URL or pattern per line, CSV with the columns <Code>url</Code>, <Code>label</Code> and your variables, or
          a recording of Chrome’s Recorder (JSON), whose navigations are Visits:
        </Text>
        <Code block>
          {'url,label,images\nhttp://origin.example/a,Few images,5\nhttp://origin.example/b,Many images,25'}
        </Code>
        <Textarea
          label="URLs"
          data-autofocus
          autosize
          minRows={8}
          maxRows={16}
          spellCheck={false}
          value={text}
          onChange={({ currentTarget }) => setText(currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
        />
        <Stack gap={2} role="status" mih={22}>
          {issues.slice(0, 8).map(({ path, message }, index) => (
            <Text key={index} size="sm" c="var(--mantine-color-error)">
              {placeIssue(path)}
              {message}
            </Text>
          ))}
          {issues.length > 8 && (
            <Text size="sm" c="var(--mantine-color-error)">
              and {issues.length - 8} more
            </Text>
          )}
          {parsed.kind === 'valid' && (
            <Text size="sm">
              {isRecording(text)
                ? `A journey with ${formatCount(parsed.value.flatMap(expandUrlEntry).length, 'navigation')}. Typed texts are stored with the Evaluation: write {secret:NAME} for what only the Agent may know.`
                : `${formatCount(parsed.value.length, 'line')}, ${formatCount(parsed.value.flatMap(expandUrlEntry).length, 'URL')}`}
            </Text>
          )}
        </Stack>
        <Group justify="space-between">
          <TextFileButton accept=".txt,.csv,.tsv,.json,text/plain,text/csv,application/json" onText={setText}>
            Open file
          </TextFileButton>
          <Group gap="xs">
            <Button variant="default" disabled={parsed.kind !== 'valid'} onClick={() => take('replace')}>
              Replace the list
            </Button>
            <Button disabled={parsed.kind !== 'valid'} onClick={() => take('add')}>
              Add to the list
            </Button>
          </Group>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Null where the text begins as a recording, and is none. */
function readEntries(text: string): unknown[] | null {
  if (!isRecording(text)) return parseUrlLines(text);
  const recording = parseRecording(text);
  return recording && [recording];
}

function placeIssue([entry, field, part, step]: readonly PropertyKey[]): string {
  if (field === 'journey') return part === 'steps' && typeof step === 'number' ? `Step ${step + 1}: ` : '';
  return typeof entry === 'number' ? `Entry ${entry + 1}: ` : '';
}
