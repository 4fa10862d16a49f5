import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import pg from 'pg';
import { issueToken } from '#controller/people/tokens.ts';
import { keepWarnings, startBenchController, startBenchPostgres } from './support/bench-parts.ts';
import type { IngestLoad, IngestReport } from './support/ingest-agents.ts';
import { orderVisits } from './support/order-visits.ts';
import { readQuantile } from './support/read-quantile.ts';
import { readControllerCpuMs, readTreeCpuMs } from './support/read-tree-cpu.ts';
import { makeSizedSnapshot } from './support/sized-snapshot.ts';

/**
 * How many Visits a Controller takes from Agents that upload at the same time, how long an acknowledgement takes, and what a Visit costs:
 * `node bench/ingest.ts [SECONDS] [AGENTS] [VISITS_OF_A_MESSAGE]`. Closed: each Agent uploads again as soon as it may, so that the Controller is busy all the time. Open: 70 % of
 * that rate, each acknowledgement from when its upload was due. The Agents are a process of their own with real lines and uploaders, on the same cores. The yardstick: one
 * connection that stores the same Snapshots as jsonb, 100 a statement, with nothing else around it.
 */
const seconds = Number(process.argv[2] ?? 15);
const agents = Number(process.argv[3] ?? 50);
const batch = Number(process.argv[4] ?? 10);
const pages = 2000;
/** Until the compilers of Node are done. */
const warmUpMs = 10_000;
const shareWhenOpen = 0.7;
const sizes = { 'small, 8 kB': 8_000, 'page, 98 kB': 97_500 };
/** More than it can take. */
const mostPerSecond = { 'small, 8 kB': 12_000, 'page, 98 kB': 6_000 };

const { log, warnings } = keepWarnings();
await using postgres = await startBenchPostgres(log);
await using controller = await startBenchController(postgres);
const { pool } = controller;
const { token } = await issueToken(pool, { name: 'ingest', scope: 'agent' });
const names = Array.from({ length: agents }, (_, index) => `agent-${index}`);
const readCpuMs = () => ({ controller: readControllerCpuMs(), postgres: readTreeCpuMs(postgres.processId) });

const measure = async (size: keyof typeof sizes, rate: number | null) => {
  const rounds = Math.ceil(((warmUpMs / 1000 + seconds + 5) * (rate ?? mostPerSecond[size])) / (agents * pages)) + 1;
  const ordered = await orderVisits(pool, { agents: names, pages, rounds });
  const bytesBefore = await readStoredBytes(pool);
  const load: IngestLoad = {
    url: controller.localUrl,
    token,
    agents: names.map((name) => ({ name, passIds: ordered.get(name)! })),
    pages,
    batch,
    snapshotBytes: sizes[size],
    rate,
    warmUpMs,
    measuredMs: seconds * 1000,
  };
  const reported = new Map<IngestReport['kind'], { at: number; cpu: ReturnType<typeof readCpuMs> }>();
  const answers: IngestReport[] = [];
  let peakBytes = 0;
  const watch = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 100);
  const child = fork(path.join(import.meta.dirname, 'support', 'ingest-agents.ts'), [JSON.stringify(load)]);
  child.on('message', (message) => {
    const answer = message as IngestReport;
    answers.push(answer);
    reported.set(answer.kind, { at: performance.now(), cpu: readCpuMs() });
  });
  const [status] = (await once(child, 'exit')) as [number | null];
  clearInterval(watch);
  const find = <K extends IngestReport['kind']>(kind: K) =>
    answers.find((answer): answer is Extract<IngestReport, { kind: K }> => answer.kind === kind);
  const [begun, measured, done] = [find('begun'), find('measured'), find('done')];
  if (!begun || !measured || !done) throw new Error(`The Agents ended with ${status ?? 'a signal'}`);
  if (measured.acknowledgementsMs.length === 0)
    throw new Error(`No upload was acknowledged in ${seconds} s: measure for longer, or on a less busy machine`);
  const [from, to] = [reported.get('begun')!, reported.get('measured')!];
  const passIds = [...ordered.values()].flat();
  const { rows } = await pool.query<{ stored: number; places: number }>(
    'select count(*)::int as stored, count(distinct (pass_id, sequence))::int as places from visit where pass_id = any($1)',
    [passIds],
  );
  const { stored, places } = rows[0]!;
  const perSecond = (1000 * measured.acknowledged) / (to.at - from.at);
  const usPerVisit = (key: 'controller' | 'postgres') => (1000 * (to.cpu[key] - from.cpu[key])) / measured.acknowledged;
  const bytes = await readStoredBytes(pool);
  const visits = stored || 1;
  return {
    perSecond,
    row: {
      Snapshot: begun.snapshotBytes,
      'Visits/s': Math.round(perSecond),
      'ack p50, ms': Math.round(readQuantile(measured.acknowledgementsMs, 0.5)),
      'p99, ms': Math.round(readQuantile(measured.acknowledgementsMs, 0.99)),
      'Controller, µs/Visit': Math.round(usPerVisit('controller')),
      'PostgreSQL, µs/Visit': Math.round(usPerVisit('postgres')),
      'Agents, µs/Visit': Math.round((1000 * measured.cpuMs) / measured.acknowledged),
      'Visit, bytes': Math.round((bytes.visit - bytesBefore.visit) / visits),
      'its Snapshot, bytes': Math.round((bytes.snapshot - bytesBefore.snapshot) / visits),
      'memory, MB': Math.round(peakBytes / 1e6),
      'lost, doubled': `${done.acknowledged - stored}, ${stored - places}`,
    },
    cpuUs: usPerVisit('controller') + usPerVisit('postgres'),
  };
};

const table: Record<string, object> = {};
for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
  const yardstick = await storePlainly(pool, postgres.processId, sizes[size]);
  const closed = await measure(size, null);
  const open = await measure(size, Math.max(batch, shareWhenOpen * closed.perSecond));
  for (const [kind, { row, cpuUs, perSecond }] of Object.entries({ closed, open }))
    table[`${size}, ${kind}`] = {
      ...row,
      'CPU vs yardstick': (cpuUs / yardstick.cpuUs).toFixed(2),
      'Visits/s vs yardstick': (perSecond / yardstick.perSecond).toFixed(2),
    };
  table[`${size}, yardstick`] = {
    'Visits/s': Math.round(yardstick.perSecond),
    'PostgreSQL, µs/Visit': Math.round(yardstick.cpuUs),
  };
}
console.log(`${agents} Agents, ${batch} Visits a message, ${seconds} s each`);
console.table(table);
for (const text of warnings) console.log(`warned: ${text}`);

async function readStoredBytes(pool: pg.Pool): Promise<{ visit: number; snapshot: number }> {
  const { rows } = await pool.query<{ visit: string; snapshot: string }>(
    `select pg_total_relation_size('visit') as visit, pg_total_relation_size('snapshot') as snapshot`,
  );
  return { visit: Number(rows[0]!.visit), snapshot: Number(rows[0]!.snapshot) };
}

/** What PostgreSQL alone takes for the same Snapshots: how many per second, and of its CPU time. */
async function storePlainly(
  pool: pg.Pool,
  processId: number,
  snapshotBytes: number,
): Promise<{ perSecond: number; cpuUs: number }> {
  const statement = 100;
  const bodies = JSON.stringify(Array.from({ length: statement }, () => makeSizedSnapshot(snapshotBytes)));
  await pool.query('create table plain (body jsonb not null)');
  const startMs = performance.now();
  const cpuMs = readTreeCpuMs(processId);
  let stored = 0;
  while (performance.now() - startMs < 3000) {
    await pool.query('insert into plain select jsonb_array_elements($1::jsonb)', [bodies]);
    stored += statement;
  }
  const tookMs = performance.now() - startMs;
  const cpuUs = (1000 * (readTreeCpuMs(processId) - cpuMs)) / stored;
  await pool.query('drop table plain');
  return { perSecond: (1000 * stored) / tookMs, cpuUs };
}
