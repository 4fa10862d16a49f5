import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import pino from 'pino';
import { expect, test } from 'vitest';
import { runAgent } from '#agent/run-agent.ts';
import { launcher } from '#cli/installation.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { PageLoadRulesSchema } from '#core/evaluation/pages/page-load.ts';
import { RunDetailSchema } from '#core/protocol/api/run.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { startOrigin } from '#testbed/origin/start-origin.ts';
import { postJson, startTestController } from '../support/controller.ts';
import { describeDisturbance, isQuiet, watchDisturbance } from '../support/disturbance.ts';
import { makeEvaluation } from '../support/sample-evaluation.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const blocks = 8;
const busyFromBlock = 6;

/** Ends with the process that started it. */
const restless =
  'const parent = process.ppid; while (process.ppid === parent) for (let i = 0; i < 1e8; i++) Math.sqrt(i)';

/** Far more programs than there are CPUs, which never rest and give way to all others, so that the Run continues. */
function startLoad(): AsyncDisposable {
  const children = Array.from({ length: 16 * availableParallelism() }, () =>
    spawn('nice', ['-n', '19', process.execPath, '-e', restless], { stdio: 'ignore' }),
  );
  return {
    [Symbol.asyncDispose]: async () => {
      const exits = children.map((child) => once(child, 'exit'));
      for (const child of children) child.kill('SIGKILL');
      await Promise.all(exits);
    },
  };
}

test.runIf(process.platform === 'linux')(
  'a load that begins in the middle of a Run is in its report, with the Blocks that had it',
  async (context) => {
    await using stack = new AsyncDisposableStack();
    const origin = stack.use(await startOrigin());
    const { controller, program } = stack.use(await startTestController());
    const folder = stack.use(await makeTemporaryFolder());
    const stopping = new AbortController();
    const { token } = await issueToken(controller.pool, { name: 'laptop', scope: 'agent' });
    const log = pino({ level: 'silent' });
    const agent = runAgent({
      controllerUrl: controller.url,
      token,
      name: 'laptop',
      allowScripts: false,
      homeFolder: folder.path,
      agentVersion: 'test',
      launcher,
      chromePath: null,
      log,
      signal: stopping.signal,
    });
    stack.defer(async () => {
      stopping.abort();
      await agent;
    });

    const evaluation = makeEvaluation({
      urlLists: { pages: [{ url: `${origin.httpUrl}/images/5?visit={1..2}` }] },
      userAgents: makeEvaluation()
        .userAgents.slice(0, 1)
        .map((user) => ({ ...user, engine: 'http' as const })),
      scenarios: makeEvaluation().scenarios.slice(0, 1),
      pageLoad: PageLoadRulesSchema.parse({ restMs: 300, quietMs: 100 }),
      repetition: { ...makeEvaluation().repetition, rounds: blocks, warmUp: false },
    });
    const { id } = (await (await program('/api/evaluations', postJson(evaluation))).json()) as { id: string };
    const { id: runId } = (await (await program(`/api/evaluations/${id}/runs`, postJson({}))).json()) as { id: string };
    const readRun = async () => RunDetailSchema.parse(await (await program(`/api/runs/${runId}`)).json());

    const endWatch = watchDisturbance();
    await expect
      .poll(async () => (await readRun()).rounds.at(-1)?.block ?? 0, { timeout: 200_000, interval: 100 })
      .toBeGreaterThanOrEqual(busyFromBlock);
    const before = endWatch();
    stack.use(startLoad());
    await expect.poll(async () => (await readRun()).state, { timeout: 200_000, interval: 500 }).toBe('completed');

    const { rounds } = await readRun();
    expect(rounds.flatMap(({ passes }) => passes).map(({ hostLoad }) => hostLoad?.kind)).toEqual(
      Array<string>(blocks).fill('measured'),
    );
    // What others did to the machine before is no fault of the program.
    if (!isQuiet(before)) context.skip(`inconclusive: load before: ${describeDisturbance(before)}`);
    const comparison = ComparisonSchema.parse(await (await program(`/api/runs/${runId}/comparison`)).json());
    const remarks = comparison.remarks.filter(({ about }) => about === 'host-load');
    expect(remarks[0]?.text).toMatch(/^Flag “busy host”: laptop was busier in /);
    const { hostLoad } = comparison;
    if (hostLoad.kind !== 'measured') throw new Error(hostLoad.reason);
    // The load takes some seconds to begin: the Round that it began in may be either.
    const busy = new Set(hostLoad.busyRounds.flatMap((found) => found.blocks));
    for (let block = busyFromBlock + 1; block <= blocks; block++) expect(busy).toContain(block);
    expect(comparison.metrics[0]!.scenarios.some(({ distribution }) => distribution?.flags.includes('busy-host'))).toBe(
      true,
    );
    for (let block = 1; block < busyFromBlock; block++) expect(busy).not.toContain(block);
  },
);
