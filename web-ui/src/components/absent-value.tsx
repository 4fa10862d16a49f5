import { Tooltip } from '@mantine/core';

/** Shown where a number was not measured: a dash, its reason one hover away. Never a zero. */
export function AbsentValue({ reason }: { reason: string }) {
  return (
    <Tooltip label={reason}>
      <span tabIndex={0} style={{ cursor: 'help' }} aria-label={`absent: ${reason}`} role="note">
        —
      </span>
    </Tooltip>
  );
}
