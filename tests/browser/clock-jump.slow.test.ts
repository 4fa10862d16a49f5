import { spawnSync } from 'node:child_process';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { CliProcess } from '../support/cli-process.ts';
import { startTestController, type TestController } from '../support/controller.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { awaitRun } from './support/await-run.ts';
import { findChrome } from './support/find-chrome.ts';
import { findFirefox, isFirefoxLeftOut } from './support/find-firefox.ts';
import { makeJumpingClock, type JumpingClock } from './support/jumping-clock.ts';
import { noIcon, servePages, type PageServer } from './support/serve-pages.ts';
import { startRun } from './support/two-users.ts';

/** Not http: its process gets nothing of the Agent's environment, and so not this clock. */
const engines = isFirefoxLeftOut ? (['chrome'] as const) : (['chrome', 'firefox'] as const);
/** Half of a jump. */
const wrongMs = 5_000;
const page = `<!doctype html>${noIcon}<title>Page</title>`;
const hasCompiler = process.platform === 'linux' && spawnSync('cc', ['--version']).status === 0;

let stack: AsyncDisposableStack;
let controller: TestController;
let clock: JumpingClock;
let agent: CliProcess;
let server: PageServer;
/** Each page waits for it while it is set. */
let gate: PromiseWithResolvers<void> | null;
let asked: number;
beforeEach(async () => {
  stack = new AsyncDisposableStack();
  [gate, asked] = [null, 0];
  server = stack.use(
    await servePages({
      '/1': page,
      '/2': (response) => {
        asked++;
        void Promise.resolve(gate?.promise).then(() =>
          response.writeHead(200, { 'content-type': 'text/html' }).end(page),
        );
      },
      '/3': page,
    }),
  );
  controller = stack.use(await startTestController());
  const folder = stack.use(await makeTemporaryFolder()).path;
  clock = await makeJumpingClock(folder);
  const { token } = await issueToken(controller.controller.pool, { name: 'laptop', scope: 'agent' });
  agent = stack.use(
    new CliProcess(['agent', '--name', 'laptop'], {
      HTTP_AE_HOME: folder,
      HOME: folder,
      HTTP_AE_CONTROLLER: controller.controller.url,
      HTTP_AE_TOKEN: token,
      HTTP_AE_CHROME: findChrome(),
      ...(!isFirefoxLeftOut && { HTTP_AE_FIREFOX: findFirefox() }),
      ...clock.environment,
    }),
  );
  await expect.poll(() => controller.controller.agents.isConnected('laptop'), { timeout: 120_000 }).toBe(true);
});
afterEach(() => stack.disposeAsync());

test.skipIf(!hasCompiler).for([
  [10_000, 'the clock of its host was set forward by 10.0 s, or the host was asleep'],
  [-10_000, 'the clock of its host was set back by 10.0 s'],
] as const)(
  'the clock of a host jumps by %d ms in a Round: it is measured again, and no Visit has a wrong time',
  { timeout: 300_000 },
  async ([byMs, problem]) => {
    const { pool } = controller.controller;
    gate = Promise.withResolvers();
    const runId = await startRun(controller, {
      name: 'Jump',
      urlLists: { pages: [1, 2, 3].map((name) => `${server.url}/${name}`) },
      userAgents: engines.map((engine) => ({ name: engine, host: 'laptop', engine, urlList: 'pages' })),
      scenarios: [{ name: 'plain', baseline: true }],
      pageLoad: { restMs: 0, quietMs: 100, timeoutMs: 60_000 },
      repetition: { rounds: 2, warmUp: false, attempts: 3 },
    });
    await expect.poll(() => asked, { timeout: 120_000 }).toBe(engines.length);
    clock.setLead(byMs);
    gate.resolve();
    gate = null;
    const run = await awaitRun(controller.program, runId);
    expect(run, agent.stderr).toMatchObject({ state: 'completed', roundsCompleted: 2, failedVisits: 0 });
    const broken = run.rounds.filter(({ state }) => state === 'broken');
    expect(broken.map((round) => round.problem)).toEqual([expect.stringContaining(problem)]);

    // By the clock of the database, a Visit is between the start of its Pass and its storing.
    const { rows } = await pool.query<{ user_agent: string; delay_ms: number; early_ms: number; late_ms: number }>(
      `select user_agent, request_delay_ms::float8 as delay_ms, (extract(epoch from pass.started_at - visit.started_at) * 1000)::float8 as early_ms,
         (extract(epoch from visit.started_at - visit.stored_at) * 1000)::float8 as late_ms
       from visit join pass on pass.id = pass_id join round on round.id = round_id where round.state = 'completed'`,
    );
    expect(rows).toHaveLength(2 * 3 * engines.length);
    const isWrong = ({ delay_ms, early_ms, late_ms }: (typeof rows)[number]) =>
      Math.max(Math.abs(delay_ms), early_ms, late_ms) > wrongMs;
    expect(rows.filter(isWrong)).toEqual([]);
    for (const round of run.rounds.filter(({ state }) => state === 'completed'))
      expect(round.startSkewMs).toBeLessThan(wrongMs);
  },
);
