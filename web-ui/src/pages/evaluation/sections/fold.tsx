import { Paper, Stack, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import { useEditor } from '../editor/editor-context.ts';
import { isWithin, readPath, type Path } from '../editor/path.ts';
import classes from './fold.module.css';

interface FoldProps {
  title: string;
  /** What it holds, in a few words. */
  detail: string;
  /** What the Evaluation writes of it; open while something of it is wrong, and at first when there is any. */
  path?: Path;
  /** The same, of several fields. */
  paths?: readonly Path[];
  children: ReactNode;
}

/** Settings that many do not need, folded away until they are. */
export function Fold({ title, detail, path, paths = path ? [path] : [], children }: FoldProps) {
  const { input, issues } = useEditor();
  const [isOpen, setIsOpen] = useState(() => paths.some((each) => isWritten(readPath(input, each))));
  const isWrong = paths.some((each) => issues.some((issue) => isWithin(issue.path, each)));
  return (
    <Paper withBorder radius="md">
      <details open={isOpen || isWrong} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={classes.summary}>
          <Text span fw={600} size="sm">
            {title}
          </Text>
          <Text span c="dimmed" size="sm">
            {detail}
          </Text>
        </summary>
        {(isOpen || isWrong) && (
          <Stack gap="md" px="sm" pb="sm">
            {children}
          </Stack>
        )}
      </details>
    </Paper>
  );
}

function isWritten(value: unknown): boolean {
  return typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : typeof value === 'string';
}
