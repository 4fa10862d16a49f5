import { expect, test } from 'vitest';
import { z } from 'zod';
import { createEvaluator } from '#controller/people/evaluators.ts';
import { SessionSchema } from '#core/protocol/api/access.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { postJson, startTestController } from '#tests/support/controller.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const LineSchema = z.object({ time: z.iso.datetime(), level: z.enum(['debug', 'info']), msg: z.string() });
const AnnouncementSchema = z.object({ url: z.string(), signInUrl: z.string().nullable() });

test('who runs the Controller gets in as an admin although there are accounts, when they ask for it', async () => {
  await using other = await startTestController();
  await using home = await makeTemporaryFolder();
  await using started = new AsyncDisposableStack();
  await createEvaluator(other.controller.pool, {
    name: 'Ada',
    passwordHash: 'of a password that nobody knows',
    role: 'admin',
  });

  const announce = async (words: string[], environment: Record<string, string> = {}) => {
    const up = started.use(
      new CliProcess(['up', '--port', '0', '--json', ...words], {
        DATABASE_URL: other.database.databaseUrl,
        HTTP_AE_HOME: home.path,
        HOME: home.path,
        ...environment,
      }),
    );
    return { up, ...AnnouncementSchema.parse(JSON.parse(await up.firstLine())) };
  };
  const forPeople = started.use(
    new CliProcess(['up', '--port', '0', '--admin-link'], {
      DATABASE_URL: other.database.databaseUrl,
      HTTP_AE_HOME: home.path,
      HOME: home.path,
    }),
  );
  await expect
    .poll(() => forPeople.stdout, { timeout: 20_000 })
    .toMatch(
      /^\nHTTP-AE is at http:\S+\nTo sign in as an admin, open this link; it works once, within a day:\n\n {2}http:\S+#ticket=\S+\n\n$/,
    );
  await forPeople.kill('SIGTERM');

  const plain = await announce(['--verbose'], { HTTP_AE_LOG: 'json' });
  await plain.up.kill('SIGTERM');
  const lines = plain.up.stderr.trimEnd().split('\n');
  expect(lines.map((line) => LineSchema.parse(JSON.parse(line)).msg)).toContain('Stopping');
  expect(plain.signInUrl).toBeNull();

  const asked = await announce(['--admin-link']);
  const ticket = new URLSearchParams(new URL(asked.signInUrl!).hash.slice(1)).get('ticket');
  const entered = await fetch(`${asked.url}/api/sign-in/ticket`, postJson({ ticket }));
  expect(SessionSchema.parse(await entered.json())).toMatchObject({ evaluatorName: null, role: 'admin' });
});

test('a Controller ends when another version has updated its database, and does not start on it again', async () => {
  await using database = await createTestDatabase();
  await using home = await makeTemporaryFolder();
  await using started = new AsyncDisposableStack();
  const start = () =>
    started.use(
      new CliProcess(['up', '--port', '0', '--json'], {
        DATABASE_URL: database.databaseUrl,
        HTTP_AE_HOME: home.path,
        HOME: home.path,
      }),
    );
  const running = start();
  await running.firstLine();
  await database.pool.query(`insert into migration (name, run_on) values ('9999_later', now())`);
  const problem = 'The database has the migration 9999_later of another version of HTTP-AE: install that version';
  expect(await running.untilEnded()).toBe(1);
  expect(running.stderr).toContain(problem);
  const { rows } = await database.pool.query('select from controller');
  expect(rows).toEqual([]);

  const later = start();
  expect(await later.untilEnded()).toBe(1);
  expect(later.stderr).toContain(problem);
});
