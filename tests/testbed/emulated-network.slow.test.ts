import { expect, it } from 'vitest';
import { resolveLinkProfile } from '#core/evaluation/network/link-profile-input.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { openEmulatedNetwork } from '#testbed/emulated-network.ts';

function networkOf(delayMs: number, change: Record<string, unknown> = {}) {
  const way = { rateKbps: 'unlimited', delayMs };
  return NetworkSchema.parse({ link: { forward: way, return: { ...way, ...change } } });
}

it('makes all links of a Run by one backend, the one that can vary a rate, when one of them does', async () => {
  await using emulated = await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) });
  const trace = { rateKbps: undefined, rateTrace: { steps: [[0, 500]] } };
  const checks = [
    await emulated.apply({ network: networkOf(100), users: [], runHasVaryingRate: true }),
    await emulated.apply({ network: networkOf(100, trace), users: [] }),
  ];
  expect(checks.map((check) => check?.backend)).toEqual(['userspace', 'userspace']);
});

it('passes the check of a link whose trace has an outage meanwhile', async () => {
  await using emulated = await openEmulatedNetwork({ profile: resolveLinkProfile({ preset: 'none' }) });
  // Longer than all repetitions of a check.
  const steps = [
    [0, 500],
    [1000, 0],
    [60_000, 500],
  ];
  const check = await emulated.apply({
    network: networkOf(100, { rateKbps: undefined, rateTrace: { steps } }),
    users: [],
  });
  expect(check?.findings.filter(({ isWithin }) => !isWithin)).toEqual([]);
});
