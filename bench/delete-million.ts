import { clearSome, type ClearingPlace } from '#controller/runs/clear-run.ts';
import { rollUpRun } from '#controller/runs/rollups.ts';
import { deleteRun } from '#controller/runs/run-deletion.ts';
import { openBenchPool, startBenchPostgres } from './support/bench-parts.ts';
import { readQuantile } from './support/read-quantile.ts';
import { storeLargeRun } from './support/store-large-run.ts';

/**
 * How long the deletion of a large Run takes, 100 URLs × 5 Scenarios × 20 User Agents × 100 Blocks, by default a million Visits, each with a Snapshot of 1 kB: `node
 * bench/delete-million.ts [BLOCKS]`. All of it at once, by one statement; in steps without pauses, with the time of a step, which is the longest that others wait; and how long a lookup
 * of a Visit of another Run takes meanwhile. The Controller pauses as long as each step, so that it takes twice as long.
 */
const blocks = Number(process.argv[2] ?? 100);

await using postgres = await startBenchPostgres();
await using pool = await openBenchPool(postgres);
const size = { urls: 100, scenarios: 5, userAgents: 20, blocks };
const store = async () => {
  const runId = await storeLargeRun(pool, size);
  await pool.query(
    `insert into snapshot (visit_id, body) select visit.id, jsonb_build_object('entries', repeat(md5(visit.id::text), 32))
     from visit join pass on pass.id = pass_id join round on round.id = round_id where run_id = $1`,
    [runId],
  );
  await rollUpRun(pool, runId);
  await pool.query('vacuum analyze');
  return runId;
};
const { rows: other } = await (async () => {
  await storeLargeRun(pool, { ...size, blocks: 1 });
  return pool.query<{ id: string }>('select id from visit limit 200');
})();

const atOnce = await store();
const startMs = performance.now();
await pool.query('delete from run where id = $1', [atOnce]);
const atOnceSeconds = (performance.now() - startMs) / 1000;

await deleteRun(pool, await store());
const steps: number[] = [];
const lookups: number[] = [];
let isOver = false;
const looking = (async () => {
  for (let index = 0; !isOver; index++) {
    const askedMs = performance.now();
    await pool.query('select readings from visit where id = $1', [other[index % other.length]!.id]);
    lookups.push(performance.now() - askedMs);
  }
})();
let place: ClearingPlace | null = null;
const stepsMs = performance.now();
for (;;) {
  const stepMs = performance.now();
  const step = await clearSome(pool, place);
  if (step === null) break;
  place = step.next;
  steps.push(performance.now() - stepMs);
}
const inStepsSeconds = (performance.now() - stepsMs) / 1000;
isOver = true;
await looking;

console.log(`${blocks * 100 * 5 * 20} Visits with Snapshots`);
console.table({
  'one statement, s': atOnceSeconds.toFixed(1),
  'in steps, s': inStepsSeconds.toFixed(1),
  ratio: (inStepsSeconds / atOnceSeconds).toFixed(2),
  steps: steps.length,
  'step, median, ms': readQuantile(steps, 0.5).toFixed(0),
  'step, 99 %, ms': readQuantile(steps, 0.99).toFixed(0),
  'longest step, ms': Math.max(...steps).toFixed(0),
  'lookup meanwhile, 99 %, ms': readQuantile(lookups, 0.99).toFixed(1),
});
