import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, type TestContext } from 'vitest';
import { resolveLinkProfile, LinkProfileInputSchema } from '#core/evaluation/network/link-profile-input.ts';
import { openEmulatedNetwork, type EmulatedNetwork } from '#testbed/emulated-network.ts';
import { judgeTime, roomyLimits } from '../support/judge-time.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';
import { PlaceProgram } from './support/place-program.ts';
import { StallWatch } from './support/stall-watch.ts';
import { readMonotonicMs, type LoadLine } from './support/user-pages.ts';

type End = 'ground' | 'remote';

/** They load pages. */
const users = ['alice', 'bob'];
/** Asks for one image after another, so that a request is always under way. */
const watcher = 'carol';
const groundPort = 9000;
const proxyPort = 3128;
const rateKbps = 2000;
const oneWayMs = 300;
const makeProfile = (change: Record<string, unknown> = {}) => {
  const each = { rateKbps, delayMs: oneWayMs, ...change };
  return resolveLinkProfile(LinkProfileInputSchema.parse({ forward: each, return: each }));
};

/** How often each kind of outage is tried. `HTTP_AE_TEST_OUTAGES=20 ./http-ae test testbed httpep-outages` tries each 20 times, in about 15 minutes. */
const times = Array.from({ length: Number(process.env.HTTP_AE_TEST_OUTAGES ?? 2) }, (_, index) => index + 1);
/** The longest is so long that the tunnel's connections are opened again. */
const cutsMs = [2500, 6000, 3500];

const stack = new AsyncDisposableStack();
const lines: LoadLine[] = [];
const stalls = stack.use(new StallWatch());
/** The round trips of so long before an outage decide when the other end is taken for lost. */
const learntMs = 10_000;
let emulated: EmulatedNetwork;
let starters: Record<End, () => PlaceProgram>;
const running = new Map<End, PlaceProgram>();

beforeAll(async () => {
  const folder = stack.use(await makeTemporaryFolder());
  emulated = stack.use(await openEmulatedNetwork({ profile: makeProfile() }));
  const { network } = emulated;
  const write = async (name: string, text: string) => {
    const file = path.join(folder.path, name);
    await writeFile(file, text, { mode: 0o600 });
    return file;
  };
  const key = await write('key', 'a key that both of the processes read\n');
  const credentials = await write('users', [...users, watcher].map((user) => `${user}:secret of ${user}\n`).join(''));
  const ground = `${network.ground.address}:${groundPort}`;
  const startEnd = (end: End, ...options: string[]) =>
    new PlaceProgram(network.enter(end), '../../../cli/main.ts', 'pep', end, '--key', key, '--json', ...options);
  starters = {
    ground: () => startEnd('ground', '--listen', ground, '--rate', String(rateKbps), '--allow-private'),
    remote: () =>
      startEnd('remote', '--listen', `127.0.0.1:${proxyPort}`, '--ground', ground, '--credentials', credentials),
  };
  stack.defer(async () => {
    for (const end of running.values()) await end[Symbol.asyncDispose]();
  });
  await start('ground');
  await start('remote');

  const server = stack.use(new PlaceProgram(network.enter('ground'), 'serve-user-pages.ts', network.ground.address));
  const originUrl = `http://${network.ground.address}:${await server.readLine()}`;
  const order = JSON.stringify({ users, watcher, proxyPort, originUrl });
  const client = stack.use(new PlaceProgram(network.enter('remote'), 'load-user-pages.ts', order));
  void (async () => {
    for (;;) lines.push(JSON.parse(await client.readLine()) as LoadLine);
  })().catch(() => undefined); // killed at the end
});
afterAll(() => stack.disposeAsync());

async function start(end: End): Promise<void> {
  const started = starters[end]();
  running.set(end, started);
  await started.readLine();
}

/** Resolves when each of these users has had such a line. */
async function awaitOfEach(names: string[], isSuch: (line: LoadLine) => boolean): Promise<void> {
  const listNames = () => names.filter((name) => lines.some((line) => line.user === name && isSuch(line)));
  await expect.poll(listNames, { timeout: 60_000, interval: 20 }).toEqual(names);
}
/** Of loads that begin from now on. */
function awaitWhole(names: string[], wholePath: string): Promise<void> {
  const sinceMs = readMonotonicMs();
  return awaitOfEach(
    names,
    ({ path: loaded, outcome, startedMs }) => loaded === wholePath && outcome === 'whole' && startedMs >= sinceMs,
  );
}
/** The request that was under way at the outage may be the only one that fails. */
const awaitFailure = (outageMs: number) =>
  awaitOfEach([watcher], ({ outcome, endedMs }) => endedMs >= outageMs && outcome !== 'whole');
/** An answer that had begun before a cut may become whole after it. */
const awaitEnd = (outageMs: number) => awaitOfEach([watcher], ({ endedMs }) => endedMs >= outageMs);

/** Images of a page are under way when it resolves. */
async function awaitTraffic(): Promise<number> {
  await awaitWhole(['alice'], '/page');
  return readMonotonicMs();
}

async function kill(end: End): Promise<void> {
  await running.get(end)![Symbol.asyncDispose]();
}

/** All that failed since the outage, and in how long. The client may have waited for each since the outage, or since its request if that came later. */
function readFailures(outageMs: number, allowed: string[]) {
  const failures = lines
    .filter(({ endedMs, outcome }) => endedMs >= outageMs && outcome !== 'whole')
    .map((line) => ({ ...line, waitedMs: line.endedMs - Math.max(line.startedMs, outageMs) }));
  expect(failures).not.toEqual([]);
  // What was broken off had its head before the outage. That of an image may have come ahead of its request.
  const isRight = ({ outcome, startedMs, path: loaded }: LoadLine) =>
    allowed.includes(outcome) && (outcome !== 'broken' || loaded !== '/page' || startedMs < outageMs);
  const wrong = failures.filter((line) => !isRight(line));
  expect(wrong, JSON.stringify(wrong)).toEqual([]);
  return { failures, withinMs: 2000 + stalls.stalledMsSince(outageMs - learntMs) };
}

/** Lets an outage happen, and judges in how long what failed had its status: only what had not begun can get one. */
const judgeOutage = (context: TestContext, allowed: string[], cause: () => Promise<number>) =>
  judgeTime(context, {
    measure: async () => readFailures(await cause(), allowed),
    holds: ({ failures, withinMs }) => {
      const late = failures.filter(({ outcome, waitedMs }) => outcome !== 'broken' && waitedMs > withinMs);
      expect(late, `within ${withinMs} ms: ${JSON.stringify(late)}`).toEqual([]);
    },
    // What held the machine up is in the bound.
    limits: roomyLimits,
  });

test.for(times)('requests are a 502 or 504 within 2 s when the ground end is killed, time %i', (_, context) =>
  judgeOutage(context, ['502', '504', 'broken'], async () => {
    const killedMs = await awaitTraffic();
    await kill('ground');
    await awaitFailure(killedMs);
    await start('ground');
    await awaitWhole(users, 'all');
    return killedMs;
  }),
);

test.for(times)('a remote end that is killed and started again serves whole pages, time %i', (_, context) =>
  // The connection to a proxy that is gone, and a tunnel that is not open yet.
  judgeOutage(context, ['ECONNRESET', 'ECONNREFUSED', '502', '504', 'broken'], async () => {
    const killedMs = await awaitTraffic();
    await kill('remote');
    await start('remote');
    await awaitWhole(users, 'all');
    return killedMs;
  }),
);

test.for(times)('requests are a 504 within 2 s when the link is cut, time %i', (time, context) =>
  judgeOutage(context, ['504', 'broken'], async () => {
    const forMs = cutsMs[time % cutsMs.length]!;
    await awaitTraffic();
    await emulated.link.apply(makeProfile({ lossRatio: 1 }));
    // What was on the link arrives.
    const cutMs = readMonotonicMs() + oneWayMs;
    try {
      await pause(oneWayMs + forMs);
    } finally {
      await emulated.link.apply(makeProfile());
    }
    await awaitEnd(cutMs);
    await awaitWhole(users, 'all');
    return cutMs;
  }),
);

test('nobody ever gets what is another user’s', () => {
  expect(lines.filter(({ outcome }) => outcome === 'foreign')).toEqual([]);
});
