import { Button, FileButton, Group, Stack, Text } from '@mantine/core';
import { useRef, type ReactNode } from 'react';
import { problemOf } from '../api/problem-error.ts';
import { YamlEditor } from './yaml-editor.tsx';
import { YamlProblem } from './yaml-problem.tsx';

interface YamlFormProps {
  value: string;
  onChange: (value: string) => void;
  /** Why a text was refused, and that text: lines are marked only while they are still the same. */
  refusal: { error: Error; yaml: string } | null;
  submitLabel: string;
  isSubmitting: boolean;
  onSubmit: () => void;
  children?: ReactNode;
}

/** An Evaluation as text: write, paste, upload or drop it; what is wrong is said at its line. */
export function YamlForm({ value, onChange, refusal, submitLabel, isSubmitting, onSubmit, children }: YamlFormProps) {
  const textArea = useRef<HTMLTextAreaElement>(null);
  const load = (file: File | null | undefined) => void file?.text().then(onChange);

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit();
      }}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        load(event.dataTransfer.files[0]);
      }}
    >
      <Stack gap="sm">
        {refusal && <YamlProblem problem={problemOf(refusal.error)} onGoTo={(line) => goToLine(textArea.current, line)} />}
        <YamlEditor ref={textArea} value={value} onChange={onChange} issues={refusal?.yaml === value ? problemOf(refusal.error).issues : []} />
        <Group gap="xs">
          <Button type="submit" loading={isSubmitting}>
            {submitLabel}
          </Button>
          <FileButton accept=".yaml,.yml,text/yaml,application/yaml" onChange={load}>
            {(props) => (
              <Button variant="default" {...props}>
                Open a file
              </Button>
            )}
          </FileButton>
          {children}
          <Text size="sm" c="dimmed">
            or drop a YAML file here
          </Text>
        </Group>
      </Stack>
    </form>
  );
}

function goToLine(textArea: HTMLTextAreaElement | null, line: number): void {
  if (!textArea) return;
  const lines = textArea.value.split('\n');
  const start = lines.slice(0, line - 1).reduce((total, text) => total + text.length + 1, 0);
  textArea.focus({ preventScroll: true });
  textArea.setSelectionRange(start, start + (lines[line - 1]?.length ?? 0));
  const editor = textArea.closest('div')?.parentElement;
  editor?.scrollTo({ top: Math.max(0, (textArea.scrollHeight / (lines.length + 1)) * (line - 1) - editor.clientHeight / 2) });
}
