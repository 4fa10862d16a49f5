import { existsSync, openAsBlob } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ControllerClient } from '#cli/controller/controller-client.ts';
import { uploadSite } from '#cli/evaluate/upload-sites.ts';
import { uploadCorpusSite } from '#cli/site/fetch-corpus.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { writeSite } from '#site/write-site.ts';
import { startTestController } from '#tests/support/controller.ts';
import { makeRecordedSite } from '#tests/support/make-recorded-site.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const name = 'tabler-lists';

test('a page of the corpus is uploaded once: a Controller that has it keeps it, and its recording is not made again', async () => {
  await using it = await startTestController();
  await using folder = await makeTemporaryFolder();
  const { token } = await issueToken(it.controller.pool, { name: 'demo', scope: 'api' });
  const { signal } = new AbortController();
  const client = new ControllerClient({ url: it.controller.url, token }, signal);
  // No browser is needed where the recording is there.
  const options = { homeFolder: folder.path, chromePath: '/nowhere', say: () => undefined, signal };
  const upload = (site: string) => uploadCorpusSite(client, site, options);
  const file = path.join(folder.path, 'corpus', `${name}.wacz`);

  await mkdir(path.dirname(file));
  await writeSite(file, makeRecordedSite({ title: 'another' }), { nowEpochMs: 1_764_000_000_000 });
  await client.uploadSite(await openAsBlob(file));
  await writeSite(file, makeRecordedSite({ title: name }), { nowEpochMs: 1_764_000_000_000 });
  expect(await upload(name)).toBe(name);
  await using elsewhere = await makeTemporaryFolder();
  expect(await uploadCorpusSite(client, name, { ...options, homeFolder: elsewhere.path })).toBe(name);
  expect(existsSync(path.join(elsewhere.path, 'corpus'))).toBe(false);
  expect((await client.listSites()).map((site) => site.name).toSorted()).toEqual(['another', name]);
  await expect(upload('no-such-page')).rejects.toThrow('The corpus has no no-such-page. It has: ');
});

test('recordings of one title are Sites of their own, named after their files, and each is uploaded once', async () => {
  await using it = await startTestController();
  await using folder = await makeTemporaryFolder();
  const { token } = await issueToken(it.controller.pool, { name: 'test', scope: 'api' });
  const client = new ControllerClient({ url: it.controller.url, token }, new AbortController().signal);
  const upload = async (name: string, nowEpochMs: number) => {
    const file = path.join(folder.path, name, 'shop.wacz');
    await mkdir(path.dirname(file), { recursive: true });
    await writeSite(file, makeRecordedSite({ title: 'Shop' }), { nowEpochMs });
    return uploadSite(client, file);
  };
  const names = ['Shop', 'shop', 'shop 2'];
  for (const [index, name] of names.entries()) expect(await upload(`${index}`, 1_764_000_000_000 + index)).toBe(name);
  expect(await uploadSite(client, path.join(folder.path, '1', 'shop.wacz'))).toBe('shop');
});
