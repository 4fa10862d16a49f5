import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { localAccessFile } from '#cli/controller/controller-access.ts';
import { createEvaluator } from '#controller/people/evaluators.ts';
import { NewTokenSchema, SessionSchema } from '#core/protocol/api/access.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { postJson } from '#tests/support/controller.ts';
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

test('who lost the session gets a link for the Controller that runs, although there are accounts', async () => {
  await createEvaluator(database.pool, { name: 'Ada', passwordHash: 'of a password that nobody knows', role: 'admin' });
  await using started = await startUp();
  expect((await stat(localAccessFile(home.path))).mode & 0o777).toBe(0o600);

  const { exitCode, stdout } = await run('link', '--json');
  const { url, signInUrl } = z.object({ url: z.string(), signInUrl: z.string() }).parse(JSON.parse(stdout));
  expect([exitCode, url]).toEqual([0, started.url]);
  const ticket = new URLSearchParams(new URL(signInUrl).hash.slice(1)).get('ticket');
  const entered = await fetch(`${url}/api/sign-in/ticket`, postJson({ ticket }));
  expect(SessionSchema.parse(await entered.json())).toMatchObject({ evaluatorName: null, role: 'admin' });
  expect((await run('link', '--role', 'viewer')).stdout).toMatch(
    /^To sign in as viewer, open this link; it works once, within a day:\n\n {2}http:\S+#ticket=\S+\n\n$/,
  );

  const second = await run('up', '--port', new URL(started.url).port, '--admin-link');
  expect([second.exitCode, second.stdout]).toEqual([1, '']);
  expect(second.stderr).toContain(
    `HTTP-AE already runs at ${started.url}: "./http-ae link" prints a sign-in link for it`,
  );
});

test('without a Controller of this user, link and token say how to start one', async () => {
  for (const args of [['link'], ['token', 'list']]) {
    const { exitCode, stderr } = await run(...args);
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringMatching(/^You run no Controller on this machine: start one with "\.\/http-ae up"/),
    ]);
  }
});

test('tokens are made, listed and revoked at the terminal', async () => {
  await using started = await startUp();
  const ask = async (token: string, path: string) =>
    (await fetch(started.url + path, { headers: { authorization: `Bearer ${token}` } })).status;

  const api = (await run('token', 'create', '--api', '--role', 'viewer', '--name', 'nightly')).stdout.trim();
  expect([await ask(api, '/api/runs'), await ask(api, '/api/people')]).toEqual([200, 403]);
  const agent = NewTokenSchema.parse(JSON.parse((await run('token', 'create', '--agent', 'laptop', '--json')).stdout));
  expect(agent).toMatchObject({ scope: 'agent', agentName: 'laptop', madeBy: 'the OS user of the Controller' });

  const listed = (await run('token', 'list')).stdout;
  expect(listed).toMatch(/"nightly", for programs, as viewer; created \d{4}-\d\d-\d\d, last used/);
  expect(listed).toContain('for the Agent "laptop"');
  expect(listed).not.toContain('hae_');

  const id = /^ *(\d+) {2}"nightly"/m.exec(listed)![1]!;
  expect((await run('token', 'revoke', id)).stdout).toBe(`Token ${id} is revoked\n`);
  expect(await ask(api, '/api/runs')).toBe(401);
  expect((await run('token', 'create')).stderr).toBe(
    'Say what the token is for: --agent [NAME] for an Agent, --api for a program\n',
  );
  const { rows } = await database.pool.query<{ action: string }>(
    `select action from audit_entry where actor = 'the OS user of the Controller' order by id`,
  );
  expect(rows.map(({ action }) => action)).toEqual(['token-made', 'token-made', 'token-revoked']);
});

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
