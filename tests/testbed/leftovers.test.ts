import { readdirSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { isRunning, startTestbedProcess } from './support/kill-and-repeat.ts';

test('a testbed that is killed leaves no process, file or namespace, and needs no next start for it', async () => {
  await using folder = await makeTemporaryFolder();
  const [home, temporary] = [path.join(folder.path, 'home'), path.join(folder.path, 'tmp')];
  for (const each of [home, temporary]) await mkdir(each);
  const testbed = await startTestbedProcess('cable', { ...process.env, HTTP_AE_HOME: home, TMPDIR: temporary });
  const places = () => listNamespaces().filter(({ owner }) => owner.pid === testbed.pid);
  expect(places()).toHaveLength(3);
  await testbed.end('SIGKILL');
  await expect.poll(places, { timeout: 60_000 }).toEqual([]);
  await expect.poll(() => testbed.family.filter(isRunning), { timeout: 60_000 }).toEqual([]);
  expect([...readdirSync(home), ...readdirSync(temporary)]).toEqual([]);
});
