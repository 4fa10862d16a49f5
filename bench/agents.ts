import { existsSync } from 'node:fs';
import { loadavg } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from 'pg';
import { issueToken } from '#controller/people/tokens.ts';
import { postJson, sendWith } from '#tests/support/controller.ts';
import { openBenchPool, startBenchPostgres } from './support/bench-parts.ts';
import { openPages } from './support/open-pages.ts';
import { readQuantile } from './support/read-quantile.ts';
import { readTreeCpuMs } from './support/read-tree-cpu.ts';
import { startControllerProcess } from './support/start-controller-process.ts';
import { startLinkAgents } from './support/start-link-agents.ts';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';

/**
 * A Run of many Agents: `node bench/agents.ts [AGENTS] [ROUNDS] [PAGES] [SNAPSHOT_BYTES] [REST_SECONDS]`, 1,000, 3, 5, 8,000 and 2 unless given. The Run begins so long after all are connected: their clocks are better known with time. Two Scenarios; each Agent has one User Agent. The Agents are one process with the
 * link, clock, Passes, spool and uploads of real ones. Only their engine is none: a Visit ends at once with a stored Snapshot, so that all the time of a Round is overhead. The Controller is another
 * process, and one client follows the Run as its page does. The answers that pages need are measured before the first and after the last Round, and so is how long pages take to open where `npm run build:web-ui` was run.
 */
const [agentCount = 1000, rounds = 3, pages = 5, snapshotBytes = 8000, restSeconds = 2] = process.argv
  .slice(2)
  .map(Number);

await using postgres = await startBenchPostgres();
await using pool = await openBenchPool(postgres);
const webUiFolder = path.join(import.meta.dirname, '../web-ui/dist');
const hasWebUi = existsSync(webUiFolder);
await using controller = await startControllerProcess(postgres, { webUiFolder: hasWebUi ? webUiFolder : null });
const { token } = await issueToken(pool, { name: 'bench', scope: 'api' });
const program = sendWith((to, init) => fetch(controller.url + to, init), { authorization: `Bearer ${token}` });
const names = Array.from({ length: agentCount }, (_, index) => `agent-${String(index + 1).padStart(4, '0')}`);
const connectMs = performance.now();
await using agents = await startLinkAgents({
  urls: [controller.url],
  token: (await issueToken(pool, { name: 'agents', scope: 'agent' })).token,
  names,
  folder: postgres.folder,
  snapshotBytes,
});
const connectedSeconds = (performance.now() - connectMs) / 1000;
await sleep(1000 * restSeconds); // each Agent has read its clock

const evaluationId = await storeEvaluation();
const before = await measureAnswers({ Hosts: '/api/agents', Runs: '/api/runs', Evaluations: '/api/evaluations' });
await controller.readSilence();
const cpuBefore = readCpuMs();
const clocksBefore = (await agents.countOrders()).clockRequests;
const { id: runId } = (await (await program(`/api/evaluations/${evaluationId}/runs`, postJson({}))).json()) as {
  id: string;
};
const run = `/api/runs/${runId}`;
const followed = await followEvents(`${controller.url}${run}/events?passes=current&changes=yes`, token);
const cpuAfter = readCpuMs();
const clocksAfter = (await agents.countOrders()).clockRequests;
const silence = await controller.readSilence();
const memory = controller.readMemory();
const after = await measureAnswers({
  Hosts: '/api/agents',
  Run: `${run}?passes=current`,
  Runs: '/api/runs',
  Evaluations: '/api/evaluations',
  'Comparison, first time': `${run}/comparison?cells=pooled`,
  'Comparison, again': `${run}/comparison?cells=pooled`,
  'Comparison, whole': `${run}/comparison`,
  Method: `${run}/method`,
  Measurements: `${run}/measurements?measures=totalMs`,
});

const pagesMs = hasWebUi
  ? await openPages(
      {
        Hosts: { path: '/hosts', selector: 'tbody tr' },
        Run: { path: `/runs/${runId}`, selector: '[aria-rowcount] tbody th' },
        Runs: { path: '/runs', selector: 'tbody tr' },
        Comparison: {
          path: `/runs/${runId}/comparison`,
          selector: '[aria-label="Latency by URL and Scenario"] tbody tr',
        },
      },
      { pool, url: controller.url, shots: process.env.SHOTS },
    )
  : {};

const measured = await readRounds(pool, runId);
const roundCount = measured.length;
const inRounds = (read: (round: RoundTimes) => number) => {
  const values = measured.map(read);
  return `${readQuantile(values, 0.5).toFixed(2)}, ${Math.max(...values).toFixed(2)}`;
};
const cpuOf = (part: keyof typeof cpuBefore) => ((cpuAfter[part] - cpuBefore[part]) / 1000 / roundCount).toFixed(2);
console.log(
  `${agentCount} Agents, ${pages} Visits each with a Snapshot of ${snapshotBytes} bytes, ${roundCount} Rounds; load of the machine ${loadavg()[0]!.toFixed(0)}`,
);
console.table({
  'all Agents connected, s': connectedSeconds.toFixed(1),
  'Rounds completed': measured.filter(({ state }) => state === 'completed').length,
  'Visits stored, of those planned': `${await countVisits(pool)} of ${2 * rounds * agentCount * pages}`,
  'overhead of a Round, median and longest, s': inRounds(({ allSeconds }) => allSeconds),
  'of it: until the last Pass began': inRounds(({ startedSeconds }) => startedSeconds),
  'between Rounds, s': inRounds(({ pauseSeconds }) => pauseSeconds),
  'start skew, median and largest, ms': inRounds(({ skewMs }) => skewMs),
  'CPU time of a Round: Controller, s': cpuOf('controller'),
  'PostgreSQL, s': cpuOf('postgres'),
  'Agents, s': cpuOf('agents'),
  'readings of clocks of a Round': Math.round((clocksAfter - clocksBefore) / roundCount),
  'memory of the Controller, now and most, MB': `${Math.round(memory.nowBytes / 1e6)}, ${Math.round(memory.mostBytes / 1e6)}`,
  'silence of the Controller, longest, ms': silence.longestMs.toFixed(0),
  'events of the Run, for one page': `${followed.events}, ${(followed.bytes / 1e6).toFixed(2)} MB`,
});
console.log('Before the first Round');
console.table(before);
console.log('After the last Round');
console.table(after);
if (hasWebUi) {
  console.log('Until pages of the web UI are open in Chromium, ms');
  console.table(pagesMs);
}

function readCpuMs() {
  return {
    controller: controller.readCpuMs(),
    postgres: readTreeCpuMs(postgres.processId),
    agents: agents.readCpuMs(),
  };
}

async function measureAnswers(paths: Record<string, string>): Promise<Record<string, object>> {
  const table: Record<string, object> = {};
  for (const [name, address] of Object.entries(paths)) {
    const { ms, bytes, sentBytes } = await measureAnswer(controller.url + address, token);
    table[name] = { ms: Math.round(ms), kB: Math.round(bytes / 1000), 'kB as sent': Math.round(sentBytes / 1000) };
  }
  return table;
}

interface RoundTimes {
  state: string;
  allSeconds: number;
  startedSeconds: number;
  pauseSeconds: number;
  skewMs: number;
}

async function readRounds(db: Pool, id: string): Promise<RoundTimes[]> {
  const { rows } = await db.query<RoundTimes>(
    `select round.state, extract(epoch from ended_at - round.created_at)::float8 as "allSeconds",
       extract(epoch from max(pass.started_at) - round.created_at)::float8 as "startedSeconds",
       coalesce(extract(epoch from round.created_at - lag(ended_at) over (order by index)), 0)::float8 as "pauseSeconds",
       coalesce(start_skew_ms, 0)::float8 as "skewMs"
     from round join pass on pass.round_id = round.id where run_id = $1 group by round.id order by index`,
    [id],
  );
  return rows;
}

async function countVisits(db: Pool): Promise<number> {
  const { rows } = await db.query<{ stored: number }>('select count(*)::int as stored from visit');
  return rows[0]!.stored;
}

async function storeEvaluation(): Promise<string> {
  const evaluation = {
    name: `${agentCount} Agents`,
    urlLists: { pages: [`http://origin.test/{1..${pages}}`] },
    userAgents: names.map((host) => ({ name: `user of ${host}`, host, engine: 'http', urlList: 'pages' })),
    scenarios: [{ name: 'direct', baseline: true }, { name: 'the same' }],
    pageLoad: { restMs: 0, quietMs: 50 },
    repetition: { rounds, warmUp: false },
  };
  return ((await (await program('/api/evaluations', postJson(evaluation))).json()) as { id: string }).id;
}

/** Reads the events of a Run as its page does, until the Controller ends them: how many came, and their bytes. */
async function followEvents(url: string, token: string): Promise<{ events: number; bytes: number }> {
  const { body, status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  if (status !== 200 || !body) throw new Error(`${url} answered ${status}`);
  let [events, bytes] = [0, 0];
  for await (const text of body.pipeThrough(new TextDecoderStream())) {
    events += text.split('\n\n').length - 1;
    bytes += text.length;
  }
  return { events, bytes };
}

interface MeasuredAnswer {
  /** From the request to the last byte. */
  ms: number;
  /** As they come to a browser, compressed. */
  sentBytes: number;
  bytes: number;
}

/** An answer of the API as a browser asks for it. */
async function measureAnswer(url: string, token: string): Promise<MeasuredAnswer> {
  const startMs = performance.now();
  const asked = request(url, { headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'gzip' } }).end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  const body = await buffer(response);
  const ms = performance.now() - startMs;
  if (response.statusCode !== 200) throw new Error(`${url} answered ${response.statusCode}: ${body.toString()}`);
  const isCompressed = response.headers['content-encoding'] === 'gzip';
  return { ms, sentBytes: body.length, bytes: isCompressed ? gunzipSync(body).length : body.length };
}
