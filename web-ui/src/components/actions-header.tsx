import { Table, VisuallyHidden } from '@mantine/core';

/** The head of a column of buttons: seen, the buttons explain themselves; heard, the column has a name. */
export function ActionsHeader({ widthPx }: { widthPx: number }) {
  return (
    <Table.Th w={widthPx}>
      <VisuallyHidden>Actions</VisuallyHidden>
    </Table.Th>
  );
}
