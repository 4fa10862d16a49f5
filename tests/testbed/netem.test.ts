import { expect, test } from 'vitest';
import { z } from 'zod';
import { LinkFindingSchema } from '#core/protocol/link-check.ts';
import { hasKernel, runInKernel } from './support/kernel/run-in-kernel.ts';

const CountsSchema = z.object({ deliveredPackets: z.number(), droppedPackets: z.number(), lostPackets: z.number() });
const MeasuredSchema = z.object({
  backend: z.string(),
  checks: z.array(z.object({ findings: z.array(LinkFindingSchema), leastRoundTripMs: z.number() })),
  before: CountsSchema,
  after: CountsSchema,
  switched: z.array(z.object({ backend: z.string(), roundTripMs: z.number() })),
});

const script = `
for module in sch_netem sch_tbf veth bridge af_packet; do modprobe $module; done
node tests/testbed/support/kernel/measure-netem.ts /out/measured.json`;

/**
 * What may be measured of each figure, as factors of what the check allows at least and at most. The kernel here is a process among others: for as long as that
 * has no CPU, packets are late, in bursts, and then some find the queue full; none is early. `bench/link-emulator.ts` tells how exact the link is there.
 */
const slack: Record<string, { low: number; high: number }> = {
  'round trip': { low: 1, high: 2 },
  'forward loss': { low: 1, high: Infinity },
  'forward rate': { low: 0.8, high: 1 },
  'return loss': { low: 1, high: Infinity },
  'return rate': { low: 0.8, high: 1 },
};

test.skipIf(!hasKernel)('a kernel with netem is found, and its link does what the profile says', async () => {
  const files = await runInKernel(script, ['measured.json']);
  const { backend, checks, before, after, switched } = MeasuredSchema.parse(JSON.parse(files['measured.json']!));
  expect(backend).toBe('netem');
  expect(checks).toHaveLength(2);
  for (const { findings, leastRoundTripMs } of checks) {
    expect(findings.map(({ figure }) => figure)).toEqual(['round trip', 'forward loss', 'forward rate', 'return loss', 'return rate']);
    for (const { figure, measured, low, high } of findings) {
      const factors = slack[figure]!;
      expect(measured, figure).toBeGreaterThanOrEqual(low * factors.low);
      if (factors.high < Infinity) expect(measured, figure).toBeLessThanOrEqual(high * factors.high);
    }
    // The probe that was held up least: 622 ms were seen on a machine with nothing else to do.
    expect(leastRoundTripMs).toBeGreaterThan(600);
    expect(leastRoundTripMs).toBeLessThan(660);
  }

  // 60 packets at once, of which one is sent, 20 wait, and a few more may find room while the others are still being put in.
  const passed = after.deliveredPackets - before.deliveredPackets;
  expect(passed).toBeGreaterThanOrEqual(21);
  expect(passed).toBeLessThanOrEqual(24);
  expect(after.droppedPackets - before.droppedPackets).toBe(60 - passed);

  // A rate that varies is not for netem: the link changes over, and back.
  expect(switched).toMatchObject([{ backend: 'userspace' }, { backend: 'netem' }]);
  for (const { roundTripMs } of switched) {
    expect(roundTripMs).toBeGreaterThan(600);
    expect(roundTripMs).toBeLessThan(700);
  }
});
