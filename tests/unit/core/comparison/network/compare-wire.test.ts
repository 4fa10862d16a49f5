import { expect, test } from 'vitest';
import { compareWire, type PassWire } from '#core/comparison/network/compare-wire.ts';

const pass = (visits: number, packets: number, tcp: number | null = packets): PassWire => ({
  visits,
  shortfall: null,
  counts: {
    packets,
    bytes: packets * 100,
    connections: tcp,
    unusedConnections: tcp,
    signalling: tcp,
    retransmissions: tcp,
  },
});
const design = { scenarios: ['direct', 'proxy'], confidence: 0.95 };

test('a Round’s packets are those of all its Passes over all its Visits, and a Scenario’s their mean over Rounds', () => {
  const wire = compareWire(
    [
      { scenario: 'direct', passes: [pass(1, 10), pass(3, 50)] }, // 15 per Visit
      { scenario: 'direct', passes: [pass(2, 50)] }, // 25 per Visit
      { scenario: 'proxy', passes: [pass(2, 8)] },
    ],
    design,
  );
  const [direct, proxy] = wire.kind === 'measured' ? wire.scenarios : [];
  expect(direct).toMatchObject({
    roundsCounted: 2,
    roundsLeftOut: 0,
    figures: { packets: { rounds: 2, mean: 20 }, bytes: { mean: 2000 } },
  });
  expect(proxy).toMatchObject({ roundsCounted: 1, figures: { packets: { rounds: 1, mean: 4, halfWidth: null } } });
});

test('a Round of which one Pass was not captured is left out, and reported', () => {
  const wire = compareWire(
    [
      { scenario: 'direct', passes: [pass(1, 10), { visits: 1, shortfall: null, counts: null }] },
      { scenario: 'direct', passes: [pass(1, 7)] },
    ],
    design,
  );
  const [direct, proxy] = wire.kind === 'measured' ? wire.scenarios : [];
  expect(direct).toMatchObject({ roundsCounted: 1, roundsLeftOut: 1, figures: { packets: { mean: 7 } } });
  expect(proxy?.figures.packets).toBeNull();
});

test('a figure of TCP is absent where there was no TCP, never zero', () => {
  const wire = compareWire([{ scenario: 'direct', passes: [pass(1, 10, null)] }], design);
  expect(wire.kind === 'measured' && wire.scenarios[0]?.figures).toMatchObject({
    packets: { mean: 10 },
    connections: null,
    retransmissions: null,
  });
});

test('without any Capture there is a reason', () => {
  expect(
    compareWire([{ scenario: 'direct', passes: [{ visits: 1, shortfall: null, counts: null }] }], design),
  ).toMatchObject({
    kind: 'absent',
    reason: expect.stringContaining('capture') as string,
  });
});

test('Rounds whose packets hold less than the browsers received are left out, with both figures', () => {
  const short: PassWire = { visits: 2, shortfall: { packetBytes: 121, browserBytes: 86_000 }, counts: null };
  const wire = compareWire(
    [
      { scenario: 'direct', passes: [pass(1, 10)] },
      { scenario: 'proxy', passes: [short, pass(1, 10)] },
      { scenario: 'proxy', passes: [pass(1, 10), pass(1, 10)] },
    ],
    design,
  );
  const [direct, proxy] = wire.kind === 'measured' ? wire.scenarios : [];
  expect(direct?.shortfall).toBeUndefined();
  expect(proxy).toMatchObject({
    roundsCounted: 1,
    roundsLeftOut: 1,
    shortfall: expect.stringContaining('In 1 of 2 Rounds') as string,
  });
  const reason = expect.stringContaining('121 bytes of 86.0 kB') as string;
  expect(compareWire([{ scenario: 'proxy', passes: [short] }], design)).toEqual({ kind: 'absent', reason });
});

test('Rounds of which a Capture ended at its limit are left out, and what to change is said', () => {
  const limited: PassWire = { visits: 2, shortfall: null, isLimited: true, counts: null };
  const rounds = [
    { scenario: 'direct', passes: [limited] },
    { scenario: 'direct', passes: [pass(1, 10)] },
  ];
  const wire = compareWire(rounds, design);
  expect(wire.kind === 'measured' && wire.scenarios[0]).toMatchObject({
    roundsCounted: 1,
    roundsLeftOut: 1,
    shortfall: expect.stringMatching(
      /^In 1 of 2 Rounds a Capture reached the longest trace .*maxBytesPerPass/,
    ) as string,
  });
  const reason = expect.stringContaining('In 1 of 1 Rounds a Capture reached') as string;
  expect(compareWire(rounds.slice(0, 1), design)).toEqual({ kind: 'absent', reason });
});

test('Rounds that count although packets were dropped are counted, also those of a single User Agent', () => {
  const wire = compareWire(
    [
      { scenario: 'direct', passes: [{ ...pass(1, 10), hasDrops: true }] },
      { scenario: 'direct', passes: [pass(1, 12)] },
      { scenario: 'proxy', passes: [pass(1, 12)] },
    ],
    design,
  );
  const dropped = wire.kind === 'measured' ? wire.scenarios.map(({ roundsWithDrops }) => roundsWithDrops) : [];
  expect(dropped).toEqual([1, undefined]);
});
