import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { excludeVisits } from '#controller/runs/exclusions.ts';
import { findUndigestedRun } from '#controller/runs/run-digests.ts';
import { listRuns } from '#controller/runs/search-runs.ts';
import { findLastResults, findRunSummary } from '#controller/runs/run-summaries.ts';
import { storeVisits } from '#controller/visits/store-visits.ts';
import { digestRuns } from '#controller/reports/digest-runs.ts';
import { ReportMaker } from '#controller/reports/report-maker.ts';
import { RunSearchSchema } from '#core/protocol/api/run-search.ts';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';

let database: TestDatabase;
let resources: AsyncDisposableStack;
let reports: ReportMaker;
beforeAll(async () => {
  resources = new AsyncDisposableStack();
  database = resources.use(await createTestDatabase());
  reports = resources.use(new ReportMaker(database));
});
afterAll(() => resources.disposeAsync());

const faster = {
  totalMsOf: ({ scenario, block }: { scenario: string; block: number }) => (scenario === 'proxy' ? 700 : 1000) + block,
};

function summaryOf(runId: string): Promise<RunSummary | null> {
  return findRunSummary(database.pool, runId);
}

test('a Run gets its outcome with its report, which an exclusion or a late Visit makes out of date', async () => {
  const { pool } = database;
  const { runId, evaluationId, visits } = await storeCompletedRun(pool, faster);
  const before = (await summaryOf(runId))!;
  expect(before.outcome).toBeNull();
  await reports.readComparison(runId);
  const digested = (await summaryOf(runId))!;
  expect(digested).toEqual({
    ...before,
    outcome: expect.objectContaining({
      text: expect.stringMatching(/^proxy takes 30 % less time \(/) as string,
    }) as unknown,
  });
  expect(
    (await listRuns(pool, { search: RunSearchSchema.parse({}), before: null, withTries: false, limit: 1 }))[0],
  ).toEqual(digested);
  expect((await findLastResults(pool)).get(evaluationId)).toEqual(digested);

  await excludeVisits(pool, { runId, visitIds: [visits[0]!.id], reason: 'a test', by: 'tester' });
  expect((await summaryOf(runId))!.outcome).toBeNull();
  await reports.readComparison(runId);
  expect((await summaryOf(runId))!.outcome).not.toBeNull();

  await storeVisits(pool, [{ visit: { ...visits[0]!, id: crypto.randomUUID(), sequence: 99 }, readings: [] }]);
  expect(await summaryOf(runId)).toMatchObject({ outcome: null, visits: before.visits + 1 });
});

test('latencies from the first request are not the outcome, and an open Run has none', async () => {
  const { pool } = database;
  const { runId } = await storeCompletedRun(pool, faster);
  await reports.readComparison(runId, 'first-request');
  expect((await summaryOf(runId))!.outcome).toBeNull();
  await pool.query(`update run set state = 'running', ended_at = null where id = $1`, [runId]);
  await reports.readComparison(runId);
  expect((await summaryOf(runId))!.outcome).toBeNull();
  await pool.query(`update run set state = 'completed', ended_at = now() where id = $1`, [runId]);
});

test('Runs without an outcome get theirs in the background, but not while a Run is measured', async () => {
  const { pool } = database;
  const { runId } = await storeCompletedRun(pool, { evaluation: makeEvaluation({ name: 'old' }), ...faster });
  const measured = await storeCompletedRun(pool, faster);
  await pool.query(`update run set state = 'running', ended_at = null where id = $1`, [measured.runId]);
  expect(await findUndigestedRun(pool, { except: [], machineId: null })).toBeNull();
  // Where all its Agents are on other machines, computing here disturbs nothing.
  await pool.query(
    `insert into agent (name, agent_version, facts, machine) values ('laptop', '0', '{}', 'another machine') on conflict (name) do update set machine = excluded.machine`,
  );
  expect(await findUndigestedRun(pool, { except: [], machineId: 'another machine' })).toBeNull();
  expect(await findUndigestedRun(pool, { except: [], machineId: 'this machine' })).toMatchObject({ id: runId });
  await pool.query(`update run set paused_at = now() where id = $1`, [measured.runId]);
  expect(await findUndigestedRun(pool, { except: [], machineId: null })).toMatchObject({ id: runId });

  {
    await using background = new AsyncDisposableStack();
    background.use(digestRuns({ pool, reports, machineId: null, log: pino({ level: 'silent' }) }));
    await expect.poll(() => findUndigestedRun(pool, { except: [], machineId: null }), { timeout: 20_000 }).toBeNull();
  }
  expect((await summaryOf(runId))!.outcome).toMatchObject({ kind: 'compared', verdict: 'faster' });
  expect((await summaryOf(measured.runId))!.outcome).toBeNull();
});
