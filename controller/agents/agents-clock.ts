import { describeClockStep, epochClock, readCoarseLead, type EpochClock } from '#core/clock/epoch-clock.ts';

/**
 * The Controller's clock, which Agents date Visits by. It is that of this process, which never steps, set by the system clock between Runs: after its machine was asleep, that of the
 * process would be hours behind without end.
 */
export class AgentsClock {
  #leadMs = 0;

  readonly now: EpochClock = () => epochClock() + this.#leadMs;

  /** Sets it where the system clock was set, and nobody needs it as it is. True where it was set: what was read of it before does not hold any more. */
  follow(isNeeded: () => boolean, leadMs: number = readCoarseLead()): boolean {
    if (describeClockStep(this.#leadMs, leadMs) === null || isNeeded()) return false;
    this.#leadMs = leadMs;
    return true;
  }
}
