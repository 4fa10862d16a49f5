import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { ClientAddresses } from '#controller/people/client-address.ts';
import { readNetworks } from '#httpep/command/pep-options.ts';

const proxies = new ClientAddresses(readNetworks(['10.0.0.7', '10.1.0.0/16', '2001:db8:1::/48'], '--trusted-proxy'));
const none = new ClientAddresses();

const from = (remoteAddress: string | undefined, reported?: string) =>
  ({ socket: { remoteAddress }, headers: { 'x-forwarded-for': reported } }) as unknown as IncomingMessage;

test.for([
  { name: 'a proxy reports a client', peer: '10.0.0.7', reported: '192.0.2.1', client: '192.0.2.1' },
  { name: 'a socket of IPv6 has it', peer: '::ffff:10.0.0.7', reported: '192.0.2.1', client: '192.0.2.1' },
  { name: 'a proxy of IPv6', peer: '2001:db8:1::9', reported: '2001:db8:2::1', client: '2001:db8:2::1' },
  { name: 'two proxies in a row', peer: '10.0.0.7', reported: '192.0.2.1, 10.1.2.3', client: '192.0.2.1' },
  { name: 'the client reports more', peer: '10.0.0.7', reported: '203.0.113.9, 192.0.2.1', client: '192.0.2.1' },
  { name: 'with a port', peer: '10.0.0.7', reported: '192.0.2.1:4711', client: '192.0.2.1' },
  { name: 'with brackets', peer: '10.0.0.7', reported: '[2001:db8:2::1]:4711', client: '2001:db8:2::1' },
  { name: 'the proxy reports no address', peer: '10.0.0.7', reported: 'unknown', client: '10.0.0.7' },
  { name: 'the proxy reports nothing', peer: '10.0.0.7', reported: undefined, client: '10.0.0.7' },
  { name: 'what is before words is not believed', peer: '10.0.0.7', reported: '192.0.2.1, x', client: '10.0.0.7' },
  { name: 'nobody is trusted who comes himself', peer: '192.0.2.5', reported: '192.0.2.1', client: '192.0.2.5' },
  { name: 'the connection is gone', peer: undefined, reported: '192.0.2.1', client: '' },
])('$name', ({ peer, reported, client }) => {
  expect(proxies.read(from(peer, reported))).toBe(client);
  expect(none.read(from(peer, reported))).toBe((peer ?? '').replace('::ffff:', ''));
});
