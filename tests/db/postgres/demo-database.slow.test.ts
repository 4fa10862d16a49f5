import path from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { openDemoDatabase, claimFolder } from '#cli/demo/open-demo-database.ts';
import { openDatabaseServer } from '#cli/up/open-database-server.ts';
import { connectDatabase } from '#controller/database/connect.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const log = pino({ level: 'silent' });

test('what a demo stores is in the database of `up` afterwards; of two demos at once, the second keeps it apart', async () => {
  await using home = await makeTemporaryFolder();
  const signal = AbortSignal.timeout(120_000);
  const said: string[] = [];
  const options = { homeFolder: home.path, environment: {}, say: (line: string) => void said.push(line), log, signal };
  {
    using claimed = claimFolder(home.path);
    await using first = await openDemoDatabase({ ...options, claimed });
    expect([first.databaseFolder, said]).toEqual([path.join(home.path, 'postgres'), []]);
    const pool = await connectDatabase({ databaseUrl: first.databaseUrl, log });
    await pool.query('create table measured as select 1 as run');
    await pool.end();
    using other = claimFolder(home.path);
    await using second = await openDemoDatabase({ ...options, claimed: other });
    expect(second.databaseFolder).toBe(path.join(home.path, 'demo-2', 'postgres'));
    expect(said).toEqual([expect.stringMatching(/^Another demo runs: the demo keeps its Run apart/)]);
  }
  await using up = await openDatabaseServer({ folder: home.path, environment: {}, log, signal });
  const pool = await connectDatabase({ databaseUrl: up.databaseUrl, log });
  expect((await pool.query('select run from measured')).rows).toEqual([{ run: 1 }]);
  await pool.end();
});
