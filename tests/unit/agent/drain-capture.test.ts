import { expect, it } from 'vitest';
import { drainCapture } from '#agent/capture/drain-capture.ts';

it('a capture that is behind is waited for, however often it is asked, as long as it gets on', async () => {
  let looks = 0;
  await drainCapture(() => ({ taken: looks++, kept: 40 }));
  expect(looks).toBeGreaterThan(40);
});

it('what comes after the word to stop is not waited for', async () => {
  let packets = 100;
  await drainCapture(() => ({ taken: (packets += 10) - 20, kept: packets }));
  expect(packets).toBeLessThan(200);
});

it('of an interface that counts packets twice, it ends when nothing comes any more', async () => {
  let looks = 0;
  await drainCapture(() => ({ taken: Math.min(looks++, 50), kept: 100 }));
  expect(looks).toBeGreaterThan(50);
});
