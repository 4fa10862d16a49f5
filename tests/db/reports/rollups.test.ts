import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { excludeVisits, reverseExclusion } from '#controller/runs/exclusions.ts';
import { rollUpRun } from '#controller/runs/rollups.ts';
import { compareRun } from '#controller/reports/compare-run.ts';
import { outlineRun } from '#controller/reports/outline-run.ts';
import { readMethod } from '#controller/reports/report-routes.ts';
import { storeVisits, type DerivedVisit } from '#controller/visits/store-visits.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { makeSnapshot } from '../../support/make-snapshot.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const database = holdForAll(createTestDatabase);

interface Planned {
  block: number;
  scenario: string;
  userAgent: string;
  url: string;
}

/** Differs with everything that a Visit can differ in. */
function spreadOf({ block, scenario, userAgent, url }: Planned): number {
  return Buffer.from(`${scenario} ${userAgent} ${url}`).reduce((sum, byte) => (sum * 31 + byte * block) % 997, 7);
}

const everyVisitLoads = (visit: Planned) => 300 + spreadOf(visit);

/** In one Scenario more than in the other. */
const someVisitsTimeOut = (visit: Planned) =>
  spreadOf(visit) % (visit.scenario === 'proxy' ? 5 : 9) === 0 ? null : 300 + spreadOf(visit);

/** Each page by the one version or the other. */
const byEitherVersion = (page: { url: string; totalMs: number }) => {
  const snapshot = makeSnapshot(page);
  const navigation = { ...snapshot.frames[0]!.navigation!, nextHopProtocol: page.totalMs % 3 < 1 ? 'h2' : 'http/1.1' };
  return { ...snapshot, frames: [{ ...snapshot.frames[0]!, navigation }] };
};

const repetition = { order: 'random-blocks' as const, rounds: 11, warmUp: true, attempts: 1 };

async function storeRun(totalMsOf: (visit: Planned) => number | null = everyVisitLoads): Promise<string> {
  return (await storeCompletedRun(database.pool, { evaluation: makeEvaluation({ repetition }), totalMsOf })).runId;
}

/** What the outline says of a metric is what the report over all Visits says. */
async function expectOutlineToBeExact(runId: string): Promise<void> {
  const exact = await compareRun(database.pool, runId);
  const outline = await outlineRun(database.pool, runId);
  for (const { metric, scenarios, cells } of outline.metrics) {
    const report = exact.metrics.find((other) => other.metric === metric)!;
    for (const { scenario, isBaseline, visits, failedVisits, absentVisits, mean, reduction } of scenarios) {
      const reported = report.scenarios.find((other) => other.scenario === scenario)!;
      expect({ isBaseline, visits, failedVisits, absentVisits }).toEqual({
        isBaseline: reported.isBaseline,
        visits: reported.visits,
        failedVisits: reported.failedVisits,
        absentVisits: reported.absentVisits,
      });
      expect(mean!.mean).toBeCloseTo(reported.estimate!.mean, 8);
      expect(mean!.halfWidth).toBeCloseTo(reported.estimate!.halfWidth!, 8);
      expect(reduction?.ratio ?? 0).toBeCloseTo(reported.reduction?.ratio ?? 0, 10);
      expect(reduction?.low ?? 0).toBeCloseTo(reported.reduction?.low ?? 0, 10);
    }
    const pooled = report.cells.filter(({ userAgent }) => userAgent === null);
    expect(cells).toHaveLength(pooled.length);
    for (const { scenario, url, mean, ...counts } of cells) {
      const reported = pooled.find((other) => other.scenario === scenario && other.url === url)!;
      expect(reported).toMatchObject(counts);
      expect(mean?.rounds).toBe(reported.estimate?.rounds);
      expect(mean?.mean).toBeCloseTo(reported.estimate!.mean, 8);
      expect(mean?.halfWidth).toBeCloseTo(reported.estimate!.halfWidth!, 8);
    }
  }
}

test('the first answer, from rollups, has the means, intervals and reductions of the report over all Visits', async () => {
  await expectOutlineToBeExact(await storeRun());
});

test('loads that only fill caches are in no rollup', async () => {
  const evaluation = makeEvaluation({ repetition });
  const { runId, visits } = await storeCompletedRun(database.pool, { evaluation, totalMsOf: everyVisitLoads });
  const filling = visits.map((visit): DerivedVisit => {
    const snapshot = makeSnapshot({ url: visit.url, totalMs: 9000 });
    const own = { id: randomUUID(), sequence: visit.sequence + 100, repetition: 0 };
    return { visit: { ...visit, ...own, outcome: { status: 'ok', snapshot } }, readings: deriveReadings(snapshot) };
  });
  await storeVisits(database.pool, filling);
  await expectOutlineToBeExact(runId);
});

test('where Visits failed it has the same counts, and means within the intervals of the report, which corrects for the pages that a Round lacks', async () => {
  const runId = await storeRun(someVisitsTimeOut);
  const exact = await compareRun(database.pool, runId);
  const total = (await outlineRun(database.pool, runId)).metrics.find(({ metric }) => metric === 'totalMs')!;
  expect(total.scenarios[0]!.failedVisits).toBeGreaterThan(0);
  const report = exact.metrics.find(({ metric }) => metric === 'totalMs')!;
  for (const { scenario, visits, failedVisits, absentVisits, mean } of total.scenarios) {
    const reported = report.scenarios.find((other) => other.scenario === scenario)!;
    expect(reported).toMatchObject({ visits, failedVisits, absentVisits });
    expect(Math.abs(mean!.mean - reported.estimate!.mean)).toBeLessThan(reported.estimate!.halfWidth!);
  }
});

test('a Round is rolled up once, in any order of Rounds, for anyone, however often', async () => {
  const runId = await storeRun();
  // As if its Rounds were completed one after the other, the last first.
  const { rows } = await database.pool.query<{ id: string }>(
    `update round set state = 'collecting' where run_id = $1 and not warm_up returning id`,
    [runId],
  );
  for (const { id } of rows.reverse()) {
    await database.pool.query(`update round set state = 'completed' where id = $1`, [id]);
    await Promise.all([
      rollUpRun(database.pool, runId),
      rollUpRun(database.pool, runId),
      outlineRun(database.pool, runId),
    ]);
  }
  await expectOutlineToBeExact(runId);
});

test('an exclusion, and its reversal, change only the rollups that have the Visit', async () => {
  const { pool } = database;
  const { runId, visits } = await storeCompletedRun(pool, {
    evaluation: makeEvaluation({ repetition }),
    totalMsOf: someVisitsTimeOut,
    snapshotOf: byEitherVersion,
  });
  const readRollups = async () => ({
    cells: (
      await pool.query(
        'select scenario, user_agent, url, metric, visits, failed_visits, absent_visits, rounds, round(mean::numeric, 6) as mean, round(squares::numeric, 4) as squares from cell_rollup where run_id = $1 order by metric, scenario, user_agent, url',
        [runId],
      )
    ).rows as unknown[],
    blocks: (
      await pool.query(
        'select block, scenario, metric, visits, failed_visits, absent_visits, round(mean::numeric, 6) as mean, round(log_ratio::numeric, 9) as log_ratio from block_rollup where run_id = $1 order by metric, scenario, block',
        [runId],
      )
    ).rows as unknown[],
    httpVersions: (
      await pool.query(
        'select scenario, url, version, objects from http_version_rollup where run_id = $1 order by scenario, url, version',
        [runId],
      )
    ).rows as unknown[],
  });
  await rollUpRun(pool, runId);
  const before = await readRollups();

  const visitIds = [20, 47, 90].map((place) => visits[place]!.id);
  const exclusions = await excludeVisits(pool, { runId, visitIds, reason: 'The door was open', by: 'ann' });
  const changed = await readRollups();
  expect(changed.cells).not.toEqual(before.cells);
  expect(changed.httpVersions).not.toEqual(before.httpVersions);
  await pool.query('delete from cell_rollup where run_id = $1', [runId]);
  await pool.query('delete from block_rollup where run_id = $1', [runId]);
  await pool.query('delete from http_version_rollup where run_id = $1', [runId]);
  await pool.query('update round set rolled_up = false where run_id = $1', [runId]);
  await rollUpRun(pool, runId);
  expect(changed).toEqual(await readRollups());

  for (const { id } of exclusions) await reverseExclusion(pool, { id, reason: 'It was shut', by: 'ann' });
  expect(await readRollups()).toEqual(before);
});

test('the HTTP versions are those of the Visits that count, however often they are asked for, and of none that were stored before they were kept', async () => {
  const { pool } = database;
  const { runId, visits } = await storeCompletedRun(pool, {
    evaluation: makeEvaluation({ repetition }),
    totalMsOf: someVisitsTimeOut,
    snapshotOf: byEitherVersion,
  });
  await pool.query('update visit set http_versions = null where id = $1', [visits.at(-1)!.id]);
  const readVersions = async () => (await readMethod(pool, { runId, controllerVersion: '1.0' })).httpVersions;
  const reported = await readVersions();
  const { rows } = await pool.query<{ scenario: string; version: string; objects: number }>(
    `select scenario, each.key as version, sum(each.value::int)::int as objects from round join pass on round_id = round.id join visit on pass_id = pass.id, jsonb_each_text(http_versions) as each
     where run_id = $1 and not warm_up group by 1, 2`,
    [runId],
  );
  expect(rows.map(({ version }) => version)).toEqual(expect.arrayContaining(['h2', 'http/1.1']));
  expect(reported.toSorted(byKey)).toEqual(rows.toSorted(byKey));
  expect(await readVersions()).toEqual(reported);
});

const byKey = (one: { scenario: string; version: string }, other: { scenario: string; version: string }) =>
  `${one.scenario} ${one.version}`.localeCompare(`${other.scenario} ${other.version}`);

test('rollups go with their Run', async () => {
  const runId = await storeRun();
  await rollUpRun(database.pool, runId);
  await database.pool.query('delete from run where id = $1', [runId]);
  const { rows } = await database.pool.query(
    'select run_id from cell_rollup where run_id = $1 union all select run_id from block_rollup where run_id = $1 union all select run_id from http_version_rollup where run_id = $1',
    [runId],
  );
  expect(rows).toEqual([]);
});
