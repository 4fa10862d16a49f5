import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RoundTraffic, UserTraffic } from '#core/record/round-traffic.ts';
import { compareBandwidth, shareBandwidth, weighUsers } from '#core/comparison/network/compare-bandwidth.ts';
import { jainIndex } from '#core/statistics/jain-index.ts';

describe('Jain’s fairness index', () => {
  it('has the values of its definition', () => {
    expect(jainIndex([5, 5, 5, 5])).toBe(1);
    expect(jainIndex([7, 0, 0, 0])).toBe(0.25);
    // (1 + 2 + 3)² / (3 · 14)
    expect(jainIndex([1, 2, 3])).toBeCloseTo(36 / 42, 15);
    // numpy: x.sum()**2 / (n * (x**2).sum())
    expect(jainIndex([3_750_000, 1_250_000, 812_345, 99])).toBeCloseTo(0.5186475831388004, 14);
  });

  it('is undefined where nobody received anything', () => {
    expect(() => jainIndex([0, 0])).toThrow(RangeError);
    expect(() => jainIndex([])).toThrow(RangeError);
  });

  it('lies between 1/n and 1, and does not depend on the unit', () => {
    const received = fc
      .array(fc.integer({ min: 0, max: 1e12 }), { minLength: 1, maxLength: 20 })
      .filter((values) => values.some((value) => value > 0));
    fc.assert(
      fc.property(received, (values) => {
        const index = jainIndex(values);
        expect(index).toBeGreaterThanOrEqual(1 / values.length - 1e-12);
        expect(index).toBeLessThanOrEqual(1 + 1e-12);
        expect(jainIndex(values.map((value) => 8 * value))).toBeCloseTo(index, 12);
      }),
    );
  });
});

/** 1000 bytes per bin of 100 ms by default from the first to the last packet. */
function receive(
  userAgent: string,
  change: { from: number; to: number; bytesPerBin?: number; clockOffsetMs?: number },
): UserTraffic {
  const { from, to, bytesPerBin = 1000, clockOffsetMs = 0 } = change;
  const bins = Array.from({ length: Math.ceil((to - from) / 100) }, (_, index) => (from - clockOffsetMs) / 100 + index);
  return {
    userAgent,
    firstPacketEpochMs: from,
    lastPacketEpochMs: to,
    clockOffsetMs,
    repairs: null,
    received: { binMs: 100, bins, bytes: bins.map(() => bytesPerBin) },
  };
}

describe('the bandwidth share', () => {
  it('counts only the time when all were active', () => {
    const shares = shareBandwidth([
      receive('alice', { from: 0, to: 3000, bytesPerBin: 3000 }),
      receive('bob', { from: 1000, to: 5000 }),
    ]);
    expect(shares).toEqual([
      { userAgent: 'alice', bytes: 60_000, share: 0.75 },
      { userAgent: 'bob', bytes: 20_000, share: 0.25 },
    ]);
  });

  it('puts hosts whose clocks differ on one', () => {
    const shares = shareBandwidth([
      receive('alice', { from: 0, to: 1000 }),
      receive('bob', { from: 0, to: 1000, clockOffsetMs: -3_600_000 }),
    ]);
    expect(shares?.map(({ bytes }) => bytes)).toEqual([10_000, 10_000]);
  });

  it('is not known where they were never active together', () => {
    expect(
      shareBandwidth([receive('alice', { from: 0, to: 1000 }), receive('bob', { from: 2000, to: 3000 })]),
    ).toBeNull();
  });
});

describe('the comparison of bandwidth', () => {
  const design = { scenarios: ['direct', 'proxy'], userAgents: ['alice', 'bob'], confidence: 0.95, weights: new Map() };
  const round = (scenario: string, shareOfAlice: number, hasDrops = false): RoundTraffic => ({
    block: 0,
    scenario,
    hasDrops,
    users: [
      receive('alice', { from: 0, to: 1000, bytesPerBin: 1000 * shareOfAlice }),
      receive('bob', { from: 0, to: 1000, bytesPerBin: 1000 * (1 - shareOfAlice) }),
    ],
  });

  it('has the mean and the t interval over Rounds of each share and of the index', () => {
    const compared = compareBandwidth(
      [
        round('direct', 0.5),
        round('proxy', 0.9),
        round('direct', 0.6, true),
        round('direct', 0.8),
        { block: 0, scenario: 'proxy', users: [], hasDrops: false },
      ],
      design,
    );
    if (compared.kind === 'absent') throw new Error(compared.reason);
    const [direct, proxy] = compared.scenarios;
    expect(direct).toMatchObject({ scenario: 'direct', roundsCounted: 3, roundsLeftOut: 0, roundsWithDrops: 1 });
    // numpy and scipy.stats.t.ppf(0.975, 2)
    expect(direct!.shares.map(({ estimate }) => estimate.mean)).toEqual([
      expect.closeTo(0.6333333333333333, 12),
      expect.closeTo(0.36666666666666664, 12),
    ]);
    expect(direct!.shares[0]!.estimate.halfWidth).toBeCloseTo(0.379458303359676, 12);
    expect(direct!.fairness?.mean).toBeCloseTo(0.89894419306184, 12);
    expect(direct!.fairness?.halfWidth).toBeCloseTo(0.35529103676268564, 12);
    expect(proxy).toMatchObject({
      roundsCounted: 1,
      roundsLeftOut: 1,
      shares: [{ estimate: { rounds: 1, halfWidth: null } }, { userAgent: 'bob' }],
    });
  });

  it('holds what each received against its weight, where the Scenario gives each one', () => {
    const weights = new Map([
      [
        'direct',
        new Map([
          ['alice', 0.6],
          ['bob', 0.4],
        ]),
      ],
      ['proxy', null],
    ]);
    const compared = compareBandwidth([round('direct', 0.6), round('direct', 0.5), round('proxy', 0.6)], {
      ...design,
      weights,
    });
    if (compared.kind === 'absent') throw new Error(compared.reason);
    const [direct, proxy] = compared.scenarios;
    // In proportion, then numpy: x = [0.5/0.6, 0.5/0.4]; x.sum()**2 / (2 * (x**2).sum())
    expect(direct!.weightedFairness?.mean).toBeCloseTo((1 + 0.9615384615384615) / 2, 12);
    expect(direct!.leastToMost?.mean).toBeCloseTo((0.4 / 0.6 + 1) / 2, 12);
    expect(direct!.fairness?.mean).toBeCloseTo((1 / (2 * (0.36 + 0.16)) + 1) / 2, 12);
    expect(proxy).toMatchObject({
      weightedFairness: null,
      leastToMost: { mean: expect.closeTo(0.4 / 0.6, 12) as number },
    });
  });

  it('is of the User Agents that take part in each Scenario, and of none who is alone', () => {
    const users = (...names: string[]) => names.map((name) => receive(name, { from: 0, to: 1000 }));
    const common = { block: 0, hasDrops: false };
    const compared = compareBandwidth(
      [
        { ...common, scenario: 'direct', users: users('alice', 'bob') },
        { ...common, scenario: 'proxy', users: users('carol') },
      ],
      {
        ...design,
        userAgents: ['alice', 'bob', 'carol'],
        usersOf: new Map([
          ['direct', ['alice', 'bob']],
          ['proxy', ['carol']],
        ]),
      },
    );
    expect(compared).toMatchObject({
      scenarios: [
        { roundsCounted: 1, shares: [{ userAgent: 'alice' }, { userAgent: 'bob' }], fairness: { mean: 1 } },
        { roundsCounted: 0, roundsLeftOut: 0, shares: [], fairness: null },
      ],
    });
  });

  it('is absent, with the reason, for one User Agent and where nothing was captured', () => {
    expect(compareBandwidth([], { ...design, userAgents: ['alice'] })).toEqual({
      kind: 'absent',
      reason: 'Sharing needs at least two User Agents.',
    });
    const uncaptured = compareBandwidth(
      [{ ...round('direct', 0.5), users: [receive('alice', { from: 0, to: 1000 })] }],
      design,
    );
    expect(uncaptured).toMatchObject({ kind: 'absent', reason: expect.stringContaining('sourceAddress') as string });
  });
});

describe('the weight of a User Agent', () => {
  const classes = { gold: 0.5, bronze: 0.2 };
  const users = [
    { name: 'alice', userClass: 'gold' },
    { name: 'bob', userClass: 'bronze' },
    { name: 'carol', userClass: 'bronze' },
  ];

  it('is an equal part of that of its class', () => {
    expect(weighUsers(users, { network: { classes } })).toEqual(
      new Map([
        ['alice', 0.5],
        ['bob', 0.1],
        ['carol', 0.1],
      ]),
    );
  });

  it('is shared by those of a class that take part, whatever the class of others', () => {
    expect(weighUsers([...users, { name: 'dave' }], { network: { classes }, userAgents: ['alice', 'carol'] })).toEqual(
      new Map([
        ['alice', 0.5],
        ['carol', 0.2],
      ]),
    );
  });

  it('is declared by weights where something else than the link enforces it', () => {
    expect(weighUsers(users, { network: { weights: classes } })).toEqual(weighUsers(users, { network: { classes } }));
    expect(weighUsers(users, { httpep: { classes } })).toEqual(weighUsers(users, { network: { classes } }));
  });

  it('is not known without classes, nor where a User Agent is of none', () => {
    expect(weighUsers(users, { network: undefined })).toBeNull();
    expect(weighUsers(users, {})).toBeNull();
    expect(weighUsers([...users, { name: 'dave' }], { network: { classes } })).toBeNull();
    expect(weighUsers([...users, { name: 'eve', userClass: 'constructor' }], { network: { classes } })).toBeNull();
  });
});
