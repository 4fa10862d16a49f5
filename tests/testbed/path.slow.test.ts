import { expect, test } from 'vitest';
import { NetworkSchema, type Network } from '#core/evaluation/network/network.ts';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { segments } from '#core/evaluation/network/network-path.ts';
import type { LinkCheck } from '#core/protocol/link-check.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';
import { runTool } from '#testbed/namespaces/run-tool.ts';
import { judgeTime } from '../support/judge-time.ts';
import { holdForAll } from '#tests/support/hold.ts';

const emulated = holdForAll(() => openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) }));

const eachWay = (direction: Record<string, unknown>) => ({ forward: direction, return: direction });
const satellite = eachWay({ rateKbps: 2000, delayMs: 100 });
const whole = NetworkSchema.parse({
  link: satellite,
  path: {
    access: eachWay({ rateKbps: 5000, delayMs: 5 }),
    terrestrial: {
      forward: { rateKbps: 10_000, delayMs: 20, lossRatio: 0.02 },
      return: { rateKbps: 10_000, delayMs: 20 },
    },
  },
});

const apply = (network: Network | null) => emulated.apply({ network, users: [] });
const roundTrips = (check: LinkCheck | null) =>
  Object.fromEntries(
    check!.findings.flatMap(({ segment = 'link', figure, measured }) =>
      figure === 'round trip' ? [[segment, measured!]] : [],
    ),
  );

test('each segment does what is written of it, nothing else, and together they add up', async (context) => {
  await judgeTime(context, {
    measure: async () => {
      const check = await apply(whole);
      const rates = check!.findings.filter(({ figure }) => figure === 'return rate');
      expect(rates.map(({ segment, expected }) => [segment, expected])).toEqual([
        ['access', 5000],
        ['satellite', 2000],
        ['terrestrial', 10_000],
        ['end to end', 2000],
      ]);
      return check;
    },
    holds: (check) => {
      expect(check!.findings.filter(({ isWithin }) => !isWithin)).toEqual([]);
      expect(roundTrips(check)).toEqual({
        access: expect.closeTo(10, -1) as number,
        satellite: expect.closeTo(200, -1) as number,
        terrestrial: expect.closeTo(40, -1) as number,
        'end to end': expect.closeTo(250, -1) as number,
      });
    },
  });
  const lost = await Promise.all(
    segments.map(async (segment) => {
      const { forward, return: back } = await emulated.segments.linkOf(segment).statistics();
      return [forward.lostPackets > 0, back.lostPackets > 0];
    }),
  );
  expect(lost).toEqual([
    [false, false],
    [false, false],
    [true, false],
  ]);
});

test('a path and the single link follow one another, and the ends are the same before and after', async (context) => {
  const link = eachWay({ rateKbps: 'unlimited', delayMs: 100 });
  const direct = NetworkSchema.parse({ link });
  const readEnds = async () => {
    const read = (['ground', 'remote'] as const).flatMap((end) =>
      (['address', 'route', 'neighbour'] as const).map((what) =>
        runTool(...emulated.network.enter(end), 'ip', '-o', what),
      ),
    );
    return Promise.all(read);
  };
  await apply(direct);
  const before = await readEnds();
  await judgeTime(context, {
    measure: async () => {
      const byPath = roundTrips(await apply({ ...direct, path: {} }));
      expect(await readEnds()).toEqual(before);
      const byLink = roundTrips(await apply(direct));
      expect(await readEnds()).toEqual(before);
      return { byPath, byLink };
    },
    holds: ({ byPath, byLink }) => {
      // Nothing beyond the satellite but plain wires.
      expect(byPath).toEqual({
        satellite: expect.closeTo(200, -1) as number,
        'end to end': expect.closeTo(200, -1) as number,
      });
      expect(byLink).toEqual({ link: expect.closeTo(200, -1) as number });
    },
  });
  const bridges = ['ip', '-o', 'link', 'show', 'type', 'bridge'] as const;
  expect(await runTool(...emulated.network.enter('satellite'), ...bridges)).toBe('');
});

test('user classes share the satellite segment, where packets come to it', async () => {
  const users = [
    { sourceAddress: '198.19.1.1', userClass: 'gold' },
    { sourceAddress: '198.19.1.2', userClass: 'silver' },
  ];
  await emulated.apply({
    network: { ...NetworkSchema.parse({ link: satellite, path: {} }), classes: { gold: 0.75, silver: 0.25 } },
    users,
  });
  const listClasses = async (place: 'ground' | 'gateway' | 'terminal', name: string) =>
    runTool(...emulated.network.enter(place), 'tc', 'class', 'show', 'dev', name);
  for (const node of ['gateway', 'terminal'] as const)
    expect(await listClasses(node, 'satellite0')).toContain('rate 1470Kbit'); // three quarters of 98 %
  expect(await listClasses('ground', 'link0')).toBe('');
  await apply(null);
  expect(await listClasses('gateway', 'satellite0')).toBe('');
});

test('a path of a testbed with IPv6 is refused', async () => {
  await using withIpv6 = await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }), hasIpv6: true });
  await expect(withIpv6.apply({ network: whole, users: [] })).rejects.toMatchObject({ code: 'testbed-refused' });
});
