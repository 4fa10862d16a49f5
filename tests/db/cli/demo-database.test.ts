import pino from 'pino';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { evaluationWithoutLink } from '#cli/demo/demo-evaluation.ts';
import { hasOtherOpenRuns } from '#cli/demo/open-demo-database.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { createTestDatabase } from '#tests/support/database.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';

const log = pino({ level: 'silent' });

test('a demo leaves a database to the Runs that wait in it, and not to one that a demo has left', async () => {
  await using database = await createTestDatabase();
  const { pool, databaseUrl } = database;
  const order = async (evaluation: Evaluation) => {
    const { id } = await createEvaluation(pool, evaluation);
    await createRun(pool, { evaluationId: id, evaluation, seed: 1, roundsPlanned: 2 });
  };
  await storeCompletedRun(pool);
  expect(await hasOtherOpenRuns(databaseUrl, log)).toBe(false);
  const origin = { http2Url: 'https://origin.test', trustedKey: `${'A'.repeat(43)}=` };
  await order(EvaluationSchema.parse(parse(evaluationWithoutLink(origin))));
  expect(await hasOtherOpenRuns(databaseUrl, log)).toBe(false);
  await order(makeEvaluation());
  expect(await hasOtherOpenRuns(databaseUrl, log)).toBe(true);
  // As it is before the first Controller on it.
  await pool.query('alter table run rename to not_there_yet');
  expect(await hasOtherOpenRuns(databaseUrl, log)).toBe(false);
});
