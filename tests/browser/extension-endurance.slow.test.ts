import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/stored-evaluation.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { postJson, startTestController, type TestController } from '../support/controller.ts';
import { awaitRun } from './support/await-run.ts';
import { isFirefoxLeftOut } from './support/find-firefox.ts';
import { joinExtension, type JoinedExtension } from './support/join-extension.ts';
import { killServiceWorker } from './support/kill-background.ts';
import { serveCountedPages } from './support/serve-counted-pages.ts';

/** In each of two Rounds; `HTTP_AE_ENDURANCE_VISITS=200` for the full length. */
const visitCount = Number(process.env.HTTP_AE_ENDURANCE_VISITS ?? 12);

let controller: TestController;

beforeAll(async () => {
  controller = await startTestController();
});

afterAll(async () => {
  await controller[Symbol.asyncDispose]();
});

type Disturbance = (extension: JoinedExtension) => Promise<void>;
const restart: Disturbance = (extension) => extension.restart();
const killWorker: Disturbance = (extension) => killServiceWorker(extension.current.browser!);

const browsers = [
  ['chrome', [killWorker, restart, killWorker]],
  ['firefox', [restart]],
] satisfies [ExtensionTarget, Disturbance[]][];

test.each(browsers.filter(([target]) => target !== 'firefox' || !isFirefoxLeftOut))(
  'in %s no Visit is lost, and none is there twice, when the background is killed or the browser restarted in the midst of it',
  async (target, disturbances) => {
    await using extension = await joinExtension(controller.controller, { target, name: target });
    const disturbanceAt = new Map(
      disturbances.map((disturb, index) => [
        Math.floor(((index + 1) * visitCount) / (disturbances.length + 1)),
        disturb,
      ]),
    );
    const disturbed: Promise<void>[] = [];
    // The page is answered after it, so that its Visit is always interrupted.
    await using pages = await serveCountedPages((page) => {
      const disturbance = disturbanceAt.get(page)?.(extension);
      if (disturbance) disturbed.push(disturbance);
      return disturbance;
    });

    const runId = await startRun({
      name: `Endurance in ${target}`,
      urlLists: { pages: Array.from({ length: visitCount }, (_, page) => `${pages.url}/page/${page}`) },
      userAgents: [{ name: 'ann', host: target, engine: 'extension', urlList: 'pages' }],
      scenarios: [{ name: 'one', baseline: true }, { name: 'other' }],
      pageLoad: { restMs: 0, quietMs: 50 },
      repetition: { rounds: 1, warmUp: false, attempts: 1 },
      capture: { enabled: false },
    });
    const run = await awaitRun(controller.program, runId);
    await Promise.all(disturbed);

    expect(disturbed).toHaveLength(disturbances.length);
    expect(run).toMatchObject({ state: 'completed', problem: null, visits: 2 * visitCount, failedVisits: 0 });
    const { rows } = await controller.controller.pool.query(
      'select pass_id, sequence from visit join pass on pass.id = pass_id join round on round.id = round_id where run_id = $1',
      [runId],
    );
    const visits = z.array(z.object({ pass_id: z.string(), sequence: z.number() })).parse(rows);
    expect(new Set(visits.map(({ pass_id, sequence }) => `${pass_id} ${sequence}`)).size).toBe(2 * visitCount);
    // Once in each Scenario, and once more where the Visit was interrupted.
    expect([...pages.counts].filter(([, count]) => count > 2).map(([page]) => page)).toEqual([...disturbanceAt.keys()]);
  },
);

async function startRun(evaluation: unknown): Promise<string> {
  const stored = await controller.program('/api/evaluations', postJson(evaluation));
  expect(stored.status, await stored.clone().text()).toBe(201);
  const { id } = StoredEvaluationSchema.parse(await stored.json());
  const response = await controller.program(`/api/evaluations/${id}/runs`, postJson({}));
  return RunSummarySchema.parse(await response.json()).id;
}
