import { once } from 'node:events';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { processesOf, smallDemo, startDemo } from './support/start-demo.ts';

test('the demo measures, prints its Comparison, and ends without leaving a process or a namespace', async () => {
  await using database = await createTestDatabase();
  await database.pool.query(smallDemo);
  await using folder = await makeTemporaryFolder();
  const { demo, said, printed } = await startDemo(folder.path, {
    words: ['--once', '--json'],
    databaseUrl: database.databaseUrl,
  });
  const [exitCode] = (await once(demo, 'close')) as [number | null];
  expect(exitCode, said()).toBe(0);
  const { comparison } = z
    .object({ comparison: z.object({ roundsCounted: z.int(), scenarios: z.array(z.string()) }) })
    .parse(JSON.parse(printed()));
  expect(comparison.roundsCounted).toBe(2);
  expect(comparison.scenarios).toEqual(['HTTP/1.1', 'HTTP/2']);
  expect(processesOf(folder.path)).toEqual([]);
  expect(listNamespaces().filter(({ owner }) => owner.pid === demo.pid)).toEqual([]);
});
