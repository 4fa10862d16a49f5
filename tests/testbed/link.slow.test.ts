import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { LinkProfileInputSchema, resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { largestFrameBytes, type LinkProfile } from '#core/evaluation/network/link-profile.ts';
import { quantileOrNull } from '#core/statistics/sample-quantile.ts';
import { idealRoundTripMs } from '#testbed/check/judge-link.ts';
import { openLinkChecker, startProbe, type LinkChecker } from '#testbed/check/link-checker.ts';
import { drainMs, binomialBounds } from '#testbed/check/plan-check.ts';
import { openUserspaceLink, type UserspaceLink } from '#testbed/link/userspace/userspace-backend.ts';
import { openTestbedNetwork, type TestbedNetwork } from '#testbed/namespaces/testbed-network.ts';
import { judgeTime } from '../support/judge-time.ts';

const seed = 20_261_120;
const satellite = (kbps: number, change: Record<string, unknown> = {}): LinkProfile => {
  const direction = { rateKbps: kbps, delayMs: 300, ...change };
  return resolveLinkProfile(LinkProfileInputSchema.parse({ forward: direction, return: direction }), `${kbps} kb/s`);
};

const stack = new AsyncDisposableStack();
let network: TestbedNetwork;
let link: UserspaceLink;

beforeAll(async () => {
  network = stack.use(await openTestbedNetwork());
  link = stack.use(await openUserspaceLink({ network, profile: satellite(1000), seed }));
});
afterAll(() => stack.disposeAsync());

async function withChecker<Result>(use: (checker: LinkChecker) => Promise<Result>): Promise<Result> {
  await using checker = await openLinkChecker(network);
  return await use(checker);
}

// The bench loads the link for 20 s at each rate; here 3 s do, as the error is that of two time stamps, however far apart.
test.for([64, 1000, 20_000])(
  'at %i kb/s and 600 ms, the idle round trip is within 1 ms or 1 %, the rate within 1 %',
  async (kbps, context) => {
    const profile = satellite(kbps);
    await link.apply(profile);
    await judgeTime(context, {
      measure: () => withChecker((checker) => checker.run(profile, { probeForMs: 1_500, loadForMs: 3_000 })),
      holds: ({ findings, measurement }) => {
        expect(findings.filter(({ isWithin }) => !isWithin)).toEqual([]);
        const idealMs = idealRoundTripMs(profile)!;
        const medianMs = quantileOrNull(measurement.roundTripsMs, 0.5)!;
        expect(Math.abs(medianMs - idealMs)).toBeLessThan(Math.max(1, idealMs / 100));
        for (const rate of [measurement.rate.forward, measurement.rate.return]) {
          expect(rate!.overMs).toBeGreaterThan(2_500);
          expect(Math.abs(rate!.kbps / kbps - 1)).toBeLessThan(0.01);
        }
      },
    });
  },
);

test('a check that a passing disturbance spoiled is repeated', async (context) => {
  const profile = satellite(1000, { delayMs: 20 });
  await judgeTime(context, {
    measure: async () => {
      await link.apply(satellite(1000, { delayMs: 60 }));
      const checked = withChecker((checker) => checker.runUntilAsWritten(profile));
      await pause(2_500);
      await link.apply(profile);
      return await checked;
    },
    holds: ({ findings }) => expect(findings.filter(({ isWithin }) => !isWithin)).toEqual([]),
  });
});

test('a link that stays wrong fails three checks', async (context) => {
  const profile = satellite(1000, { delayMs: 20 });
  await link.apply(satellite(1000, { delayMs: 60 }));
  await judgeTime(context, {
    measure: async () => {
      const checks = await withChecker(async (checker) => ({
        once: await checker.run(profile),
        ...(await checker.runUntilAsWritten(profile)),
      }));
      expect(checks.isAsWritten).toBe(false);
      return checks;
    },
    holds: ({ tookMs, once }) => expect(tookMs).toBeGreaterThan(2 * once.tookMs),
  });
});

// By chance a link that is right is outside of these four bounds in fewer than one of a million runs.
test('of 2500 packets as many are lost as their binomial interval allows', async () => {
  const profile = satellite(1000, { lossRatio: 0.03 });
  await link.apply(profile);
  const { measurement } = await withChecker((checker) => checker.run(profile, { probeForMs: 5_000, loadForMs: 100 }));
  expect(measurement.probesSent.return).toBe(2_500);
  for (const side of ['forward', 'return'] as const) {
    const { low, high } = binomialBounds({ trials: measurement.probesSent[side], ratio: 0.03, confidence: 1 - 1e-7 });
    expect(measurement.probesLost[side].lost).toBeGreaterThanOrEqual(low);
    expect(measurement.probesLost[side].lost).toBeLessThanOrEqual(high);
  }
});

test.for([64, 1000, 20_000])(
  'at %i kb/s the queue fills to what it may hold, and what does not fit is dropped',
  async (kbps) => {
    const profile = satellite(kbps, { delayMs: 20, queueBytes: 20_000 });
    await link.apply(profile);
    const before = await link.statistics();
    // All at once, and for the fast link so much that the queue fills even if the sender must wait for a CPU meanwhile.
    const totalBytes = Math.max(90_000, (kbps / 8) * 250);
    const load = { kbps: 1e9, burstBytes: totalBytes, totalBytes };
    {
      await using sender = await startProbe(network, 'ground');
      await sender.ask({ kind: 'load', to: network.remote.address, ...load }, 5_000);
      await using receiver = await startProbe(network, 'remote');
      await receiver.ask(
        { kind: 'probe', to: network.ground.address, count: 1, intervalMs: 1, waitMs: drainMs(profile.forward, load) },
        20_000,
      );
    }
    const { forward } = await link.statistics();
    const passed = forward.deliveredPackets - before.forward.deliveredPackets;
    expect(forward.longestQueueBytes).toBeLessThanOrEqual(20_000);
    expect(forward.longestQueueBytes).toBeGreaterThan(20_000 - largestFrameBytes);
    expect(forward.droppedPackets - before.forward.droppedPackets).toBeGreaterThan(0);
    expect(passed).toBeGreaterThanOrEqual(14); // one that is sent, and 13 that wait
  },
);

test('another profile takes effect at once, without a new link', async (context) => {
  await withChecker(async (checker) => {
    for (const delayMs of [5, 100, 20]) {
      const profile = satellite(5000, { delayMs });
      await link.apply(profile);
      await judgeTime(context, {
        measure: () => checker.run(profile, { probeForMs: 300, loadForMs: 100 }),
        holds: ({ measurement }) => {
          expect(quantileOrNull(measurement.roundTripsMs, 0.5)).toBeGreaterThan(2 * delayMs);
          expect(quantileOrNull(measurement.roundTripsMs, 0.5)).toBeLessThan(2 * delayMs + 25);
        },
      });
    }
  });
});

test('a link that is not what the profile says is found out', async () => {
  await link.apply(satellite(1000, { lossRatio: 0.2 }));
  const { isAsWritten, findings } = await withChecker((checker) =>
    checker.run(satellite(2000, { delayMs: 250 }), { probeForMs: 500, loadForMs: 800 }),
  );
  expect(isAsWritten).toBe(false);
  expect(findings.filter(({ isWithin }) => !isWithin).map(({ figure }) => figure)).toEqual([
    'round trip',
    'forward loss',
    'forward rate',
    'return loss',
    'return rate',
  ]);
});

test('a capacity that is granted on demand delays the first packet by the grant, and carries what it grants', async (context) => {
  const rateOnDemand = { volumeBasedMaxKbps: 500, frameMs: 10, grantDelayMs: 60 };
  const profile = resolveLinkProfile(
    LinkProfileInputSchema.parse({ forward: { rateKbps: 5000, delayMs: 30 }, return: { rateOnDemand, delayMs: 30 } }),
  );
  await link.apply(profile);
  await judgeTime(context, {
    measure: () => withChecker((checker) => checker.run(profile, { probeForMs: 1_000, loadForMs: 3_000 })),
    holds: ({ measurement }) => {
      expect(Math.min(...measurement.roundTripsMs)).toBeGreaterThan(60 + 60);
      expect(Math.abs(measurement.rate.return!.kbps / 500 - 1)).toBeLessThan(0.03);
    },
  });
});
