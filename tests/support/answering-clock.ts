import { setTimeout as sleep } from 'node:timers/promises';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { ControllerClock, type ClockSurroundings } from '#core/clock/controller-clock.ts';

/** A clock of an Agent; without `request`, its Controller has the same clock and answers at once. */
export function openClock(given: Partial<ClockSurroundings> = {}): ControllerClock {
  const clock: ControllerClock = new ControllerClock({
    epochClock,
    resolutionMs: 0,
    sleep: (durationMs, signal) => sleep(durationMs, undefined, { signal, ref: false }),
    random: Math.random,
    mustRest: () => false,
    request: (agentEpochMs) =>
      queueMicrotask(() =>
        clock.handleReply({ agentEpochMs, receivedEpochMs: epochClock(), repliedEpochMs: epochClock() }),
      ),
    ...given,
  });
  return clock;
}
