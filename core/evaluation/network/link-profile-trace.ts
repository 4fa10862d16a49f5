import { z } from 'zod';
import { durationMs } from '../units.ts';

const StepSchema = z.tuple(
  [
    z.number({ error: 'must be a number of milliseconds' }).min(0, 'must be at least 0 ms'),
    z
      .number({ error: 'must be a number of kilobits per second' })
      .min(0, 'must be at least 0 kbps')
      .max(10_000_000, 'must be at most 10000000 kbps'),
  ],
  { error: 'must be [atMs, kbps], such as [0, 256]' },
);

/** A rate that follows a trace: `steps` is `[[atMs, kbps], …]`, and each rate holds until the next step. 0 kbps is an outage. It begins when the network of a Round is set and checked. */
export const RateTraceSchema = z
  .strictObject({
    steps: z
      .array(StepSchema, { error: 'must be a list of [atMs, kbps]' })
      .min(1, 'must have at least one [atMs, kbps]')
      .max(100_000, 'must have at most 100000 steps')
      .describe(
        '`[[atMs, kbps], …]`: each rate holds until the next step. 0 kb/s is an outage. 0 ms is when the network is set and checked, before the users of the Round start.',
      ),
    repeatAfterMs: durationMs({ min: 1, max: 86_400_000 })
      .optional()
      .describe('When the trace begins again. Without it, the last rate stays.'),
  })
  .superRefine(({ steps, repeatAfterMs }, context) => {
    const refuse = (path: (string | number)[], message: string) => context.addIssue({ code: 'custom', path, message });
    if (steps.length === 0) return; // reported already
    const lastMs = steps.at(-1)![0];
    if (steps[0]![0] !== 0) refuse(['steps', 0, 0], 'must be 0: the first rate holds from the start');
    steps.forEach(([atMs], index) => {
      if (index > 0 && atMs <= steps[index - 1]![0])
        refuse(['steps', index, 0], 'must be later than the step before it');
    });
    if (repeatAfterMs !== undefined && repeatAfterMs <= lastMs)
      refuse(['repeatAfterMs'], `must be more than ${lastMs} ms, where the last step begins`);

    const isAliveAtLast = repeatAfterMs === undefined ? steps.at(-1)![1] > 0 : steps.some(([, kbps]) => kbps > 0);
    if (!isAliveAtLast)
      refuse(
        ['steps'],
        'must not end in an outage: set the last rate above 0, or set repeatAfterMs and a rate above 0',
      );
  });

export type RateTrace = z.infer<typeof RateTraceSchema>;
