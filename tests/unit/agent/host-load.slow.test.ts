import { expect, test } from 'vitest';
import { readLoad } from '#agent/host/measure-load.ts';
import { judgeTime } from '#tests/support/judge-time.ts';

test.runIf(process.platform === 'linux')('a reading of the load takes less than a millisecond', (context) => {
  // The fastest of many: another program may have the processor in one.
  const readMany = () =>
    Array.from({ length: 1000 }, () => {
      const beganMs = performance.now();
      readLoad();
      return performance.now() - beganMs;
    });
  return judgeTime(context, {
    measure: () => Promise.resolve(readMany()),
    holds: (tookMs) => expect(Math.min(...tookMs)).toBeLessThan(1),
    // The readings are made in one turn.
    limits: { lateMs: 1000 },
  });
});
