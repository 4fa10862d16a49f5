import { describe, expect, test } from 'vitest';
import { describeFinding, explainMismatch } from '#cli/testbed/run-testbed.ts';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { describeCheck } from '#cli/testbed/describe-profile.ts';
import { judgeLink, type LinkMeasurement } from '#testbed/check/judge-link.ts';
import { planCheck, shortEffort, binomialBounds } from '#testbed/check/plan-check.ts';

const resolve = (input: unknown) => resolveLinkProfile(LinkProfileInputSchema.parse(input));

const none = { lost: 0, bursts: 0 };

/** What a link of 1 Mb/s and 600 ms does. */
const measured = (change: Partial<LinkMeasurement> = {}): LinkMeasurement => ({
  roundTripsMs: [601.1, 601.2, 601.3],
  probesSent: { forward: 1000, return: 1000 },
  probesLost: { forward: none, return: none },
  rate: { forward: { kbps: 1000, packets: 130, overMs: 1500 }, return: { kbps: 995, packets: 130, overMs: 1500 } },
  ...change,
});
const wrongOf = (input: unknown, measurement: LinkMeasurement) =>
  judgeLink(resolve(input), measurement)
    .filter(({ isWithin }) => !isWithin)
    .map(({ figure }) => figure);

// qbinom(c(.025, .975), 2000, .02), qbinom(c(.0005, .9995), 2500, .03) and qbinom(c(.025, .975), 100000, .5) in R.
test.for([
  [2000, 0.02, 0.95, 28, 53],
  [2500, 0.03, 0.999, 49, 105],
  [100_000, 0.5, 0.95, 49_690, 50_310],
] as const)(
  'of %i packets with a loss of %f, the bounds at %f are %i and %i',
  ([trials, ratio, confidence, low, high]) => {
    expect(binomialBounds({ trials, ratio, confidence })).toEqual({ low, high });
  },
);

test('no loss and only loss leave no room', () => {
  expect(binomialBounds({ trials: 10, ratio: 0, confidence: 0.95 })).toEqual({ low: 0, high: 0 });
  expect(binomialBounds({ trials: 10, ratio: 1, confidence: 0.95 })).toEqual({ low: 10, high: 10 });
});

test('a link that does what its profile says is as written', () => {
  expect(wrongOf('geo-1m', measured())).toEqual([]);
});

test.for([
  ['a round trip 1 % and more off', measured({ roundTripsMs: [607.1] }), ['round trip']],
  ['no probe that came back', measured({ roundTripsMs: [] }), ['round trip']],
  [
    'a rate 2 % and more off',
    measured({
      rate: { forward: { kbps: 979, packets: 100, overMs: 1500 }, return: { kbps: 1021, packets: 100, overMs: 1500 } },
    }),
    ['forward rate', 'return rate'],
  ],
  [
    'a packet lost where none may be',
    measured({ probesLost: { forward: { lost: 1, bursts: 1 }, return: none } }),
    ['forward loss'],
  ],
  ['no load that came through', measured({ rate: { forward: null, return: null } }), ['forward rate', 'return rate']],
] as [string, LinkMeasurement, string[]][])('%s is found', ([, measurement, figures]) => {
  expect(wrongOf('geo-1m', measurement)).toEqual(figures);
});

test('a short link is held to 1 ms', () => {
  const idealMs = 28 + 0.096 + 0.48;
  const noLoad = {
    rate: { forward: { kbps: 5000, packets: 600, overMs: 1500 }, return: { kbps: 1000, packets: 130, overMs: 1500 } },
  };
  expect(wrongOf('cable', measured({ roundTripsMs: [idealMs + 0.9], ...noLoad }))).toEqual([]);
  expect(wrongOf('cable', measured({ roundTripsMs: [idealMs + 1.1], ...noLoad }))).toEqual(['round trip']);
});

test('a rate that follows a trace, and the round trip with it, is held against nothing', () => {
  const rateTrace = { steps: [[0, 500]] };
  const figures = judgeLink(resolve({ preset: 'geo-1m', return: { rateTrace } }), measured()).map(
    ({ figure }) => figure,
  );
  expect(figures).toEqual(['forward loss', 'forward rate', 'return loss']);
});

test('where probes wait for a trace, their losses are held against nothing, and a trace is not loaded', () => {
  const outage = {
    preset: 'geo-1m',
    return: {
      rateTrace: {
        steps: [
          [0, 500],
          [1000, 0],
          [2000, 500],
        ],
      },
    },
  };
  const late = measured({ probesLost: { forward: { lost: 9, bursts: 1 }, return: { lost: 90, bursts: 1 } } });
  expect(judgeLink(resolve(outage), late).map(({ figure }) => figure)).toEqual(['forward rate']);
  expect(wrongOf(outage, late)).toEqual([]);
  const plan = planCheck(resolve(outage), shortEffort);
  expect([plan.forward === null, plan.return]).toEqual([false, null]);
  // Probes of 60 bytes every 2.4 ms take 200 kb/s.
  const slower = {
    preset: 'geo-1m',
    return: {
      rateTrace: {
        steps: [
          [0, 500],
          [1000, 201],
        ],
      },
    },
  };
  expect(wrongOf(slower, late)).toEqual(['forward loss', 'return loss']);
});

describe('capacity on demand', () => {
  const probes = { forward: 17, return: 17 };
  const roundTripOf = (preset: string) =>
    judgeLink(resolve(preset), measured({ probesSent: probes })).find(({ figure }) => figure === 'round trip')!;
  const frameMs = 26.5;

  test('has no rate to be held against, but a round trip', () => {
    const figures = judgeLink(resolve('bod-vbdc'), measured({ probesSent: probes })).map(({ figure }) => figure);
    expect(figures).toEqual(['round trip', 'forward loss', 'forward rate', 'return loss']);
  });

  test('that is constant has the round trip of a constant rate, within 1 %', () => {
    const { expected, low, high } = roundTripOf('bod-cra');
    expect(expected).toBeCloseTo(600 + 480 / 512 + 480 / 8000, 6);
    expect(high - low).toBeCloseTo(0.02 * expected, 6);
  });

  test('by volume has half a frame, the grant and a frame of slots more, and is held to 5 % of that', () => {
    const { expected, low, high, isWithin } = roundTripOf('bod-vbdc');
    const ideal = 600 + frameMs / 2 + 954 + frameMs + 480 / 8000;
    // The probes do not fall on all places of a frame alike.
    expect(Math.abs(expected - ideal)).toBeLessThan(1);
    expect(Math.abs(expected - 1600)).toBeLessThan(0.05 * 1600);
    expect(high - low).toBeGreaterThan(0.1 * expected);
    expect(high - low).toBeLessThan(0.1 * expected + frameMs);
    expect(isWithin).toBe(false);
  });
});

test('a link that loses everything is as written when everything is lost', () => {
  const nothing = measured({
    roundTripsMs: [],
    probesSent: { forward: 0, return: 1000 },
    probesLost: { forward: none, return: { lost: 1000, bursts: 1 } },
    rate: { forward: null, return: null },
  });
  expect(wrongOf({ preset: 'geo-1m', forward: { lossRatio: 1 }, return: { lossRatio: 1 } }, nothing)).toEqual([]);
});

describe('a link that loses in bursts', () => {
  const bursty = { preset: 'geo-1m', forward: { lossRatio: 0.05, lossBurstPackets: 5 } };
  const lost = (packets: number, bursts: number, kbps = 950) =>
    measured({
      probesLost: { forward: { lost: packets, bursts }, return: none },
      rate: { forward: { kbps, packets: 120, overMs: 1500 }, return: { kbps: 995, packets: 130, overMs: 1500 } },
    });

  test('is as written when its losses and their bursts are', () => {
    expect(wrongOf(bursty, lost(50, 10))).toEqual([]);
    const figures = judgeLink(resolve(bursty), lost(50, 10));
    expect(figures.find(({ figure }) => figure === 'forward loss burst')).toMatchObject({
      unit: 'packets in a row',
      measured: 5,
      expected: 5,
    });
  });

  test('may lose no packet at all, and then has no burst to judge', () => {
    const rarely = { preset: 'geo-1m', forward: { lossRatio: 0.005, lossBurstPackets: 5 } };
    const figures = judgeLink(resolve(rarely), lost(0, 0, 1000));
    expect(figures.map(({ figure }) => figure)).not.toContain('forward loss burst');
    expect(figures.every(({ isWithin }) => isWithin)).toBe(true);
  });

  test('is found out when it loses as many packets one by one, or too many', () => {
    expect(wrongOf(bursty, lost(50, 48))).toEqual(['forward loss burst']);
    expect(wrongOf(bursty, lost(250, 50))).toEqual(['forward loss']);
  });

  test('may be slower for a moment than one that loses packets one by one', () => {
    expect(wrongOf(bursty, lost(50, 10, 750))).toEqual([]);
    const alone = { preset: 'geo-1m', forward: { lossRatio: 0.05 } };
    expect(wrongOf(alone, lost(50, 48, 750))).toEqual(['forward rate']);
  });
});

test('the probes take less than half of the slowest link, so that none waits for another', () => {
  for (const preset of ['geo-64k', 'geo-1m', 'cable', 'none']) {
    const { probeIntervalMs } = planCheck(resolve(preset), shortEffort);
    const slowest = { 'geo-64k': 64, 'geo-1m': 1000, cable: 1000, none: Infinity }[preset]!;
    expect((60 * 8) / slowest / probeIntervalMs).toBeLessThanOrEqual(0.4);
  }
});

test.for([
  ['geo-1m', '4 s'],
  [{ forward: { rateKbps: 0.1, delayMs: 10 }, return: { rateKbps: 0.1, delayMs: 10 } }, '14 min'],
  [{ forward: { rateKbps: 0.1, delayMs: 10 }, return: { rateKbps: 1000, delayMs: 10 } }, '14 min'],
] as const)('a check of %j says that it takes about %s', ([input, takes]) => {
  expect(describeCheck(resolve(input), 'netem').split('\n')[0]).toMatch(
    new RegExp(`^Measuring the link .+ \\(netem\\), which takes about ${takes}:$`),
  );
});

test('a check prints each figure with what was expected, and its error names those that are wrong alone', () => {
  const profile = resolve({ preset: 'geo-1m' });
  const slow = judgeLink(profile, measured({ roundTripsMs: [700, 700.1, 700.2] }));
  const [wrong, ...others] = slow.map(describeFinding);
  expect(wrong).toMatch(/^WRONG: round trip 700\.\d\d ms, 60\d\.\d\d expected \(\d+\.\d\d to \d+\.\d\d\)$/);
  for (const line of others) expect(line).toMatch(/^ok: /);
  expect(others.length).toBeGreaterThan(1);
  expect(explainMismatch(profile, slow)).toBe(`The link does not match geo-1m: ${wrong}`);
  const silent = judgeLink(profile, measured({ roundTripsMs: [] }));
  expect(explainMismatch(profile, silent)).toContain('WRONG: round trip no packets arrived ms, ');
});
