import { expect, test } from 'vitest';
import { z } from 'zod';
import { LinkFindingSchema } from '#core/protocol/link-check.ts';
import { runInKernel } from './support/kernel/run-in-kernel.ts';

const CountsSchema = z.object({ deliveredPackets: z.number(), droppedPackets: z.number(), lostPackets: z.number() });
const MeasuredSchema = z.object({
  backend: z.string(),
  checks: z.array(z.object({ isAsWritten: z.boolean(), findings: z.array(LinkFindingSchema) })),
  before: CountsSchema,
  after: CountsSchema,
});

const script = `
for module in sch_netem sch_tbf veth bridge af_packet; do modprobe $module; done
node tests/testbed/support/kernel/measure-netem.ts /out/measured.json`;

// The figures and bounds are those of the userspace backend: a profile means the same to both. The kernel here is a process among others.
test('a kernel with netem is found, and its link does what the profile says', async () => {
  const files = await runInKernel(script, ['measured.json']);
  const { backend, checks, before, after } = MeasuredSchema.parse(JSON.parse(files['measured.json']!));
  expect(backend).toBe('netem');
  expect(checks).toHaveLength(2);
  for (const { findings } of checks) expect(findings.filter(({ isWithin }) => !isWithin)).toEqual([]);

  // 60 packets at once, of which one is sent, 20 wait, and one or two more find room while the others are still being put in.
  const passed = after.deliveredPackets - before.deliveredPackets;
  expect(passed).toBeGreaterThanOrEqual(21);
  expect(passed).toBeLessThanOrEqual(24);
  expect(after.droppedPackets - before.droppedPackets).toBe(60 - passed);
});
