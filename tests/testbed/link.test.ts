import { expect, onTestFinished, test } from 'vitest';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { largestFrameBytes } from '#core/evaluation/network/link-profile.ts';
import { countLosses } from '#testbed/check/judge-link.ts';
import { startProbe } from '#testbed/check/link-checker.ts';
import { createRandom } from '#testbed/link/model/create-random.ts';
import { openLossSource } from '#testbed/link/model/link-model.ts';
import { openNetemLink } from '#testbed/link/netem-backend.ts';
import { SwitchableLink } from '#testbed/link/switchable-link.ts';
import { openUserspaceLink, type UserspaceLink } from '#testbed/link/userspace/userspace-backend.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { satelliteInterfaces } from '#testbed/namespaces/connect-ends.ts';
import { openTestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { listDescendants } from './support/kill-and-repeat.ts';
import { holdForAll } from '#tests/support/hold.ts';

const seed = 20_261_128;
const askMs = 60_000;

const profileOf = (direction: Record<string, unknown>) =>
  resolveLinkProfile(LinkProfileInputSchema.parse({ forward: direction, return: direction }));

const network = holdForAll(openTestbedNetwork);

async function openLink(direction: Record<string, unknown>): Promise<UserspaceLink> {
  const link = await openUserspaceLink({ network, profile: profileOf(direction), seed });
  onTestFinished(() => link[Symbol.asyncDispose]());
  return link;
}

/** Sends so many probes from remote to ground, which returns them; resolves when none is under way. */
async function sendProbes(link: UserspaceLink, count: number) {
  await using ground = await startProbe(network, 'ground');
  await using remote = await startProbe(network, 'remote');
  await remote.ask({ kind: 'probe', to: network.ground.address, count, intervalMs: 1, waitMs: 0 }, askMs);
  const isOver = async (side: 'forward' | 'return', sent: number) => {
    const { arrivedPackets, deliveredPackets, lostPackets } = (await link.statistics())[side];
    return arrivedPackets === sent && deliveredPackets + lostPackets === sent;
  };
  await expect.poll(() => isOver('return', count)).toBe(true);
  const { deliveredPackets: echoes } = (await link.statistics()).return;
  await expect.poll(async () => (await ground.ask({ kind: 'report' }, askMs)).receivedNumbers.length).toBe(echoes);
  await expect.poll(() => isOver('forward', echoes)).toBe(true);
  const { deliveredPackets: back } = (await link.statistics()).forward;
  await expect.poll(async () => (await remote.ask({ kind: 'report' }, askMs)).returnedNumbers.length).toBe(back);
  const { receivedNumbers } = await ground.ask({ kind: 'report' }, askMs);
  const { returnedNumbers } = await remote.ask({ kind: 'report' }, askMs);
  return { receivedNumbers, returnedNumbers };
}

test('every packet that is sent is carried, in order, there and back, and no other packet is', async () => {
  const link = await openLink({ rateKbps: 5000, delayMs: 20 });
  const inOrder = Array.from({ length: 300 }, (_, number) => number);
  expect(await sendProbes(link, 300)).toEqual({ receivedNumbers: inOrder, returnedNumbers: inOrder });
  const statistics = await link.statistics();
  for (const side of ['forward', 'return'] as const)
    expect(statistics[side]).toMatchObject({
      arrivedPackets: 300,
      deliveredPackets: 300,
      droppedPackets: 0,
      lostPackets: 0,
      queuedPackets: 0,
    });
});

test('of packets that come at once, the queue keeps as many as its size allows, and the rest is dropped', async () => {
  const link = await openLink({ rateKbps: 5000, delayMs: 20 });
  // A full packet takes two minutes: none leaves while the others come.
  await link.apply(profileOf({ rateKbps: 0.1, delayMs: 20, queueBytes: 20_000 }));
  const totalBytes = 60 * largestFrameBytes;
  await using ground = await startProbe(network, 'ground');
  const load = { kind: 'load', to: network.remote.address, kbps: 1e9, burstBytes: totalBytes, totalBytes } as const;
  await ground.ask(load, askMs);
  await expect.poll(async () => (await link.statistics()).forward.arrivedPackets).toBe(60);
  // One is being sent, and 13 wait.
  const waiting = Math.floor(20_000 / largestFrameBytes);
  expect((await link.statistics()).forward).toMatchObject({
    deliveredPackets: 0,
    queuedPackets: waiting,
    queuedBytes: waiting * largestFrameBytes,
    droppedPackets: 60 - 1 - waiting,
    lostPackets: 0,
  });
});

test('a packet that the kernel does not take is a drop, and the link works on', async () => {
  const link = await openLink({ rateKbps: 5000, delayMs: 20 });
  const setMtu = (bytes: number) =>
    runTool('ip', '-n', network.namespaces.satellite, 'link', 'set', satelliteInterfaces.remote, 'mtu', String(bytes));
  await setMtu(600);
  onTestFinished(() => setMtu(1500).then(() => undefined));
  const totalBytes = 3 * largestFrameBytes;
  await using ground = await startProbe(network, 'ground');
  const load = { kind: 'load', to: network.remote.address, kbps: 1000, burstBytes: totalBytes, totalBytes } as const;
  await ground.ask(load, askMs);
  await expect
    .poll(async () => (await link.statistics()).forward)
    .toMatchObject({ arrivedPackets: 3, droppedPackets: 3, missedPackets: 3, deliveredPackets: 0, deliveredBytes: 0 });
  await setMtu(1500);
  await ground.ask(load, askMs);
  await expect.poll(async () => (await link.statistics()).forward).toMatchObject({ deliveredPackets: 3 });
  expect(link.failed.aborted).toBe(false);
});

test.for([
  ['one by one', { lossRatio: 0.1 }],
  ['in bursts', { lossRatio: 0.1, lossBurstPackets: 3 }],
] as const)('losses %s are just those that the model draws from the seed', async ([, losses]) => {
  const link = await openLink({ rateKbps: 5000, delayMs: 20, ...losses });
  const { receivedNumbers, returnedNumbers } = await sendProbes(link, 400);
  const model = { lossBurstPackets: null, ...losses };
  const arriveByModel = (ofSide: number, sent: number) => {
    const isNextLost = openLossSource(model, createRandom(ofSide));
    return Array.from({ length: sent }, (_, number) => number).filter(() => !isNextLost());
  };
  const expected = countLosses(arriveByModel(seed + 1, 400), 400);
  expect(expected.lost).toBeGreaterThan(10);
  expect(countLosses(receivedNumbers, 400)).toEqual(expected);
  expect(returnedNumbers).toEqual(arriveByModel(seed, receivedNumbers.length));
});

test('with the testbed go its namespaces, and with the link its process', async () => {
  const own = () => listNamespaces().filter(({ owner }) => owner.pid === process.pid);
  const other = await openTestbedNetwork();
  const link = await openUserspaceLink({ network: other, profile: profileOf({ rateKbps: 5000, delayMs: 20 }) });
  expect(own()).toHaveLength(6);
  const withLink = listDescendants(process.pid).length;
  await link[Symbol.asyncDispose]();
  expect(listDescendants(process.pid).length).toBeLessThan(withLink);
  await other[Symbol.asyncDispose]();
  expect(own().map(({ name }) => name)).toEqual(expect.arrayContaining(Object.values(network.namespaces)));
  expect(own()).toHaveLength(3);
});

test('netem that the kernel lacks is refused with what to do, and what it half makes is removed', async (context) => {
  await using link = new SwitchableLink({ network, only: 'netem' });
  const profile = profileOf({ rateKbps: 1000, delayMs: 10 });
  const refusal = await link.apply(profile).then(
    () => null,
    (error: unknown) => error,
  );
  context.skip(refusal === null, 'this kernel has netem');
  expect(refusal).toMatchObject({ code: 'testbed-refused', message: expect.stringContaining('--backend') as string });
  const listInterfaces = () => runTool('ip', '-n', network.namespaces.satellite, '-brief', 'link', 'show');
  const before = await listInterfaces();
  await expect(openNetemLink({ network, interfaces: satelliteInterfaces, profile })).rejects.toThrow(/qdisc kind/);
  expect(await listInterfaces()).toBe(before);
});
