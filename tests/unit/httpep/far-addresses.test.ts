import { once } from 'node:events';
import { connect, type LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import { HeldTime } from '#tests/support/held-time.ts';
import { NameLookups } from '#httpep/ground/name-lookups.ts';
import { startSlowWay, twoAddresses } from '#tests/support/slow-way.ts';
import { ask } from './support/ask.ts';
import { startOddOrigin } from './support/odd-origin.ts';
import { startTestGround, startTestRemote } from './support/start-pair.ts';

test.runIf(process.platform === 'linux')('of several addresses, that of a web server far away is used', async () => {
  await using origin = await startOddOrigin();
  await using way = await startSlowWay(origin.port);
  const names = new NameLookups({ resolve: (_, __, onFound) => onFound(null, twoAddresses), places: 2 });
  await using ground = await startTestGround({ names });
  await using remote = await startTestRemote(ground.port);
  const answer = ask(`http://a.test:${way.port}/plain`, {}, remote.port);
  await way.open();
  expect((await answer).status).toBe(200);
});

test.runIf(process.platform === 'linux')('of several addresses, that of a ground end far away is used', async () => {
  await using origin = await startOddOrigin();
  await using ground = await startTestGround();
  await using way = await startSlowWay(ground.port);
  const lookup: LookupFunction = (_, __, callback) => callback(null, twoAddresses);
  const started = startTestRemote(way.port, { ground: { host: 'a.test', port: way.port }, lookup });
  await way.open();
  await using remote = await started;
  expect((await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(200);
});

test.runIf(process.platform === 'linux')('a host that accepts no connection is given up after 30 s', async () => {
  await using way = await startSlowWay(9);
  const time = new HeldTime();
  await using ground = await startTestGround({ time });
  await using remote = await startTestRemote(ground.port);
  const answer = ask(`http://127.0.0.1:${way.port}/`, {}, remote.port);
  await way.untilLost();
  await time.pass(30_000);
  const { status, headers } = await answer;
  expect([status, headers.at(-1)]).toEqual([504, 'httpep; error=connection_timeout']);

  const client = connect(remote.port, '127.0.0.1');
  client.write(`CONNECT 127.0.0.1:${way.port} HTTP/1.1\r\nHost: a\r\n\r\n`);
  const closed = once(client, 'close');
  await once(client.resume(), 'data');
  await way.untilLost();
  await time.pass(30_000);
  await closed;
});
