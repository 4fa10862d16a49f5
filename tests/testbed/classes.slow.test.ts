import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { applyClasses, type ApplyClassesOptions } from '#testbed/classes/apply-classes.ts';
import { openLink } from '#testbed/link/open-link.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { openTestbedNetwork, type TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { judgeTime } from '../support/judge-time.ts';
import { PlaceProgram } from './support/place-program.ts';

const rateKbps = 4000;
const profile = resolveLinkProfile({ forward: { rateKbps, delayMs: 25 }, return: { rateKbps, delayMs: 25 } });
const weights = { gold: 0.5, silver: 0.3, bronze: 0.2 };
const users = [
  { sourceAddress: '198.19.1.1', userClass: 'gold' },
  { sourceAddress: '198.19.1.2', userClass: 'silver' },
  { sourceAddress: '198.19.1.3', userClass: 'bronze' },
];

const stack = new AsyncDisposableStack();
let network: TestbedNetwork;

beforeAll(async () => {
  network = stack.use(await openTestbedNetwork());
  stack.use(await openLink({ network, profile }));
  for (const number of [1, 2, 3, 4])
    await runTool('ip', '-n', network.namespaces.remote, 'address', 'add', `198.19.1.${number}/32`, 'dev', 'link0');
});
afterAll(() => stack.disposeAsync());

type Sharing = Partial<ApplyClassesOptions> & Pick<ApplyClassesOptions, 'direction'>;

function share(options: Sharing) {
  const place = options.direction === 'forward' ? 'ground' : 'remote';
  return applyClasses({
    enter: network.enter(place),
    interface: 'link0',
    rateKbps,
    queueBytes: profile.forward.queueBytes,
    users,
    weights,
    ...options,
  });
}

type Bytes = Record<string, number>;
const PortsSchema = z.object({ port: z.number().optional(), controlPort: z.number() });
const sumOf = (bytes: Bytes) => Object.values(bytes).reduce((sum, each) => sum + each, 0);

/** Flows from one end to the other that take all they can get. */
async function openFlows(direction: 'forward' | 'return', addresses: string[]) {
  const flows = new AsyncDisposableStack();
  const host = network.ground.address;
  const open = async (place: 'ground' | 'remote', order: object) => {
    const program = flows.use(
      new PlaceProgram(network.enter(place), 'greedy-flow.ts', JSON.stringify({ host, direction, ...order })),
    );
    const { port, controlPort } = PortsSchema.parse(JSON.parse(await program.readLine()));
    return { port, url: `http://${network[place].management.address}:${controlPort}` };
  };
  const ground = await open('ground', {});
  const remote = await open('remote', { port: ground.port, users: addresses });
  const receiver = direction === 'forward' ? remote : ground;
  const readReceived = async () =>
    z.record(z.string(), z.number()).parse(await (await fetch(`${receiver.url}/received`)).json());

  const receive = async (bytes: number): Promise<Bytes> => {
    const before = await readReceived();
    let now = before;
    await vi.waitUntil(async () => sumOf((now = await readReceived())) >= sumOf(before) + bytes, {
      timeout: 20_000,
      interval: 20,
    });
    return Object.fromEntries(Object.entries(now).map(([user, each]) => [user, each - (before[user] ?? 0)]));
  };
  return {
    /** What each user received of the next so many bytes, in percent, and the rate of all. */
    async measure(bytes: number): Promise<{ percents: Bytes; kbps: number }> {
      await receive(300_000); // what was on its way, and the flows' own beginning
      const startMs = performance.now();
      const parts = await receive(bytes);
      const kbps = (sumOf(parts) * 8) / (performance.now() - startMs);
      return {
        percents: Object.fromEntries(Object.entries(parts).map(([user, each]) => [user, (each / sumOf(parts)) * 100])),
        kbps,
      };
    },
    end: (user: string) => fetch(`${remote.url}/end?user=${user}`),
    [Symbol.asyncDispose]: () => flows.disposeAsync(),
  };
}

const within5Points = (percent: number): unknown =>
  expect.toSatisfy((value: number) => Math.abs(value - percent) <= 5, `${percent} ± 5`);

/** What the users who are not idle are to have, in percent: what the idle one leaves goes to them in the proportions of their own shares. */
function idealPercents(idle: string | null): Bytes {
  const greedy = users
    .filter(({ userClass }) => userClass !== idle)
    .map(({ sourceAddress, userClass }) => [sourceAddress, weights[userClass as keyof typeof weights]] as const);
  const sum = greedy.reduce((total, [, weight]) => total + weight, 0);
  return Object.fromEntries(greedy.map(([address, weight]) => [address, (100 * weight) / sum]));
}

function expectShares(percents: Bytes, ideal: Bytes): void {
  expect(percents).toEqual(
    Object.fromEntries(Object.entries(ideal).map(([address, percent]) => [address, within5Points(percent)])),
  );
}

describe.each(['forward', 'return'] as const)('%s, classes of 50, 30 and 20 %', (direction) => {
  it('hold with three greedy users, and one that stops leaves its share to the others', async (context) => {
    await using classes = await share({ direction });
    expect(classes.plan.classes).toHaveLength(3);
    const ideal = idealPercents(null);
    await judgeTime(context, {
      measure: async () => {
        await using flows = await openFlows(direction, Object.keys(ideal));
        const all = await flows.measure(1_000_000);
        await flows.end('198.19.1.2');
        return { all, left: await flows.measure(1_000_000) };
      },
      holds: ({ all, left }) => {
        expectShares(all.percents, ideal);
        expect(left.percents).toMatchObject({
          '198.19.1.1': within5Points(500 / 7),
          '198.19.1.3': within5Points(200 / 7),
        });
        // What the two are guaranteed is 2744 kb/s, of which headers take 4 %.
        expect(left.kbps).toBeGreaterThan(2800);
      },
    });
  });

  it.for(['gold', 'silver', 'bronze'])('share what %s leaves while it is idle, by weight', async (idle, context) => {
    await using classes = await share({ direction });
    expect(classes.plan.classes).toHaveLength(3);
    const ideal = idealPercents(idle);
    await judgeTime(context, {
      measure: async () => {
        await using flows = await openFlows(direction, Object.keys(ideal));
        return (await flows.measure(700_000)).percents;
      },
      holds: (percents) => expectShares(percents, ideal),
    });
  });
});

describe('classes', () => {
  const showQueues = () => runTool(...network.enter('ground'), 'tc', 'qdisc', 'show', 'dev', 'link0');

  it('share their part among their users, and leave the interface as it was', async (context) => {
    const earlier = await showQueues();
    {
      await using classes = await share({
        direction: 'forward',
        users: [...users, { sourceAddress: '198.19.1.4', userClass: 'gold' }],
      });
      expect(classes.plan.classes[0]!.users).toHaveLength(2);
      await judgeTime(context, {
        measure: async () => {
          await using flows = await openFlows('forward', ['198.19.1.1', '198.19.1.2', '198.19.1.3', '198.19.1.4']);
          return (await flows.measure(1_000_000)).percents;
        },
        holds: (percents) =>
          expectShares(percents, { '198.19.1.1': 25, '198.19.1.4': 25, '198.19.1.2': 30, '198.19.1.3': 20 }),
      });
    }
    expect(await showQueues()).toBe(earlier);
  });

  it('are refused where the interface is shared out already, and that stays', async () => {
    await using classes = await share({ direction: 'forward' });
    const earlier = await showQueues();
    await expect(share({ direction: 'forward' })).rejects.toMatchObject({
      code: 'testbed-refused',
      message: expect.stringContaining('link0 already has a queueing discipline (htb 1:)') as unknown,
    });
    expect(await showQueues()).toBe(earlier);
    expect(classes.plan.totalKbps).toBe(3920);
  });

  it.each([
    ['a share of nothing', { weights: { ...weights, bronze: 0 } }, 'the share of "bronze" must be above 0, not 0'],
    [
      'a class that no user has',
      { weights: { ...weights, iron: 0.1 } },
      'no User Agent with a sourceAddress is of class "iron"',
    ],
    ['a link without a constant rate', { rateKbps: Infinity }, 'the link must have a constant rate'],
  ])('are refused for %s, before anything was changed', async (_, change, message) => {
    const earlier = await showQueues();
    await expect(share({ direction: 'forward', ...change })).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringContaining(message) as unknown,
    });
    expect(await showQueues()).toBe(earlier);
  });

  it('are taken back when they could not all be made', async () => {
    const earlier = await showQueues();
    const beyondTc = { sourceAddress: '198.19.1.3%', userClass: 'bronze' };
    await expect(share({ direction: 'forward', users: [...users.slice(0, 2), beyondTc] })).rejects.toMatchObject({
      code: 'testbed-failed',
    });
    expect(await showQueues()).toBe(earlier);
  });
});
