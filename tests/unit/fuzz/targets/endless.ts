import fc from 'fast-check';
import { z } from 'zod';
import type { FuzzTarget } from '#tests/fuzz/support/fuzz-target.ts';

type Input = 'quick' | 'busy' | 'endless' | 'greedy';

/** `busy` takes more processor time than an input may, `endless` never ends, and `greedy` takes all memory. */
export const target: FuzzTarget<Input> = {
  schema: z.enum(['quick', 'busy', 'endless', 'greedy']),
  arbitrary: fc.constant('quick'),
  run(input) {
    if (input === 'busy') {
      const start = process.threadCpuUsage();
      // To ask takes time of the system, which counts as well.
      for (let usedUs = 0; usedUs < 0.3e6;) {
        const { user, system } = process.threadCpuUsage(start);
        usedUs = user + system;
      }
    }
    if (input === 'endless') for (;;);
    if (input === 'greedy')
      for (const held: number[][] = []; ;) held.push(new Array<number>(1e6).fill(held.length + 0.5));
    return [];
  },
};
