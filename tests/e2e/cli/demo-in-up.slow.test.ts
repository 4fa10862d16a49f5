import { once } from 'node:events';
import pino from 'pino';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { openDatabaseServer } from '#cli/up/open-database-server.ts';
import { connectDatabase } from '#controller/database/connect.ts';
import { migrate } from '#controller/database/migrate.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { processesOf, smallDemo, startDemo } from './support/start-demo.ts';

const log = pino({ level: 'silent' });

/** Makes the Runs of this home folder small, before there is any. */
async function prepareHome(folder: string): Promise<void> {
  await using server = await openDatabaseServer({
    folder,
    environment: {},
    log,
    signal: AbortSignal.timeout(60_000),
  });
  const pool = await connectDatabase({ databaseUrl: server.databaseUrl, log });
  await migrate(pool, log);
  await pool.query(smallDemo);
  await pool.end();
}

test('the Run of a demo is there in the Controller that is started afterwards, and says what it is', async () => {
  await using home = await makeTemporaryFolder();
  await prepareHome(home.path);
  const { demo, said } = await startDemo(home.path, { words: ['--once', '--json'] });
  const [exitCode] = (await once(demo, 'close')) as [number | null];
  expect(exitCode, said()).toBe(0);
  expect(said()).not.toContain('keeps its Run apart');

  const environment = { HTTP_AE_HOME: home.path, HOME: home.path };
  {
    await using up = new CliProcess(['up', '--port', '0', '--json'], environment);
    await up.firstLine();
    const { stdout } = await runCli(['runs', '--json'], environment);
    const runs = z.array(z.object({ evaluationName: z.string(), state: z.string() })).parse(JSON.parse(stdout));
    expect(runs).toEqual([{ evaluationName: expect.stringMatching(/^Demo: HTTP\/2/) as string, state: 'completed' }]);
  }
  expect(processesOf(home.path)).toEqual([]);
});
