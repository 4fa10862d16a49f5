import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import { useEditor } from '../../editor/editor-context.ts';
import type { Change } from '../../editor/change-yaml.ts';
import { readKeys, readList, readPath, readText } from '../../editor/path.ts';
import { RenameField } from '../rename-field.tsx';

interface ListHeadProps {
  list: string;
  canRemove: boolean;
  /** What else can be done with the list. */
  children: ReactNode;
}

/** The name of a URL list, and its end. */
export function ListHead({ list, canRemove, children }: ListHeadProps) {
  const { input, change } = useEditor();
  return (
    <Group justify="space-between" align="flex-end" wrap="nowrap">
      <RenameField
        label="List"
        name={list}
        onRename={(next) => change(renameList(input, { list, next }))}
        taken={readKeys(input, ['urlLists'])}
      />
      <Group gap={4} wrap="nowrap">
        {children}
        {canRemove && (
          <Button
            size="compact-sm"
            variant="subtle"
            color="gray"
            onClick={() => change([{ path: ['urlLists', list], value: undefined }])}
            aria-label={`Remove the list ${list}`}
          >
            Remove
          </Button>
        )}
      </Group>
    </Group>
  );
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
