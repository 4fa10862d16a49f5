import { expect, test } from 'vitest';
import { startOriginProcess } from '#cli/origin/start-origin-process.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

test('an origin that is ended in an orderly way has not failed', async () => {
  await using folder = await makeTemporaryFolder();
  const origin = await startOriginProcess({ ports: {}, authorityFolder: folder.path });
  expect((await fetch(`${origin.httpUrl}/images/1`)).status).toBe(200);
  await origin[Symbol.asyncDispose]();
  expect(origin.failed.aborted).toBe(false);
});
