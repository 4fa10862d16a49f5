import type { Pool } from 'pg';
import { rollUpRun } from '#controller/runs/rollups.ts';
import { countVisitsOfPass } from '#controller/runs/round-views.ts';
import { describeSnapshot } from '#controller/visits/snapshot-columns.ts';
import { ReportMaker } from '#controller/reports/report-maker.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import type { BenchPlace } from './bench-parts.ts';
import { makeSizedSnapshot } from './sized-snapshot.ts';
import { storeLargeRun, type RunSize } from './store-large-run.ts';

interface ManyRuns {
  place: BenchPlace;
  size: RunSize;
  count: number;
  /** The Runs that were stored before; they are part of the answer. */
  before?: readonly string[];
}

/**
 * Stores completed Runs until there are `count` of them, as Controllers leave them: with counts of each Pass, rollups and an outcome. Visits have the readings and absences of a recorded page.
 * The Comparison of the first Run alone is computed. The others are like it and get its outcome. The ids of all, the first first.
 */
export async function storeManyRuns(pool: Pool, { place, size, count, before = [] }: ManyRuns): Promise<string[]> {
  const snapshot = makeSizedSnapshot(8000);
  const { readings, absences } = describeSnapshot(snapshot, deriveReadings(snapshot));
  const runIds = [...before];
  while (runIds.length < count) {
    const runId = await storeLargeRun(pool, size, { vacuum: false, readings, absences });
    runIds.push(runId);
    await countPasses(pool, runId);
    // Else the next Runs would be stored by plans for a small table. Autovacuum comes too seldom for that here.
    if (Number.isInteger(Math.log2(runIds.length))) await pool.query('analyze');
    await rollUpRun(pool, runId);
    if (runIds.length === 1) await digest(pool, place, runId);
    else await copyDigest(pool, { from: runIds[0]!, to: runId });
  }
  await pool.query('vacuum analyze');
  return runIds;
}

/** As `completeRound` does with each Round. */
async function countPasses(pool: Pool, runId: string): Promise<void> {
  await pool.query(
    `with counted as (
       select pass.id, made.* from round join pass on pass.round_id = round.id cross join lateral (${countVisitsOfPass('true')}) made where round.run_id = $1)
     update pass set visits_made = counted.made, visits_failed = counted.failed, visits_unsettled = counted.unsettled, failures = counted.failures
     from counted where pass.id = counted.id`,
    [runId],
  );
}

async function digest(pool: Pool, { databaseUrl }: BenchPlace, runId: string): Promise<void> {
  await using reports = new ReportMaker({ pool, databaseUrl });
  await reports.readComparison(runId, 'navigation-start', 'pooled');
}

async function copyDigest(pool: Pool, { from, to }: { from: string; to: string }): Promise<void> {
  const { rowCount } = await pool.query(
    `insert into run_digest (run_id, revision, ended_at, definition, visits, failed_visits, outcome, trend)
     select run.id, run.revision, run.ended_at, definition, visits, failed_visits, outcome, trend
     from run, run_digest digest where run.id = $2 and digest.run_id = $1`,
    [from, to],
  );
  if (rowCount !== 1) throw new Error(`Run ${from} has no digest that Run ${to} could get`);
}
