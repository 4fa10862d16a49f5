import { Skeleton, Stack } from '@mantine/core';

/** Keeps the place of rows, so that nothing jumps when they come. */
export function RowsSkeleton({ rows = 5, heightPx = 44 }: { rows?: number; heightPx?: number }) {
  return (
    <Stack gap="xs" aria-busy="true" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        <Skeleton key={index} height={heightPx} />
      ))}
    </Stack>
  );
}
