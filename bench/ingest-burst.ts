import { fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { issueToken } from '#controller/people/tokens.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { createRound } from '#controller/runs/rounds.ts';
import { createRun } from '#controller/runs/stored-runs.ts';
import { inTransaction } from '#controller/database/transaction.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { keepWarnings, startBenchController, startBenchPostgres } from './support/bench-parts.ts';
import type { Burst } from './support/burst-agents.ts';
import { readControllerCpuMs } from './support/read-tree-cpu.ts';

/**
 * What a Controller does when many Agents upload real pages at the same time: how long it answers nobody, how much memory it takes, and how many Visits it stores:
 * `node bench/ingest-burst.ts [AGENTS] [PAGES] [LIMIT_SECONDS]`. It ends at the limit, 90 s, with what was stored until then. The Agents are a process of their own.
 */
const agents = Number(process.argv[2] ?? 300);
const pages = Number(process.argv[3] ?? 40);
const limitMs = 1000 * Number(process.argv[4] ?? 90);
/** So many that a Visit has some 98 kB, as one of a page of 70 requests has. */
const images = 140;

const { log, warnings } = keepWarnings();
await using postgres = await startBenchPostgres(log);
await using controller = await startBenchController(postgres);
const { pool } = controller;
const evaluation = EvaluationSchema.parse({
  name: 'burst',
  urlLists: { pages: [`http://origin.test/{1..${pages}}`] },
  userAgents: Array.from({ length: agents }, (_, index) => ({
    name: `user ${index}`,
    host: `burst-${index}`,
    engine: 'http',
    urlList: 'pages',
  })),
  scenarios: [{ name: 'only', baseline: true }],
});
const passes = evaluation.userAgents.map(({ name, host }) => ({
  id: randomUUID(),
  userAgent: name,
  agent: host,
  visitsExpected: pages,
}));
await inTransaction(pool, async (client) => {
  const { id: evaluationId } = await createEvaluation(client, evaluation);
  const id = await createRun(client, { evaluationId, evaluation, seed: 1, roundsPlanned: 1 });
  const planned = { index: 0, block: 1, scenario: 'only', warmUp: false };
  await createRound(
    client,
    { id, epoch: 0, seed: 1, state: 'running', evaluation },
    { id: randomUUID(), planned, passes },
  );
  // No coordinator is to execute it.
  await client.query(`update run set state = 'stopped' where id = $1`, [id]);
});
const { token } = await issueToken(pool, { name: 'burst', scope: 'agent' });

const delay = monitorEventLoopDelay({ resolution: 10 });
delay.enable();
let peakBytes = 0;
const watch = setInterval(() => (peakBytes = Math.max(peakBytes, process.memoryUsage.rss())), 50);
const cpuBeforeMs = readControllerCpuMs();
const startMs = performance.now();
const burst: Burst = { url: controller.localUrl, token, passIds: passes.map(({ id }) => id), pages, images };
const child = fork(path.join(import.meta.dirname, 'support', 'burst-agents.ts'), [JSON.stringify(burst)]);
const end = setTimeout(() => child.kill('SIGKILL'), limitMs);
const reports: { visitBytes: number }[] = [];
child.on('message', (each) => reports.push(each as { visitBytes: number }));
await once(child, 'exit');
clearTimeout(end);
clearInterval(watch);
const seconds = (performance.now() - startMs) / 1000;
const cpuMs = readControllerCpuMs() - cpuBeforeMs;
const { rows } = await pool.query<{ stored: number }>('select count(*)::int as stored from visit');
const { stored } = rows[0]!;
console.log(
  `${agents} Agents with ${pages} pages each, one Visit ${reports[0]?.visitBytes ?? 'not known how many'} bytes`,
);
console.table([
  {
    'Visits stored': `${stored} of ${agents * pages}`,
    seconds: seconds.toFixed(1),
    'Visits/s': (stored / seconds).toFixed(0),
    'CPU s': (cpuMs / 1000).toFixed(1),
    'longest silence, ms': (delay.max / 1e6).toFixed(0),
    'silence, p99, ms': (delay.percentile(99) / 1e6).toFixed(0),
    'memory, most, MB': (peakBytes / 1e6).toFixed(0),
    warnings: warnings.size,
  },
]);
for (const text of warnings) console.log(`warned: ${text}`);
