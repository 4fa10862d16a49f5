import type { TestContext } from 'vitest';
import { describeDisturbance, isQuiet, quietLimits, watchDisturbance, type Disturbance } from './disturbance.ts';

export const attemptLimit = 3;

/** For bounds that leave room for half a second: what a browser and another test beside it do is no disturbance. */
export const roomyLimits: Partial<Disturbance> = { lateMs: 250, waitingShare: 0.9 };

export type Verdict = 'holds' | 'broken' | 'repeat' | 'inconclusive';

/** What follows from the attempt with this number, the first being 1: only a quiet one says anything about the bound. */
export function decide(
  attempt: { number: number; disturbance: Disturbance; isBroken: boolean },
  limits?: Disturbance,
): Verdict {
  if (isQuiet(attempt.disturbance, limits)) return attempt.isBroken ? 'broken' : 'holds';
  return attempt.number < attemptLimit ? 'repeat' : 'inconclusive';
}

export interface TimedJudgement<Measured> {
  /** What is judged, measured once. What it throws fails the test, on any machine. `begin`: what disturbed the machine until now says nothing. */
  measure: (begin: () => void) => Promise<Measured>;
  /** Throws where a bound in time is broken. What does not depend on time is asserted in `measure`. */
  holds: (measured: Measured) => void;
  /** What still counts as quiet; what is left out is as usual. */
  limits?: Partial<Disturbance>;
  /** Begins to watch the machine; a test of this function says itself what was seen. */
  watch?: () => () => Disturbance;
}

/**
 * Judges time, of a quiet machine only. A disturbed measurement is made again, and says nothing: neither that the bound
 * holds nor that it is broken. Where none was quiet the test is skipped as inconclusive, with the load.
 */
export async function judgeTime<Measured>(
  context: Pick<TestContext, 'skip'>,
  { measure, holds, limits = {}, watch = watchDisturbance }: TimedJudgement<Measured>,
): Promise<void> {
  const seen: string[] = [];
  for (let number = 1; ; number++) {
    let end = watch();
    let disturbance: Disturbance;
    let measured: Measured;
    try {
      measured = await measure(() => {
        end();
        end = watch();
      });
    } finally {
      disturbance = end();
    }
    const breach = findBreach(() => holds(measured));
    const verdict = decide({ number, disturbance, isBroken: breach !== null }, { ...quietLimits, ...limits });
    seen.push(describeDisturbance(disturbance));
    if (verdict === 'holds') return;
    if (verdict === 'broken') throw breach!.error;
    if (verdict === 'repeat')
      console.info(`Measured again: ${seen.at(-1)}${breach ? `; ${String(breach.error)}` : ''}`);
    if (verdict === 'inconclusive') context.skip(`inconclusive: load in ${number} attempts: ${seen.join('; ')}`);
  }
}

function findBreach(judge: () => void): { error: unknown } | null {
  try {
    judge();
    return null;
  } catch (error) {
    return { error };
  }
}
