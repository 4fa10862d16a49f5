import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { localAccessFile } from '#cli/controller/controller-access.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

let database: TestDatabase;
let home: Awaited<ReturnType<typeof makeTemporaryFolder>>;
beforeEach(async () => {
  database = await createTestDatabase();
  home = await makeTemporaryFolder();
});
afterEach(async () => {
  await database[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

const environment = () => ({ DATABASE_URL: database.databaseUrl, HTTP_AE_HOME: home.path, HOME: home.path });
const run = (...args: string[]) => runCli(args, environment());

async function startUp(...words: string[]) {
  const up = new CliProcess(['up', '--port', '0', '--json', ...words], environment());
  const { url } = z.object({ url: z.string() }).parse(JSON.parse(await up.firstLine()));
  // The line is printed before the Agent joins, and after the commands of this user were let in.
  return { up, url, [Symbol.asyncDispose]: () => up[Symbol.asyncDispose]() };
}

test('the next start revokes the tokens that a killed one has left, and no command finds the dead Controller', async () => {
  const validTokens = async () =>
    (
      await database.pool.query<{ name: string }>('select name from token where revoked_at is null order by id')
    ).rows.map(({ name }) => name);
  const killed = await startUp('--agent', 'laptop');
  await expect
    .poll(validTokens, { timeout: 20_000 })
    .toEqual([expect.stringMatching(/^Commands on /), expect.stringMatching(/^Agent of /)]);
  await killed.up.kill('SIGKILL');
  expect(await validTokens()).toHaveLength(2);
  expect((await run('evaluate', 'x.yaml')).exitCode).toBe(2);
  const leftover = await readFile(localAccessFile(home.path), 'utf8');

  {
    await using next = await startUp();
    await using beside = await startUp();
    expect(await validTokens()).toEqual([
      expect.stringMatching(/^Commands on /),
      expect.stringMatching(/^Commands on /),
    ]);
    expect(next.url).not.toBe(beside.url);
    expect(await readFile(localAccessFile(home.path), 'utf8')).not.toBe(leftover);
  }
  expect(await validTokens()).toEqual([]);
  expect(existsSync(localAccessFile(home.path))).toBe(false);
});
