import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { expect } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { excludeVisits, reverseExclusion } from '#controller/runs/exclusions.ts';
import { storeCapture } from '#controller/captures/captures.ts';
import { storeScriptExecution } from '#controller/runs/rounds.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { startTestController, type TestController } from '#tests/support/controller.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { printCounters } from '#tests/support/print-counters.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

/** A Controller, and what the command line needs to export from it. */
export interface Exporter extends AsyncDisposable {
  it: TestController;
  /** Where bundles are written to. */
  folder: { path: string };
  access: Record<string, string>;
}

export async function openExporter(): Promise<Exporter> {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await makeTemporaryFolder());
  const it = stack.use(await startTestController());
  const { token } = await issueToken(it.controller.pool, { name: 'command line', scope: 'api' });
  const access = { HTTP_AE_CONTROLLER: it.controller.url, HTTP_AE_TOKEN: token };
  const owned = stack.move();
  return { it, folder, access, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const noCapture = { kind: 'absent', reason: 'The Agent was gone' } as const;

const withHttpep = (evaluation: Evaluation) => ({
  ...evaluation,
  scenarios: evaluation.scenarios.map((each) => (each.name === 'proxy' ? { ...each, httpep: {} } : each)),
});

/** A Run with failures, exclusions, broken Rounds and Captures, and its bundle. */
export async function exportRun(
  { it, folder, access }: Exporter,
  name: string,
): Promise<{ runId: string; file: string }> {
  const { pool } = it.controller;
  const repetition = { order: 'random-blocks' as const, rounds: 7, warmUp: true, attempts: 2 };
  const { runId, visits } = await storeCompletedRun(pool, {
    evaluation: EvaluationSchema.parse({
      ...withHttpep(makeEvaluation({ repetition })),
      name: `Grüße, "${name}"`,
      capturePoints: [
        { name: 'ground', host: 'gateway', interface: 'eth0' },
        { name: 'never', host: 'gateway', interface: 'eth1' },
      ],
    }),
    totalMsOf: ({ block, scenario, userAgent, url }) =>
      block === 3 && url.endsWith('2')
        ? null
        : (scenario === 'proxy' ? 700 : 900) + Math.sin(block * url.length + userAgent.length) * 81.37,
  });
  await excludeVisits(pool, {
    runId,
    visitIds: visits.slice(40, 42).map(({ id }) => id),
    reason: 'The door was open',
    by: 'ann',
  });
  const [reversed] = await excludeVisits(pool, { runId, visitIds: [visits[60]!.id], reason: 'A mistake', by: 'ann' });
  await reverseExclusion(pool, { id: reversed!.id, reason: 'It was none', by: 'ben' });
  const { rows: passes } = await pool.query<{ id: string }>(
    'select pass.id from pass join round on round.id = round_id where run_id = $1',
    [runId],
  );
  for (const { id } of passes) await storeCapture(pool, { captureId: id, outcome: makeCaptured() });
  const { rows: points } = await pool.query<{ id: string }>(
    `select capture_point.id from capture_point join round on round.id = round_id where run_id = $1 and name = 'ground' order by index`,
    [runId],
  );
  for (const [index, { id }] of points.entries())
    await storeCapture(pool, { captureId: id, outcome: index === 6 ? noCapture : makeCaptured() });
  const { rows: rounds } = await pool.query<{ id: string }>(
    `select id from round where run_id = $1 and scenario = 'proxy'`,
    [runId],
  );
  for (const { id: roundId } of rounds)
    for (const { script, output } of printCounters())
      await storeScriptExecution(pool, {
        ...{ id: randomUUID(), roundId, phase: 'process', name: script, host: 'ground', script, output },
        ...{ exitCode: null, isTimedOut: false, durationMs: 1 },
      });
  await pool.query(`update round set state = 'broken', problem = 'An Agent was lost' where run_id = $1 and index = 5`, [
    runId,
  ]);

  const file = path.join(folder.path, `${name}.bundle.gz`);
  expect(await runCli(['export', runId, '--format', 'bundle', '--output', file], access)).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: '',
  });
  return { runId, file };
}
