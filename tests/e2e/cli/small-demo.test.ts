import { once } from 'node:events';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { processesOf, startDemo } from './support/start-demo.ts';

/** Each Run that is ordered has one user, one Round of each Scenario, pages of few images, and a link with a short delay where it has one. */
const small = `
  create function make_small() returns trigger language plpgsql as $$ begin
    new.document = replace(replace(new.document::text, '"delayMs": 250', '"delayMs": 10'), '{4,20}', '{4,5}')::jsonb #- '{userAgents,1}'
      || jsonb_build_object('repetition', new.document -> 'repetition' || '{ "rounds": 1, "warmUp": false }');
    new.rounds_planned = 2;
    return new;
  end $$;
  create trigger make_small before insert on run for each row execute function make_small()`;

test('the demo measures, prints its Comparison, and ends without leaving a process or a namespace', async () => {
  await using database = await createTestDatabase();
  await database.pool.query(small);
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
