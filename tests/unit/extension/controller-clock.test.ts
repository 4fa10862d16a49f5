import { expect, test } from 'vitest';
import { ControllerClock } from '#extension/background/link/controller-clock.ts';
import { epochClock } from '#extension/background/epoch-clock.ts';

/** The clock of an extension whose Controller answers at once. */
function openClock(): ControllerClock {
  const clock: ControllerClock = new ControllerClock((agentEpochMs) => {
    queueMicrotask(() => clock.handleReply({ agentEpochMs, receivedEpochMs: epochClock(), repliedEpochMs: epochClock() }));
  });
  return clock;
}

test('a reading that is asked for while there is no line is made when there is one, however often it could not be made', async () => {
  const clock = openClock();
  const reading = clock.read();
  clock.handleDown();
  clock.handleDown();
  clock.handleUp();
  expect((await reading).errorMs).toBeGreaterThanOrEqual(0);

  clock.handleDown();
  const again = clock.read();
  clock.handleDown();
  clock.handleUp();
  expect((await again).errorMs).toBeGreaterThanOrEqual(0);
});

test('a reading fails when the line breaks, and the next one waits for the line', async () => {
  let isAsked = Promise.withResolvers<number>();
  const clock = new ControllerClock((agentEpochMs) => isAsked.resolve(agentEpochMs));
  clock.handleUp();
  const reading = clock.read();
  await isAsked.promise;
  clock.handleDown();
  await expect(reading).rejects.toThrow('The line to the Controller broke while its clock was read');

  isAsked = Promise.withResolvers();
  void clock.read();
  clock.handleUp();
  await isAsked.promise;
});
