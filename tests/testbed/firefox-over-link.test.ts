import pino from 'pino';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { startOriginInGround } from '#cli/demo/start-origin-in-ground.ts';
import { joinController } from '#cli/testbed/join-controller.ts';
import { issueToken } from '#controller/access/issue-token.ts';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { resolveLinkProfile } from '#core/evaluation/link-profile-input.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/evaluation.ts';
import { RunSummarySchema } from '#core/protocol/api/run.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { awaitRun } from '../browser/support/await-run.ts';
import { findChrome } from '../browser/support/find-chrome.ts';
import { findFirefox, isFirefoxLeftOut } from '../browser/support/find-firefox.ts';
import { postJson, startTestController } from '../support/controller.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const log = pino({ level: 'silent' });

type VisitRow = { user_agent: string; total_ms: number };

test.skipIf(isFirefoxLeftOut)('Firefox and Chrome are two users of one link, each as an OS user with an address of its own', async () => {
  await using home = await makeTemporaryFolder();
  await using controller = await startTestController();
  await using emulated = await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) });
  await using origin = await startOriginInGround(emulated.network);
  const { token } = await issueToken(controller.controller.pool, { name: 'testbed', scope: 'agent' });
  const said: string[] = [];
  await using joined = await joinController(emulated, {
    controllerUrl: controller.controller.url, token, chromePath: findChrome(), firefoxPath: findFirefox(), homeFolder: home.path, allowScripts: false, isVerbose: false, say: (line) => void said.push(line), log,
  });

  const evaluation: z.input<typeof EvaluationSchema> = {
    name: 'Two browsers',
    urlLists: { pages: [`${origin.http2Url}/images/3`] },
    userAgents: (['chrome', 'firefox'] as const).map((engine, index) => ({ name: engine, engine, host: 'remote', urlList: 'pages', osUser: 20_001 + index, sourceAddress: `198.19.1.${index + 1}`, interface: 'link0' })),
    scenarios: [{ name: 'trusted', baseline: true, browser: { trustedKeys: [origin.trustedKey] }, network: { link: { forward: { rateKbps: 5000, delayMs: 120 }, return: { rateKbps: 5000, delayMs: 120 } } } }],
    pageLoad: { restMs: 0, quietMs: 300 },
    repetition: { rounds: 1, warmUp: false, attempts: 4 },
  };
  const { id } = StoredEvaluationSchema.parse(await (await controller.program('/api/evaluations', postJson(evaluation))).json());
  const started = RunSummarySchema.parse(await (await controller.program(`/api/evaluations/${id}/runs`, postJson({}))).json());
  const broken = new Promise<never>((_, reject) => joined.failed.addEventListener('abort', () => reject(new Error(said.join('\n'), { cause: joined.failed.reason }))));
  const run = await Promise.race([awaitRun(controller.program, started.id), broken]);

  expect(run).toMatchObject({ state: 'completed', problem: null, visits: 2, failedVisits: 0 });
  const visits = (await (await controller.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
  expect(visits.map((visit) => visit.user_agent).sort()).toEqual(['chrome', 'firefox']);
  // Connection, TLS, the page and its images: four round trips of 240 ms at least.
  for (const { total_ms } of visits) expect(total_ms).toBeGreaterThan(4 * 240);
});
