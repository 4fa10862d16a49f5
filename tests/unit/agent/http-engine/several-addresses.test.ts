import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { HostResolver, openConnection } from '#agent/engines/http/network/open-connection.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { startSlowWay, twoAddresses } from '#tests/support/slow-way.ts';

class KnownAddresses extends HostResolver {
  override resolve(): Promise<typeof twoAddresses> {
    return Promise.resolve(twoAddresses);
  }
}

test.runIf(process.platform === 'linux')('of several addresses, that of a web server far away is used', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  await using way = await startSlowWay((server.address() as AddressInfo).port);
  const resolver = new KnownAddresses();
  const settings = { browser: { trustedKeys: [] }, resolver, tlsSessions: new Map(), nowEpochMs: epochClock };
  const opening = openConnection(new URL(`http://a.test:${way.port}/`), settings, new AbortController().signal);
  await way.open();
  const { socket, serverAddress } = await opening;
  expect(serverAddress).toBe('127.0.0.1');
  socket.destroy();
  server.close();
});
