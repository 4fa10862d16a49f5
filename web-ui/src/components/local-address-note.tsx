import { Text } from '@mantine/core';
import { isLoopback } from '#core/protocol/loopback.ts';

/** Says that what is given to others works on this machine only, where it does, and what makes it work elsewhere. */
export function LocalAddressNote({ address, others }: { address: string; others: string }) {
  if (!isLoopback(new URL(address).hostname)) return null;
  return (
    <Text size="sm" c="var(--mantine-color-yellow-light-color)">
      {address} works on this machine only. {others}, start the Controller with <code>--host 0.0.0.0 --public-url</code>{' '}
      and its address.
    </Text>
  );
}
