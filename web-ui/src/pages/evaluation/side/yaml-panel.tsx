import { Group, Stack, Text, UnstyledButton } from '@mantine/core';
import { useRef, useState } from 'react';
import { ConfirmDialog } from '../../../components/confirm-button.tsx';
import { openTextFile, TextFileButton } from '../../../components/text-file-button.tsx';
import { YamlEditor } from '../../../components/yaml-editor.tsx';
import { formatPath } from '#core/input/describe-issues.ts';
import { useEditor } from '../editor/editor-context.ts';
import classes from './yaml-panel.module.css';

/** The Evaluation as text, always what the form says; and everything that is wrong, with its line. A file that would replace changes asks first. */
export function YamlPanel({ isChanged }: { isChanged: boolean }) {
  const { text, issues, write } = useEditor();
  const [opened, setOpened] = useState<string | null>(null);
  const open = (file: string) => (isChanged && file !== text ? setOpened(file) : write(file));
  const area = useRef<HTMLTextAreaElement>(null);
  const located = issues.map(({ path, line, message }) => ({ path: formatPath(path), line, message }));
  return (
    <Stack
      gap="xs"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        openTextFile(event.dataTransfer.files[0], open);
      }}
    >
      <div className={classes.problems} role="status" id="problems" tabIndex={-1} aria-label="Problems">
        {located.length === 0 ? (
          <Text size="sm" c="dimmed">
            Valid
          </Text>
        ) : (
          <ul className={classes.issues}>
            {located.map(({ path, line, message }, index) => (
              <li key={index}>
                {line !== null && (
                  <UnstyledButton className={classes.line} onClick={() => area.current && goToLine(area.current, line)}>
                    line {line}
                  </UnstyledButton>
                )}{' '}
                {path && <code>{path}</code>} {message}
              </li>
            ))}
          </ul>
        )}
      </div>
      <YamlEditor ref={area} value={text} onChange={write} issues={located} />
      <Group gap="xs">
        <TextFileButton accept=".yaml,.yml,text/yaml,application/yaml" onText={open} size="compact-sm">
          Open a YAML file
        </TextFileButton>
        <Text size="sm" c="dimmed">
          or drop it here
        </Text>
      </Group>
      <ConfirmDialog
        isOpen={opened !== null}
        title="Replace your changes?"
        consequence="The file replaces what you wrote here and did not save."
        action="Replace"
        onClose={() => setOpened(null)}
        onConfirm={() => opened !== null && write(opened)}
      />
    </Stack>
  );
}

function goToLine(area: HTMLTextAreaElement, line: number): void {
  const lines = area.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((total, text) => total + text.length + 1, 0);
  area.focus({ preventScroll: true });
  area.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  const frame = area.closest('div')?.parentElement;
  frame?.scrollTo({ top: Math.max(0, (area.scrollHeight / (lines.length + 1)) * (line - 1) - frame.clientHeight / 2) });
}
