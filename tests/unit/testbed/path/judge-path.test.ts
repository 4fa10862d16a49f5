import { expect, test } from 'vitest';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import type { LinkMeasurement } from '#testbed/check/judge-link.ts';
import { judgePath, composePath } from '#testbed/path/path-checker.ts';

const profile = (forward: Record<string, unknown>, back: Record<string, unknown> = { rateKbps: 1000, delayMs: 0 }) =>
  resolveLinkProfile(LinkProfileInputSchema.parse({ forward, return: back }));

const measurement: LinkMeasurement = {
  roundTripsMs: [341.5],
  probesSent: { forward: 1000, return: 1000 },
  probesLost: { forward: { lost: 28, bursts: 28 }, return: { lost: 0, bursts: 0 } },
  rate: { forward: { kbps: 480, packets: 60, overMs: 1500 }, return: null },
};

const terrestrial = profile({ rateKbps: 4000, delayMs: 20, lossRatio: 0.01 });
const satellite = profile({ rateKbps: 500, delayMs: 300, jitterMs: 2 });
const access = profile({ rateKbps: 960, delayMs: 15, lossRatio: 0.02 });

test('a path has the delays of all segments, the lowest rate, and the losses of independent segments', () => {
  const { forward } = composePath([terrestrial, satellite, access]);
  expect(forward).toMatchObject({ rate: { kind: 'constant', kbps: 500 }, jitterMs: 2, lossBurstPackets: null });
  expect(forward.lossRatio).toBeCloseTo(1 - 0.99 * 0.98, 12);
  // A probe of 60 bytes also takes 0.12 ms at 4 Mb/s and 0.5 ms at 960 kb/s.
  expect(forward.delayMs).toBeCloseTo(335 + 0.12 + 0.5, 12);
});

test('the queue of a path is that of its lowest rate, and jitter adds up', () => {
  const shaky = profile({ rateKbps: 4000, delayMs: 20, jitterMs: 3, queueBytes: 9000 });
  const narrow = profile({ rateKbps: 500, delayMs: 300, jitterMs: 2, queueBytes: 70_000 });
  for (const path of [
    [shaky, narrow],
    [narrow, shaky],
  ])
    expect(composePath(path).forward).toMatchObject({ queueBytes: 70_000, jitterMs: 5 });
});

const figuresOf = (profiles: Parameters<typeof judgePath>[0]) =>
  judgePath(profiles, measurement).map(({ figure }) => figure);

test('the lowest rate loses what is lost behind it, and is not judged where packets are lost before it', () => {
  const after = judgePath([satellite, access], measurement).find(({ figure }) => figure === 'forward rate');
  expect(after?.expected).toBeCloseTo(490, 9);
  expect(figuresOf([terrestrial, satellite, access])).toEqual([
    'round trip',
    'forward loss',
    'return loss',
    'return rate',
  ]);
});

test('where a rate varies, neither the rate of its direction nor the round trip is judged', () => {
  const varying = profile({ rateTrace: { steps: [[0, 100]] }, delayMs: 5 });
  expect(figuresOf([varying, satellite])).toEqual(['forward loss', 'return loss', 'return rate']);
});

test('where probes wait for the trace of a segment, no losses are judged', () => {
  const outage = profile({
    rateTrace: {
      steps: [
        [0, 5000],
        [1000, 0],
        [2000, 5000],
      ],
    },
    delayMs: 5,
  });
  expect(figuresOf([outage, satellite])).toEqual(['return rate']);
});

test('bursts of one segment widen the bounds of all losses, and their length is left to its own check', () => {
  const bursty = profile({ rateKbps: 4000, delayMs: 20, lossRatio: 0.01, lossBurstPackets: 5 });
  const lossOf = (first: typeof bursty) =>
    judgePath([satellite, first], measurement).find(({ figure }) => figure === 'forward loss')!;
  expect(lossOf(bursty).high).toBeGreaterThan(lossOf(terrestrial).high * 1.5);
  expect(figuresOf([satellite, bursty])).not.toContain('forward loss burst');
});
