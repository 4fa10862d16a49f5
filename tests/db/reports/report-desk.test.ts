import { afterAll, beforeAll, expect, test } from 'vitest';
import { ReportDesk } from '#controller/reports/report-desk.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

const readJson = (json: Uint8Array) => ComparisonSchema.parse(JSON.parse(new TextDecoder().decode(json)));

test('a report is computed once until its data change, however many ask at the same time', async () => {
  const { pool, databaseUrl } = database;
  await using desk = new ReportDesk({ pool, databaseUrl });
  const { runId } = await storeCompletedRun(pool);
  const [first, second] = await Promise.all([desk.readComparison(runId), desk.readComparison(runId)]);
  expect(readJson(first)).toMatchObject({ runId, roundsCounted: 4 });
  expect(second).toBe(first);
  expect(await desk.readComparison(runId)).toBe(first);

  await pool.query(`update round set state = 'broken' where run_id = $1 and block = 2`, [runId]);
  expect(readJson(await desk.readComparison(runId))).toMatchObject({ roundsCounted: 2, roundsBroken: 2 });
});

test('a report that failed is tried again, and one of no Run is refused', async () => {
  const { pool, databaseUrl } = database;
  await using desk = new ReportDesk({ pool, databaseUrl });
  const { runId } = await storeCompletedRun(pool);
  await pool.query('alter table visit rename to away');
  await expect(desk.readComparison(runId)).rejects.toThrow(/relation "visit" does not exist/);
  await pool.query('alter table away rename to visit');
  expect(readJson(await desk.readComparison(runId))).toMatchObject({ runId });
  await expect(desk.readComparison('999999')).rejects.toMatchObject({ code: 'not-found' });
});

test('a desk that is closed while it computes says so', async () => {
  const { pool, databaseUrl } = database;
  const desk = new ReportDesk({ pool, databaseUrl });
  const { runId } = await storeCompletedRun(pool);
  const failure = desk.readComparison(runId).then(
    () => null,
    (error: unknown) => error,
  );
  while (desk.isIdle) await new Promise(setImmediate);
  await desk[Symbol.asyncDispose]();
  expect(String(await failure)).toContain('shut down');
});
