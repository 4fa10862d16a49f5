import { expect, test } from 'vitest';
import { z } from 'zod';
import { LinkFindingSchema } from '#core/protocol/link-check.ts';
import { burstBounds, lossBounds } from '#testbed/check/judge-link.ts';
import { binomialBounds } from '#testbed/check/plan-check.ts';
import { judgeTime } from '../support/judge-time.ts';
import { hasKernel, runInKernel } from './support/kernel/run-in-kernel.ts';

const ChecksSchema = z.array(z.object({ findings: z.array(LinkFindingSchema), leastRoundTripMs: z.number() }));
const CountsSchema = z.object({ deliveredPackets: z.number(), droppedPackets: z.number(), lostPackets: z.number() });
const LossesSchema = z.object({ lost: z.number(), bursts: z.number() });
const MeasuredSchema = z.object({
  backend: z.string(),
  checks: z.object({ slow: ChecksSchema, fast: ChecksSchema }),
  queue: CountsSchema,
  losses: z.object({ forward: CountsSchema, return: CountsSchema }),
  bursts: z.object({
    probesSent: z.object({ forward: z.number(), return: z.number() }),
    probesLost: z.object({ forward: LossesSchema, return: LossesSchema }),
  }),
  switched: z.array(z.object({ backend: z.string(), roundTripMs: z.number() })),
});

const script = `
for module in sch_netem sch_tbf veth bridge af_packet; do modprobe $module; done
node tests/testbed/support/kernel/measure-netem.ts /out/measured.json`;

const figures = ['round trip', 'forward loss', 'forward rate', 'return loss', 'return rate'];

test.skipIf(!hasKernel)(
  'a kernel with netem is found, and its link does what the profile says',
  { timeout: 900_000 },
  async (context) => {
    await judgeTime(context, {
      measure: async () => {
        const files = await runInKernel(script, ['measured.json']);
        const measured = MeasuredSchema.parse(JSON.parse(files['measured.json']!));
        expectCounts(measured);
        return measured;
      },
      holds: ({ checks, switched }) => {
        // The kernel here is a process among others, and while it has no CPU packets are late: so all figures are to be as written in one of a few checks.
        for (const repeated of [checks.slow, checks.fast])
          expect(repeated.at(-1)!.findings).toMatchObject(figures.map((figure) => ({ figure, isWithin: true })));
        for (const { roundTripMs } of switched) expect(roundTripMs).toBeLessThan(700);
      },
    });
  },
);

/** What no load of the machine changes. */
function expectCounts({ backend, checks, queue, losses, bursts, switched }: z.infer<typeof MeasuredSchema>): void {
  expect(backend).toBe('netem');
  // None is ever early.
  for (const { leastRoundTripMs } of [...checks.slow, ...checks.fast]) expect(leastRoundTripMs).toBeGreaterThan(600);

  // 60 packets at once, of which one is sent, 20 wait, and a few more may find room while the others are still being put in.
  expect(queue.deliveredPackets).toBeGreaterThanOrEqual(21);
  expect(queue.deliveredPackets).toBeLessThanOrEqual(24);
  expect(queue.droppedPackets).toBe(60 - queue.deliveredPackets);
  expect(queue.lostPackets).toBe(0);

  for (const { counts, ratio } of [
    { counts: losses.forward, ratio: 0.1 },
    { counts: losses.return, ratio: 0.02 },
  ]) {
    const bounds = binomialBounds({ trials: 2500, ratio, confidence: 1 - 1e-7 });
    expect(counts.droppedPackets).toBe(0);
    expect(counts.deliveredPackets + counts.lostPackets).toBe(2500);
    expect(counts.lostPackets).toBeGreaterThanOrEqual(bounds.low);
    expect(counts.lostPackets).toBeLessThanOrEqual(bounds.high);
  }

  // The kernel draws other losses each time. One correct link in a million is out of all these bounds.
  for (const [side, ratio, burstPackets] of [
    ['forward', 0.1, 5],
    ['return', 0.05, 2],
  ] as const) {
    const own = bursts.probesLost[side];
    const ofAll = lossBounds({ trials: bursts.probesSent[side], ratio, burstPackets, confidence: 1 - 1e-7 });
    const ofBursts = burstBounds({ bursts: own.bursts, burstPackets, confidence: 1 - 1e-7 });
    expect(own.bursts).toBeGreaterThan(10);
    expect(own.lost).toBeGreaterThanOrEqual(Math.max(ofAll.low, ofBursts.low));
    expect(own.lost).toBeLessThanOrEqual(Math.min(ofAll.high, ofBursts.high));
  }

  // A rate that varies is not for netem: the link changes over, and back.
  expect(switched).toMatchObject([{ backend: 'userspace' }, { backend: 'netem' }]);
  for (const { roundTripMs } of switched) expect(roundTripMs).toBeGreaterThan(600);
}
