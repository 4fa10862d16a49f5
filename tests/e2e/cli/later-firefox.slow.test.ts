import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { issueToken } from '#controller/people/tokens.ts';
import { AgentSummarySchema } from '#core/protocol/api/access.ts';
import { findChrome } from '#tests/browser/support/find-chrome.ts';
import { findFirefox, isFirefoxLeftOut } from '#tests/browser/support/find-firefox.ts';
import { CliProcess } from '#tests/support/cli-process.ts';
import { startTestController } from '#tests/support/controller.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

/** What this machine has on its PATH, without a Firefox. */
async function linkPrograms(folder: string): Promise<void> {
  await mkdir(folder);
  for (const place of ['/usr/bin', '/usr/sbin'])
    for (const name of await readdir(place))
      if (!name.startsWith('firefox')) await symlink(path.join(place, name), path.join(folder, name)).catch(() => null);
}

test.skipIf(isFirefoxLeftOut)(
  'a Firefox that is installed while the Agent runs is among its engines, and stays',
  async () => {
    await using controller = await startTestController();
    await using home = await makeTemporaryFolder();
    const programs = path.join(home.path, 'programs');
    await linkPrograms(programs);
    const { url, pool } = controller.controller;
    const { token } = await issueToken(pool, { name: 'late', scope: 'agent' });
    await using agent = new CliProcess(['agent', '--controller', url, '--name', 'late'], {
      ...{ HTTP_AE_TOKEN: token, HTTP_AE_HOME: home.path, HOME: home.path },
      ...{ HTTP_AE_CHROME: findChrome(), PATH: programs },
    });
    const readEngines = async () => {
      const agents = z.array(AgentSummarySchema).parse(await (await controller.program('/api/agents')).json());
      return agents.flatMap(({ isConnected, facts }) => (isConnected ? facts.engines.map(({ engine }) => engine) : []));
    };
    await expect.poll(readEngines, { timeout: 60_000 }).toEqual(['http', 'chrome']);
    await symlink(findFirefox(), path.join(programs, 'firefox'));
    await expect.poll(readEngines, { timeout: 90_000 }).toEqual(['http', 'chrome', 'firefox']);
    expect(agent.stderr).toContain('There is an engine firefox now');
  },
);
