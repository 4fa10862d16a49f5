import { monitorEventLoopDelay } from 'node:perf_hooks';
import { rollUpRun } from '#controller/runs/rollups.ts';
import { findRunView } from '#controller/runs/run-detail.ts';
import { listRuns } from '#controller/runs/search-runs.ts';
import { listVisits } from '#controller/visits/visit-pages.ts';
import { compareWireOfRun, readMethod } from '#controller/reports/report-routes.ts';
import { outlineRun } from '#controller/reports/outline-run.ts';
import { reportMeasurements } from '#controller/reports/report-measurements.ts';
import { ReportMaker } from '#controller/reports/report-maker.ts';
import { UserCellSearchSchema } from '#core/protocol/api/user-cells.ts';
import { RunSearchSchema } from '#core/protocol/api/run-search.ts';
import { openBenchPool, startBenchPostgres } from './support/bench-parts.ts';
import { readTreeCpuMs } from './support/read-tree-cpu.ts';
import { storeLargeRun } from './support/store-large-run.ts';

/**
 * How long the report of a large Run takes, 100 URLs × 5 Scenarios × 20 User Agents × 100 Blocks, by default a million Visits: `node bench/report-million.ts [BLOCKS] [USER_AGENTS] [SCENARIOS]`. The
 * first answer, from rollups, and the whole one, beside the plainest SQL that groups the same Visits; the Visits that its flags lead to, and sorted ones; the list of Runs; and how
 * long the Controller answered nobody meanwhile. On a busy machine its CPU time says more than the clock.
 */
const [blocks = 100, userAgents = 20, scenarios = 5] = process.argv.slice(2).map(Number);
const urls = 100;

await using postgres = await startBenchPostgres();
await using pool = await openBenchPool(postgres);
const runId = await storeLargeRun(pool, { urls, scenarios, userAgents, blocks });

const rows: {
  what: string;
  seconds: number;
  cpuSeconds: number;
  postgresSeconds: number;
  longestSilenceMs: number;
  kilobytes: number | null;
}[] = [];
const measure = async (what: string, work: () => Promise<unknown>) => {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const startMs = performance.now();
  const cpuBefore = process.cpuUsage();
  const postgresBeforeMs = readTreeCpuMs(postgres.processId);
  const answer = await work();
  const { user, system } = process.cpuUsage(cpuBefore);
  rows.push({
    what,
    seconds: (performance.now() - startMs) / 1000,
    cpuSeconds: (user + system) / 1e6,
    postgresSeconds: (readTreeCpuMs(postgres.processId) - postgresBeforeMs) / 1000,
    longestSilenceMs: delay.max / 1e6,
    kilobytes: answer instanceof Uint8Array ? Math.round(answer.byteLength / 1000) : null,
  });
  delay.disable();
};

await measure('raw SQL: mean and deviation of one latency by cell', () =>
  pool.query(
    `select scenario, user_agent, url, count(total_ms), avg(total_ms), stddev_samp(total_ms)
   from round join pass on round_id = round.id join visit on pass_id = pass.id where run_id = $1 group by scenario, user_agent, url`,
    [runId],
  ),
);
await measure('rollups made from nothing, else kept up Round by Round', () => rollUpRun(pool, runId));
await measure('first answer', () => outlineRun(pool, runId));
await measure('method', () => readMethod(pool, { runId, controllerVersion: '' }));
await using reports = new ReportMaker({ pool, databaseUrl: postgres.databaseUrl });
const from = 'navigation-start';
await measure('report as its page asks for it', () => reports.readComparison(runId, from, 'pooled'));
await measure('the same again, kept', () => reports.readComparison(runId, from, 'pooled'));
const search = UserCellSearchSchema.parse({ userAgent: 'user 1', metric: 'totalMs' });
await measure('rows of one User Agent', () => reports.readUserCells(runId, { ...search, from }));
await measure('values for its figures', () => reportMeasurements(pool, { runId, measures: ['totalMs'] }));
await measure('wire', () => compareWireOfRun(pool, runId));
await measure('page of the Run', () => findRunView(pool, runId, 'current'));
await measure('whole report', () => reports.readComparison(runId));
for (const status of ['failed', 'unsettled', 'hidden', 'excluded'] as const) {
  await measure(`first page of its Visits: ${status}`, () =>
    listVisits(pool, { runId, scenario: null, url: null, userAgent: null, status, after: null, limit: 200 }),
  );
}
for (const sort of ['block', 'total', 'url'] as const) {
  await measure(`first page of its Visits, by ${sort}`, () =>
    listVisits(pool, {
      runId,
      scenario: null,
      url: null,
      userAgent: null,
      status: null,
      sort,
      after: null,
      limit: 200,
    }),
  );
}
const runSearch = RunSearchSchema.parse({ sort: 'visits' });
await measure('list of Runs, with outcomes', () =>
  listRuns(pool, { search: runSearch, before: null, withTries: false, limit: 200 }),
);

const [raw] = rows;
console.log(`${blocks * urls * scenarios * userAgents} Visits by ${userAgents} User Agents`);
console.table(
  rows.map(({ what, seconds, cpuSeconds, postgresSeconds, longestSilenceMs, kilobytes }) => ({
    what,
    'time, s': seconds.toFixed(3),
    ratio: (seconds / raw!.seconds).toFixed(2),
    'CPU of the Controller, s': cpuSeconds.toFixed(2),
    'of PostgreSQL, s': postgresSeconds.toFixed(2),
    'longest silence, ms': longestSilenceMs.toFixed(0),
    'JSON, kB': kilobytes ?? '',
  })),
);
