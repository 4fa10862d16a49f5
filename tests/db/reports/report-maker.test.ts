import { expect, test } from 'vitest';
import { storeCapture } from '#controller/captures/captures.ts';
import { ReportMaker } from '#controller/reports/report-maker.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { UserCellPageSchema, UserCellSearchSchema } from '#core/protocol/api/user-cells.ts';
import { makeCaptured } from '../../support/captured-trace.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const database = holdForAll(createTestDatabase);

const readJson = (json: Uint8Array) => ComparisonSchema.parse(JSON.parse(new TextDecoder().decode(json)));

test('a report is computed once until its data change, however many ask at the same time', async () => {
  const { pool, databaseUrl } = database;
  await using reports = new ReportMaker({ pool, databaseUrl });
  const { runId } = await storeCompletedRun(pool);
  const [first, second] = await Promise.all([reports.readComparison(runId), reports.readComparison(runId)]);
  expect(readJson(first)).toMatchObject({ runId, roundsCounted: 4 });
  expect(second).toBe(first);
  expect(await reports.readComparison(runId)).toBe(first);

  await pool.query(`update round set state = 'broken' where run_id = $1 and block = 2`, [runId]);
  expect(readJson(await reports.readComparison(runId))).toMatchObject({ roundsCounted: 2, roundsBroken: 2 });
});

test.each(['pass', 'capture_point'])('Captures of a %s that come late are in the next report', async (table) => {
  const { pool, databaseUrl } = database;
  await using reports = new ReportMaker({ pool, databaseUrl });
  const capturePoints = [{ name: 'ground end', host: 'gateway', interface: 'eth1', filter: '' }];
  const { runId } = await storeCompletedRun(pool, { evaluation: makeEvaluation({ capturePoints }) });
  const early = await reports.readComparison(runId);
  const { rows } = await pool.query<{ id: string }>(
    `select ${table}.id from ${table} join round on round.id = round_id where run_id = $1`,
    [runId],
  );
  for (const { id } of rows) await storeCapture(pool, { captureId: id, outcome: makeCaptured() });
  const late = await reports.readComparison(runId);
  expect(late).not.toBe(early);
  expect(readJson(late)).not.toEqual(readJson(early));
});

test('cells of single User Agents come by request, as the whole report has them, a page at a time', async () => {
  const { pool, databaseUrl } = database;
  await using reports = new ReportMaker({ pool, databaseUrl });
  const { runId } = await storeCompletedRun(pool);
  const whole = readJson(await reports.readComparison(runId));
  const pooled = readJson(await reports.readComparison(runId, 'navigation-start', 'pooled'));
  const left = whole.metrics.map((metric) => ({ ...metric, cells: metric.cells.filter((cell) => !cell.userAgent) }));
  const userCells = whole.metrics.flatMap(({ cells }) => cells.filter(({ userAgent }) => userAgent !== null));
  expect(userCells).not.toHaveLength(0);
  expect(whole).not.toHaveProperty('userCellsLeftOut');
  expect(pooled).toEqual({ ...whole, metrics: left, userCellsLeftOut: userCells.length });

  const from = 'navigation-start';
  const [userAgent] = whole.userAgents;
  const ask = async (search: object) =>
    UserCellPageSchema.parse(
      JSON.parse(
        new TextDecoder().decode(
          await reports.readUserCells(runId, {
            ...UserCellSearchSchema.parse({ userAgent, metric: 'totalMs', ...search }),
            from,
          }),
        ),
      ),
    );
  const own = userCells.filter((cell) => cell.userAgent === userAgent);
  const all = await ask({});
  expect(all.cells).toEqual(own.slice(-own.length / whole.metrics.length));
  expect(all).toMatchObject({ urls: new Set(own.map(({ url }) => url)).size, next: null });
  const { url } = all.cells[0]!;
  expect((await ask({ url })).cells).toEqual(all.cells.filter((cell) => cell.url === url));
  expect(await ask({ after: all.urls })).toMatchObject({ cells: [], next: null });
  await expect(ask({ userAgent: 'nobody' })).rejects.toMatchObject({ code: 'not-found' });
});

test('a report that failed is tried again, and one of no Run is refused', async () => {
  const { pool, databaseUrl } = database;
  await using reports = new ReportMaker({ pool, databaseUrl });
  const { runId } = await storeCompletedRun(pool);
  await pool.query('alter table visit rename to away');
  await expect(reports.readComparison(runId)).rejects.toThrow(/relation "visit" does not exist/);
  await pool.query('alter table away rename to visit');
  expect(readJson(await reports.readComparison(runId))).toMatchObject({ runId });
  await expect(reports.readComparison('999999')).rejects.toMatchObject({ code: 'not-found' });
});

test('a maker of reports that is closed while it computes says so', async () => {
  const { pool, databaseUrl } = database;
  const reports = new ReportMaker({ pool, databaseUrl });
  const { runId } = await storeCompletedRun(pool);
  const failure = reports.readComparison(runId).then(
    () => null,
    (error: unknown) => error,
  );
  while (reports.isIdle) await new Promise(setImmediate);
  await reports[Symbol.asyncDispose]();
  expect(String(await failure)).toContain('shut down');
});
