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
  /** Where what it holds is, and the defaults there. It opens while something of that is wrong. */
  holds?: readonly Held[];
  children: ReactNode;
}

interface Held {
  path: Path;
  defaults?: unknown;
  /** One setting among others: its name is enough. */
  isOne?: boolean;
}

/** Settings that many do not need, folded away until they are. */
export function Fold({
  title,
  detail,
  path,
  paths = path ? [path] : [],
  holds = paths.map((each) => ({ path: each, isOne: paths.length > 1 })),
  children,
}: FoldProps) {
  const { input, issues } = useEditor();
  const [isOpen, setIsOpen] = useState(() => paths.some((each) => isWritten(readPath(input, each))));
  const isWrong = holds.some((held) => issues.some((issue) => isWithin(issue.path, held.path)));
  const changed = holds.flatMap((held) => listChanged(readPath(input, held.path), held));
  return (
    <Paper withBorder radius="md">
      <details open={isOpen || isWrong} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
        <summary className={classes.summary}>
          <Text span fw={600} size="sm">
            {title}
          </Text>
          <Text span c="dimmed" size="sm">
            {changed.length > 0 ? <Changed names={changed} /> : detail}
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

function Changed({ names }: { names: readonly string[] }) {
  return (
    <>
      Set:{' '}
      <Text span inherit c="var(--mantine-color-text)">
        {names.join(', ')}
      </Text>
    </>
  );
}

/** What is written there and is no default: its keys; of a list, how many entries; of a single value, its own key. */
export function listChanged(value: unknown, { path, defaults, isOne }: Held): string[] {
  const own = String(path.at(-1));
  if (value === undefined || isSame(value, defaults) || !isWritten(value)) return [];
  if (isOne || typeof value !== 'object' || value === null) return [own];
  if (Array.isArray(value)) return [`${value.length} ${value.length === 1 ? 'entry' : 'entries'}`];
  return Object.entries(value).flatMap(([key, each]) =>
    isSame(each, readPath(defaults, [key])) || !isWritten(each) ? [] : [key],
  );
}

/** An empty list is nothing, and an empty mapping may be a setting, such as `path: {}`. */
const isWritten = (value: unknown) => value !== undefined && !(Array.isArray(value) && value.length === 0);

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
