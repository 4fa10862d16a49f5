import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { expect, test } from 'vitest';
import { judgeTime } from '#tests/support/judge-time.ts';
import { fuzzMinutes, fuzzSeed } from '../support/fuzz-settings.ts';
import { detonate } from '../support/detonate.ts';
import { chooseBombs, chooseFewBombs, pack } from '../support/snapshot-bombs.ts';

/** A thousand in ten of those that a longer search for faults tries. */
const kinds = (fuzzMinutes ?? 0) < 1 ? 1000 : 10_000;
const bombLimitMs = 1_800_000;

test(
  'many kinds of Snapshots that grow leave the process that has them read alive, and those beside them are read',
  { timeout: bombLimitMs },
  async () => {
    const { ended, refused, problems } = await detonate(chooseBombs(kinds, fuzzSeed));
    console.log(`${kinds} bombs; seed ${fuzzSeed}: ${refused} were refused, ${ended} ended the process that read them`);
    expect(problems.slice(0, 20)).toEqual([]);
    expect(ended + refused).toBe(kinds);
    expect(ended).toBeGreaterThan(0);
  },
);

test('meanwhile, who asks for its health waits less than 200 ms', { timeout: bombLimitMs }, async (context) => {
  const server = createServer((_request, response) => response.end('ok'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/health`;
  // Made before: that takes longer than to hand them on.
  const packed = new Map(chooseFewBombs(2 ** 23).map((bomb) => [bomb, pack(bomb)]));
  await judgeTime(context, {
    measure: async () => {
      const delay = monitorEventLoopDelay({ resolution: 5 });
      delay.enable();
      let isOver = false;
      const reading = detonate([...packed.keys()], { atATime: 1, packed: (bomb) => packed.get(bomb)! }).finally(
        () => (isOver = true),
      );
      let answers = 0;
      while (!isOver) {
        expect(await (await fetch(url)).text()).toBe('ok');
        answers++;
      }
      delay.disable();
      return { result: await reading, answers, longestMs: delay.max / 1e6 };
    },
    holds: ({ result, answers, longestMs }) => {
      expect(result.problems).toEqual([]);
      expect(answers).toBeGreaterThan(10);
      expect(longestMs).toBeLessThan(200);
    },
  });
  server.close();
});
