import { expect, test } from 'vitest';
import { z } from 'zod';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { commandOf, hasVariable, listProcesses } from '#tests/support/list-processes.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const AnnouncementSchema = z.object({ url: z.string() });

test('the Controller is started with an Agent on its machine, which has what was allowed, comes again when it dies, and ends with it', async () => {
  await using database = await createTestDatabase();
  await using home = await makeTemporaryFolder();
  const processes = () => listProcesses((pid) => hasVariable(pid, `HTTP_AE_HOME=${home.path}`));
  {
    await using up = new CliProcess(
      ['up', '--agent', 'of mine', '--allow-scripts', '--extension', '--port', '0', '--json'],
      { DATABASE_URL: database.databaseUrl, HTTP_AE_HOME: home.path, HOME: home.path, HTTP_AE_CHROME: findChrome() },
    );
    const { url } = AnnouncementSchema.parse(JSON.parse(await up.firstLine()));
    const { token } = await issueToken(database.pool, { name: 'test', scope: 'api' });
    const readAgents = async () => {
      const response = await fetch(`${url}/api/agents`, { headers: { authorization: `Bearer ${token}` } });
      return z
        .array(AgentSummarySchema)
        .parse(await response.json())
        .map(({ name, isConnected, facts }) => ({
          name,
          isConnected,
          engines: facts.engines.map(({ engine }) => engine),
          scriptsAllowed: facts.scriptsAllowed,
        }));
    };
    const joined = [
      {
        name: 'of mine',
        isConnected: true,
        engines: expect.arrayContaining(['chrome', 'extension']) as string[],
        scriptsAllowed: true,
      },
    ];
    await expect.poll(readAgents, { timeout: 60_000 }).toEqual(joined);

    process.kill(Number(processes().find((pid) => commandOf(pid).includes(' agent '))), 'SIGKILL');
    await expect
      .poll(() => up.stderr, { timeout: 20_000 })
      .toContain('The Agent "of mine" ended unexpectedly (SIGKILL)');
    await expect.poll(readAgents, { timeout: 60_000 }).toEqual(joined);
  }
  expect(processes()).toEqual([]);
  const { rows } = await database.pool.query<{ count: string }>(
    `select count(*) from token where scope = 'agent' and revoked_at is null`,
  );
  expect(rows).toEqual([{ count: '0' }]);
});
