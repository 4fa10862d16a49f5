import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

test('Ctrl-C ends "check" in the midst of a measurement that takes many minutes, and leaves no namespace', async () => {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'slow.yaml');
  await writeFile(file, 'preset: geo-1m\nforward: { rateKbps: 0.1 }\nreturn: { rateKbps: 0.1 }\n');
  await using check = new CliProcess(['testbed', 'check', file], {});
  const places = () => listNamespaces().filter(({ owner }) => owner.pid === check.child.pid);
  while (!check.stderr.includes('\n')) await once(check.child.stderr!, 'data');
  expect(places()).toHaveLength(3);
  check.child.kill('SIGINT');
  expect(await check.untilEnded()).toBe(130);
  expect(check.stdout).toBe('');
  expect(places()).toEqual([]);
});
