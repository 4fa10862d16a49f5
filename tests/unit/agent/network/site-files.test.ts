import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyToTestbed, type Testbed } from '#agent/network/apply-to-testbed.ts';
import { SiteFiles } from '#agent/network/site-files.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { settle } from '../../../support/held-time.ts';
import { makeTemporaryFolder } from '../../../support/temporary-folder.ts';

const contents = { one: 'a'.repeat(100), 'two & more': 'b'.repeat(100) };
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const siteOf = (name: keyof typeof contents) => ({ name, sha256: hashOf(contents[name]), pages: [1] });

const stack = new AsyncDisposableStack();
const asked: string[] = [];
const source = { controllerUrl: '', token: 'agent', signal: new AbortController().signal };
let folder: string;
beforeAll(async () => {
  folder = path.join(stack.use(await makeTemporaryFolder()).path, 'sites');
  const server = createServer((request, response) => {
    asked.push(`${request.headers.authorization} ${request.url}`);
    const name = decodeURIComponent(request.url!.split('/').at(-2)!);
    const text = Object.entries(contents).find(([known]) => known === name)?.[1];
    response.writeHead(text === undefined ? 404 : 200).end(text ?? 'There is none');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => void server.close());
  source.controllerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/controller`;
});
afterAll(() => stack.disposeAsync());

test('a file is fetched once, with the token of the Agent, and kept by its hash', async () => {
  const files = new SiteFiles(folder);
  const order = { sites: [siteOf('two & more')], thinkTimeFactor: 2 };
  const first = await files.fetchAll(order, source);
  expect(await files.fetchAll(order, source)).toEqual(first);
  expect(first).toEqual({
    sites: [{ file: path.join(folder, `${hashOf(contents['two & more'])}.wacz`), pages: [1] }],
    thinkTimeFactor: 2,
  });
  expect(await readFile(first.sites[0]!.file, 'utf8')).toBe(contents['two & more']);
  expect(asked.splice(0)).toEqual(['Bearer agent /controller/api/sites/two%20%26%20more/file']);
});

test('a file that is ordered again while it is fetched is fetched once, and whole', async () => {
  const files = new SiteFiles(path.join(folder, 'twice'));
  const order = { sites: [siteOf('one')], thinkTimeFactor: 1 };
  const [first, second] = await Promise.all([files.fetchAll(order, source), files.fetchAll(order, source)]);
  expect(second).toEqual(first);
  expect(await readFile(first.sites[0]!.file, 'utf8')).toBe(contents.one);
  expect(asked.splice(0)).toHaveLength(1);
  await rm(path.join(folder, 'twice'), { recursive: true });
});

test('an order for the network that another overtakes while its files are fetched is not carried out', async () => {
  const done: string[] = [];
  const testbed: Testbed = {
    backend: 'netem',
    apply: ({ replay }) => {
      done.push(replay ? 'replay' : 'plain');
      return Promise.resolve(null);
    },
    endRound: () => {
      done.push('end');
      return Promise.resolve({ figures: [], fault: null });
    },
  };
  const { promise: fetched, resolve: finish } = Promise.withResolvers<{ sites: []; thinkTimeFactor: number }>();
  const network = NetworkSchema.parse({ link: 'none' });
  const order = { network, users: [], runHasVaryingRate: false };
  const late = applyToTestbed(testbed, { ...order }, () => fetched);
  await applyToTestbed(testbed, { ...order, network: null }, () => Promise.resolve(undefined));
  await applyToTestbed(testbed, { ...order }, () => Promise.resolve(undefined));
  finish({ sites: [], thinkTimeFactor: 1 });
  expect(await late).toMatchObject({ problem: 'Another order for the network came before this one was carried out' });
  expect(done).toEqual(['end', 'plain']);
  expect(await applyToTestbed(testbed, { ...order }, () => fetched)).toMatchObject({ problem: null });
  expect(done).toEqual(['end', 'plain', 'replay']);
});

test('an order to take the network back ends the one under way, and is answered after it', async () => {
  const done: string[] = [];
  const testbed: Testbed = {
    backend: 'netem',
    apply: (_, signal) => {
      const { promise, reject } = Promise.withResolvers<null>();
      signal.addEventListener('abort', () => reject(signal.reason as Error));
      return promise;
    },
    endRound: () => Promise.resolve({ figures: [], fault: null }),
  };
  const order = { network: NetworkSchema.parse({ link: 'none' }), users: [], runHasVaryingRate: false };
  const apply = async (network: typeof order.network | null) => {
    const { problem } = await applyToTestbed(testbed, { ...order, network }, () => Promise.resolve(undefined));
    done.push(problem ?? 'done');
  };
  const first = apply(order.network);
  await settle();
  await Promise.all([first, apply(null)]);
  expect(done.toSorted()).toEqual(['Another order for the network came before this one was carried out', 'done']);
});

test('another file under the name, or none, is an error that says what to do, and leaves nothing', async () => {
  const before = await readdir(folder);
  const fetch = (site: { name: string; sha256: string; pages: number[] }) =>
    new SiteFiles(folder).fetchAll({ sites: [site], thinkTimeFactor: 1 }, source);
  await expect(fetch({ ...siteOf('one'), sha256: '0'.repeat(64) })).rejects.toThrow('save the Evaluation again');
  await expect(fetch({ ...siteOf('one'), name: 'none' })).rejects.toThrow('(HTTP status 404): There is none');
  const small = new SiteFiles(folder, { mostFileBytes: 99 });
  await expect(small.fetchAll({ sites: [siteOf('one')], thinkTimeFactor: 1 }, source)).rejects.toMatchObject({
    code: 'too-large',
    message: 'The Controller sends more for the Site "one" than a Site can have',
  });
  expect(await readdir(folder)).toEqual(before);
});

test('beyond the limit, those that were used longest ago go, and never one that is needed now', async () => {
  const files = new SiteFiles(folder, { mostBytes: 150 });
  const old = path.join(folder, `${siteOf('two & more').sha256}.wacz`);
  await utimes(old, new Date(0), new Date(0));
  await files.fetchAll({ sites: [siteOf('one')], thinkTimeFactor: 1 }, source);
  expect(await readdir(folder)).toEqual([`${siteOf('one').sha256}.wacz`]);
  await files.fetchAll({ sites: [siteOf('one'), siteOf('two & more')], thinkTimeFactor: 1 }, source);
  expect(await readdir(folder)).toHaveLength(2);
});
