import pino from 'pino';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { startOriginInGround } from '#cli/demo/start-origin-in-ground.ts';
import { joinController } from '#cli/testbed/join-controller.ts';
import { issueToken } from '#controller/access/issue-token.ts';
import type { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { resolveLinkProfile } from '#core/evaluation/link-profile-input.ts';
import { CaptureDetailSchema } from '#core/protocol/api/capture.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/evaluation.ts';
import { RunSummarySchema } from '#core/protocol/api/run.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { awaitRun } from '../browser/support/await-run.ts';
import { findChrome } from '../browser/support/find-chrome.ts';
import { postJson, startTestController } from '../support/controller.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const log = pino({ level: 'silent' });
const user = { osUser: 20_001, sourceAddress: '198.19.1.1', interface: 'link0' };

type VisitRow = { total_ms: number; decoded_bytes: number };

test('an Agent starts a browser with the extension in it as an OS user with an address of its own, and captures its packets', async () => {
  await using home = await makeTemporaryFolder();
  await using controller = await startTestController();
  await using emulated = await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) });
  await using origin = await startOriginInGround(emulated.network);
  const { token } = await issueToken(controller.controller.pool, { name: 'testbed', scope: 'agent' });
  const said: string[] = [];
  await using joined = await joinController(emulated, {
    controllerUrl: controller.controller.url, token, chromePath: findChrome(), hasExtension: true, homeFolder: home.path, allowScripts: false, isVerbose: false, say: (line) => void said.push(line), log,
  });

  const way = { rateKbps: 5000, delayMs: 120 };
  const evaluation: z.input<typeof EvaluationSchema> = {
    name: 'The extension over a link',
    urlLists: { pages: [`${origin.httpUrl}/images/3`, `${origin.httpUrl}/images/6`] },
    userAgents: [{ name: 'ann', engine: 'extension', host: 'remote', urlList: 'pages', ...user }],
    scenarios: [{ name: 'plain', baseline: true, network: { link: { forward: way, return: way } } }],
    pageLoad: { restMs: 0, quietMs: 300 },
    repetition: { rounds: 1, warmUp: false, attempts: 4 },
  };
  const { id } = StoredEvaluationSchema.parse(await (await controller.program('/api/evaluations', postJson(evaluation))).json());
  const started = RunSummarySchema.parse(await (await controller.program(`/api/evaluations/${id}/runs`, postJson({}))).json());
  const broken = new Promise<never>((_, reject) => joined.failed.addEventListener('abort', () => reject(new Error(said.join('\n'), { cause: joined.failed.reason }))));
  const run = await Promise.race([awaitRun(controller.program, started.id), broken]);

  expect(run).toMatchObject({ state: 'completed', problem: null, visits: 2, failedVisits: 0 });
  const visits = (await (await controller.program(`/api/runs/${run.id}/visits?format=json`)).json()) as VisitRow[];
  // Connection, the page and its images: three round trips of 240 ms at least.
  for (const { total_ms } of visits) expect(total_ms).toBeGreaterThan(3 * 240);

  const [pass] = run.rounds.find(({ state }) => state === 'completed')!.passes;
  const { outcome } = CaptureDetailSchema.parse(await (await controller.program(`/api/passes/${pass!.id}/capture`)).json());
  if (outcome.kind === 'absent') throw new Error(outcome.reason);
  const { directions, connections } = outcome.statistics;
  const pageBytes = visits.reduce((sum, { decoded_bytes }) => sum + decoded_bytes, 0);
  expect(pageBytes).toBeGreaterThan(9 * 5_000);
  expect(directions!.received.bytes).toBeGreaterThan(pageBytes);
  expect(directions!.other.packets).toBe(0);
  expect(new Set(connections.map(({ client, server }) => `${client.address} → ${server.address}`))).toEqual(new Set([`${user.sourceAddress} → ${emulated.network.ground.address}`]));
});
