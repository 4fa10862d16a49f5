import { once } from 'node:events';
import { createServer } from 'node:http';
import { BlockList, connect, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readNetworks } from '#httpep/command/pep-options.ts';
import { isPublicAddress } from '#httpep/ground/address-policy.ts';
import type { Ground } from '#httpep/ground/start-ground.ts';
import { hashPassword } from '#httpep/remote/clients.ts';
import { ask } from './support/ask.ts';
import { startOddOrigin, type OddOrigin } from './support/odd-origin.ts';
import { startTestGround, startTestRemote } from './support/start-pair.ts';

let origin: OddOrigin;
let ground: Ground;

beforeAll(async () => {
  origin = await startOddOrigin();
  ground = await startTestGround();
});

afterAll(async () => {
  await ground[Symbol.asyncDispose]();
  await origin[Symbol.asyncDispose]();
});

const basic = (text: string) => ({ 'proxy-authorization': `Basic ${Buffer.from(text).toString('base64')}` });

test('an address that is not allowed is refused', async () => {
  await using remote = await startTestRemote(ground.port, { allowed: new BlockList() });
  expect((await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(403);
});

test('where passwords are needed, only the right one passes, and the web server does not see it', async () => {
  await using remote = await startTestRemote(ground.port, { passwords: new Map([['ann', hashPassword('secret')]]) });
  const status = async (headers = {}) => (await ask(`${origin.url}/plain`, { headers }, remote.port)).status;
  expect(await status()).toBe(407);
  expect(await status(basic('ann:wrong'))).toBe(407);
  expect(await status(basic('bob:secret'))).toBe(407);
  expect(await status(basic('ann:secret'))).toBe(200);
  const seen = await ask(`${origin.url}/headers`, { headers: basic('ann:secret') }, remote.port);
  expect(Buffer.from(seen.body, 'base64').toString()).not.toMatch(/proxy-authorization/i);
});

test('the same address with other credentials is another user, and each has its class', async () => {
  const users: string[] = [];
  const classOf = (user: string) => {
    users.push(user);
    return '';
  };
  await using own = await startTestGround({ classOf });
  await using remote = await startTestRemote(own.port);
  for (const headers of [{}, basic('a:1'), basic('a:2')]) await ask(`${origin.url}/plain`, { headers }, remote.port);
  expect(users[0]).toBe('127.0.0.1');
  expect(new Set(users).size).toBe(3);
  expect(users.join()).not.toContain('a:1');
});

test('a user has at most 128 requests at a time', async () => {
  await using remote = await startTestRemote(ground.port);
  const first = origin.asked.length;
  const silent = Array.from({ length: 128 }, () => ask(`${origin.url}/silent`, {}, remote.port).catch(() => null));
  await expect.poll(() => origin.asked.length).toBeGreaterThanOrEqual(first + 64);
  await expect.poll(async () => (await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(503);
  await remote[Symbol.asyncDispose]();
  await Promise.all(silent);
});

test('credentials that nobody checks make no more places for an address', async () => {
  await using own = await startTestGround();
  await using remote = await startTestRemote(own.port);
  const statusOf = async (name: string) =>
    (await ask(`${origin.url}/plain`, { headers: basic(`${name}:1`) }, remote.port)).status;
  const silent = Array.from({ length: 128 }, (_, n) =>
    ask(`${origin.url}/silent`, { headers: basic(`${n}:1`) }, remote.port).catch(() => null),
  );
  await expect.poll(() => statusOf('made up')).toBe(503);
  await remote[Symbol.asyncDispose]();
  await Promise.all(silent);
});

test('connections that speak another protocol by now count among the 128', async () => {
  await using own = await startTestGround();
  await using remote = await startTestRemote(own.port);
  await using other = await startOddOrigin();
  const upgrade = 'Host: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  const sockets = Array.from({ length: 128 }, (_, index) => {
    const socket = connect(remote.port, '127.0.0.1').on('error', () => undefined);
    socket.write(`GET ${index % 2 === 0 ? origin.url : other.url}/ HTTP/1.1\r\n${upgrade}`);
    return socket;
  });
  await Promise.all(sockets.map((socket) => once(socket, 'data')));
  const status = async () => (await ask(`${origin.url}/plain`, {}, remote.port)).status;
  expect(await status()).toBe(503);
  sockets[0]!.destroy();
  await expect.poll(status).toBe(200);
  for (const socket of sockets) socket.destroy();
});

test('open requests of one user hold up no other at the same web server', async () => {
  await using own = await startTestGround();
  await using remote = await startTestRemote(own.port);
  const first = origin.asked.length;
  const silent = Array.from({ length: 100 }, () => ask(`${origin.url}/silent`, {}, remote.port).catch(() => null));
  await expect.poll(() => origin.asked.length).toBeGreaterThanOrEqual(first + 64);
  expect((await ask(`${origin.url}/plain`, { headers: basic('b:1') }, remote.port)).status).toBe(200);
  await remote[Symbol.asyncDispose]();
  await Promise.all(silent);
});

test('strangers who say nothing keep no remote end out', async () => {
  await using own = await startTestGround();
  const strangers = Array.from({ length: 100 }, () => connect(own.port, '127.0.0.1').on('error', () => undefined));
  await Promise.all(strangers.map((each) => once(each, 'connect')));
  await using remote = await startTestRemote(own.port);
  expect((await ask(`${origin.url}/plain`, {}, remote.port)).status).toBe(200);
  for (const each of strangers) each.destroy();
});

describe('addresses that are not public', () => {
  test.for([
    ['127.0.0.1', false],
    ['10.1.2.3', false],
    ['172.31.0.1', false],
    ['192.168.1.1', false],
    ['169.254.169.254', false],
    ['100.64.0.1', false],
    ['198.19.0.1', false],
    ['0.0.0.0', false],
    ['255.255.255.255', false],
    ['::1', false],
    ['::', false],
    ['fe80::1', false],
    ['fec0::1', false],
    ['100::1', false],
    ['2001:2:0:19::1', false],
    ['3fff::1', false],
    ['fd00::1', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:7f00:1', false],
    ['64:ff9b::7f00:1', false],
    ['2002:7f00:1::', false],
    ['localhost', false],
    ['8.8.8.8', true],
    ['2606:4700::1111', true],
    ['::ffff:8.8.8.8', true],
  ] as const)('%s is public: %s', ([address, expected]) => {
    expect(isPublicAddress(address)).toBe(expected);
  });

  test('are refused, by name and by number, however the number is written', async () => {
    const server = createServer((_, response) => response.end('inside'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    await using strict = await startTestGround({ allowPrivate: false });
    await using remote = await startTestRemote(strict.port);
    for (const host of ['127.0.0.1', 'localhost', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]']) {
      const answer = await ask(`http://${host}:${port}/`, {}, remote.port);
      expect(answer, host).toMatchObject({ status: 403 });
      expect(answer.headers).toContain('httpep; error=destination_ip_prohibited');
    }
    server.close();
  });

  test('are reached where they are on the list, and no other ones', async () => {
    const server = createServer((_, response) => response.end('inside'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const allowPrivate = readNetworks(['10.0.0.0/8', '127.0.0.0/24'], '--allow-private');
    await using ground = await startTestGround({ allowPrivate });
    await using remote = await startTestRemote(ground.port);
    const statusOf = async (host: string) => (await ask(`http://${host}:${port}/`, {}, remote.port)).status;
    expect(await statusOf('127.0.0.1')).toBe(200);
    expect(await statusOf('localhost')).toBe(200);
    expect(await statusOf('127.0.1.1')).toBe(403);
    expect(await statusOf('[::1]')).toBe(403);
    server.close();
  });
});
