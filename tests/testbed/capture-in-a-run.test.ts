import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import pino from 'pino';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startOriginInGround } from '#cli/demo/start-origin-in-ground.ts';
import { joinController } from '#cli/testbed/join-controller.ts';
import { issueToken } from '#controller/access/issue-token.ts';
import { resolveLinkProfile } from '#core/evaluation/link-profile-input.ts';
import { CaptureDetailSchema, type CaptureDetail } from '#core/protocol/api/capture.ts';
import { StoredEvaluationSchema } from '#core/protocol/api/evaluation.ts';
import { RunSummarySchema, type RunDetail } from '#core/protocol/api/run.ts';
import { ComparisonSchema } from '#core/statistics/comparison.ts';
import { openEmulatedNetwork, type EmulatedNetwork } from '#testbed/emulated-network.ts';
import { awaitRun } from '../browser/support/await-run.ts';
import { findChrome } from '../browser/support/find-chrome.ts';
import { postJson, startTestController, type TestController } from '../support/controller.ts';
import { measure } from '../support/packets/measure.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

const resources = new AsyncDisposableStack();
const addresses: Record<string, string> = { alice: '198.19.1.1', bob: '198.19.1.2' };
let test: TestController;
let emulated: EmulatedNetwork;
let homeFolder: string;
let run: RunDetail;
let captures: CaptureDetail[];

beforeAll(async () => {
  homeFolder = resources.use(await makeTemporaryFolder()).path;
  test = resources.use(await startTestController());
  emulated = resources.use(await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) }));
  const origin = resources.use(await startOriginInGround(emulated.network));
  const { token } = await issueToken(test.controller.pool, { name: 'testbed', scope: 'agent' });
  const log = pino({ level: 'silent' });
  resources.use(await joinController(emulated, { controllerUrl: test.controller.url, token, chromePath: findChrome(), homeFolder, allowScripts: false, isVerbose: false, say: () => undefined, log }));

  const way = { rateKbps: 20_000, delayMs: 5 };
  const evaluation = {
    name: 'Captured',
    urlLists: { pages: [`${origin.httpUrl}/images/{3,6}`] },
    userAgents: Object.entries(addresses).map(([name, sourceAddress], index) => ({ name, host: 'remote', urlList: 'pages', osUser: 20_001 + index, sourceAddress, interface: 'link0' })),
    scenarios: [{ name: 'plain', baseline: true, network: { link: { forward: way, return: way } } }],
    pageLoad: { restMs: 0, quietMs: 300 },
    repetition: { rounds: 1, warmUp: false, attempts: 1 },
  };
  const { id } = StoredEvaluationSchema.parse(await (await test.program('/api/evaluations', postJson(evaluation))).json());
  const started = RunSummarySchema.parse(await (await test.program(`/api/evaluations/${id}/runs`, postJson({}))).json());
  run = await awaitRun(test.program, started.id);
  captures = await Promise.all(run.rounds[0]!.passes.map(async (pass) => CaptureDetailSchema.parse(await (await test.program(`/api/passes/${pass.id}/capture`)).json())));
});
afterAll(() => resources.disposeAsync());

function captured({ outcome }: CaptureDetail) {
  if (outcome.kind === 'absent') throw new Error(outcome.reason);
  return outcome;
}

it('captures every User Agent’s packets, none of the other’s and none of the control channel’s', () => {
  expect(run).toMatchObject({ state: 'completed', problem: null, visits: 4, failedVisits: 0 });
  expect(captures.map(({ userAgent }) => userAgent)).toEqual(['alice', 'bob']);
  for (const capture of captures) {
    const { statistics, ...rest } = captured(capture);
    expect(rest).toMatchObject({ interface: 'link0', droppedByKernel: 0, droppedByInterface: 0, isLimited: false });
    expect(statistics.packets).toBe(rest.receivedPackets);
    expect(statistics.directions?.other.packets).toBe(0);
    // 9 images of some 10 kB.
    expect(statistics.directions?.received.bytes).toBeGreaterThan(50_000);
    const ends = new Set(statistics.connections.map(({ client, server }) => `${client.address} → ${server.address}`));
    expect(ends).toEqual(new Set([`${addresses[capture.userAgent]} → ${emulated.network.ground.address}`]));
  }
});

it('archives the same packets that the statistics are of, and leaves nothing on the Agent', async () => {
  for (const capture of captures) {
    const { statistics, trace } = captured(capture);
    const response = await test.program(`/api/passes/${capture.passId}/trace`);
    expect(response.headers.get('content-disposition')).toBe(`attachment; filename=run-${run.id}-block-1-plain-${capture.userAgent}.pcap.gz`);
    const archived = Buffer.from(await response.arrayBuffer());
    expect(trace).toMatchObject({ kind: 'kept', bytes: archived.length });
    expect(measure(gunzipSync(archived), { localAddresses: [addresses[capture.userAgent]!] })).toEqual(statistics);
  }
  const folders = (await readdir(path.join(homeFolder, 'spool'))).filter((name) => name.endsWith('-traces'));
  expect(folders.length).toBeGreaterThan(0);
  for (const folder of folders) expect(await readdir(path.join(homeFolder, 'spool', folder))).toEqual([]);
});

it('tells what each Visit had on the wire', async () => {
  const rows = (await (await test.program(`/api/runs/${run.id}/visits?format=json`)).json()) as { user_agent: string; url: string; wire_packets: number; wire_bytes: number; wire_connections: number }[];
  expect(rows).toHaveLength(4);
  for (const capture of captures) {
    const own = rows.filter((row) => row.user_agent === capture.userAgent);
    const [small, large] = own.toSorted((a, b) => a.url.localeCompare(b.url));
    expect(small!.wire_connections).toBeGreaterThanOrEqual(1);
    expect(large!.wire_bytes).toBeGreaterThan(small!.wire_bytes);
    const { statistics } = captured(capture);
    // What closes a connection may come after its Visit.
    expect(small!.wire_packets + large!.wire_packets).toBeGreaterThan(0.8 * statistics.packets);
    expect(small!.wire_bytes + large!.wire_bytes).toBeLessThanOrEqual(statistics.dataBytes);
  }
});

it('tells how the users shared the link', async () => {
  const { bandwidth } = ComparisonSchema.parse(await (await test.program(`/api/runs/${run.id}/comparison`)).json());
  if (bandwidth.kind === 'absent') throw new Error(bandwidth.reason);
  const [plain] = bandwidth.scenarios;
  expect(plain).toMatchObject({ roundsCounted: 1, roundsLeftOut: 0, roundsWithDrops: 0, shares: [{ userAgent: 'alice' }, { userAgent: 'bob' }] });
  // Both load the same pages at the same time.
  expect(plain!.fairness?.mean).toBeGreaterThan(0.8);
});
