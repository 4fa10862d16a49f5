import { Text } from '@mantine/core';

/** Whether only this machine reaches an address: that of its loopback. */
export function isLoopback(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}

/** Says that what is given to others works on this machine only, where it does, and what makes it work elsewhere. */
export function LocalAddressNote({ address, others }: { address: string; others: string }) {
  if (!isLoopback(address)) return null;
  return (
    <Text size="sm" c="var(--mantine-color-yellow-light-color)">
      {address} works on this machine only. {others}, start the Controller with <code>--host 0.0.0.0 --public-url</code>{' '}
      and its address.
    </Text>
  );
}
