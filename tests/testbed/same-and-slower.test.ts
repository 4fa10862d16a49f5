import pino from 'pino';
import { expect, it } from 'vitest';
import type { z } from 'zod';
import { startOriginInGround } from '#cli/demo/start-origin-in-ground.ts';
import { joinController } from '#cli/testbed/join-controller.ts';
import { issueToken } from '#controller/access/issue-token.ts';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { resolveLinkProfile } from '#core/evaluation/link-profile-input.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/evaluation.ts';
import { RunSummarySchema } from '#core/protocol/api/run.ts';
import { ComparisonSchema } from '#core/statistics/comparison.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { awaitRun } from '../browser/support/await-run.ts';
import { findChrome } from '../browser/support/find-chrome.ts';
import { postJson, startTestController } from '../support/controller.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

/** Without a rate, so that the check before each Round need not load it. */
const linkOf = (delayMs: number) => ({ forward: { rateKbps: 'unlimited' as const, delayMs }, return: { rateKbps: 'unlimited' as const, delayMs } });

/**
 * What a user waits for here is round trips, so that each object comes 10 % later when the link is 10 % longer. Round trips are on one side of 250 ms, and the page needs one connection
 * only: Chromium opens a second one when the first is not there after 250 ms, with which a page of two images is faster over a longer link.
 * At 5 % a test would call what is the same different in 1 of 20 Runs: the sameness is asserted by the size of the difference, which is 3 to 4 standard errors of a busy machine, and by
 * an α of 1 in 10,000. The Run measures until its means are exact, so that noise costs time and not truth.
 */
it('finds no difference between a Scenario and itself, and finds objects that come 10 % later', { timeout: 600_000 }, async () => {
  await using home = await makeTemporaryFolder();
  await using test = await startTestController();
  await using emulated = await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) });
  await using origin = await startOriginInGround(emulated.network);
  const { token } = await issueToken(test.controller.pool, { name: 'testbed', scope: 'agent' });
  const said: string[] = [];
  await using joined = await joinController(emulated, {
    controllerUrl: test.controller.url, token, chromePath: findChrome(), homeFolder: home.path, allowScripts: false, isVerbose: false, say: (line) => void said.push(line), log: pino({ level: 'silent' }),
  });
  const broken = new Promise<never>((_, reject) => joined.failed.addEventListener('abort', () => reject(new Error(said.join('\n'), { cause: joined.failed.reason }))));

  const evaluation: z.input<typeof EvaluationSchema> = {
    name: 'The same, and slower',
    urlLists: { pages: [`${origin.httpUrl}/images/1`] },
    userAgents: [{ name: 'alice', host: 'remote', urlList: 'pages' }],
    scenarios: [
      { name: 'link', baseline: true, network: { link: linkOf(280) } },
      { name: 'the same link', network: { link: linkOf(280) } },
      { name: 'a longer link', network: { link: linkOf(308) } },
    ],
    pageLoad: { restMs: 0, quietMs: 100 },
    // On a busy machine it takes more Rounds.
    repetition: { adaptive: { target: { halfWidthRatio: 0.03 }, maxRounds: 10 }, warmUp: false, attempts: 5 },
  };
  const { id } = StoredEvaluationSchema.parse(await (await test.program('/api/evaluations', postJson(evaluation))).json());
  const ordered = RunSummarySchema.parse(await (await test.program(`/api/evaluations/${id}/runs`, postJson({ seed: 7 }))).json());
  const run = await Promise.race([awaitRun(test.program, ordered.id), broken]);
  expect(run).toMatchObject({ state: 'completed', problem: null, failedVisits: 0 });

  const comparison = ComparisonSchema.parse(await (await test.program(`/api/runs/${run.id}/comparison`)).json());
  expect(['target', 'max-rounds']).toContain(comparison.ending?.stopReason);
  expect(run.roundsPlanned).toBe(3 * comparison.ending!.blocks);

  const reductionOf = (name: string) => comparison.metrics.find(({ metric }) => metric === 'totalMs')!.scenarios.find(({ scenario }) => scenario === name)!.reduction!;
  const [same, slower] = [reductionOf('the same link'), reductionOf('a longer link')];
  expect(Math.abs(same.ratio)).toBeLessThan(0.05);
  expect(same.p).toBeGreaterThan(0.0001);
  expect(slower.ratio).toBeGreaterThan(-0.15);
  expect(slower.ratio).toBeLessThan(-0.035);
  expect(slower.high).toBeLessThan(0);
});
