import { expect } from 'vitest';
import type { RunDetail } from '#core/protocol/api/run.ts';

/** That the Run completed, without a problem, and with these counts; where it did not, the failure says why, and of each broken Round what broke it. */
export function expectCompleted(
  run: RunDetail,
  counts: Partial<Pick<RunDetail, 'visits' | 'failedVisits'>> = {},
): void {
  const { state, problem, visits, failedVisits } = run;
  const broken = run.rounds
    .filter((round) => round.problem !== null)
    .map((round) => `${round.scenario}, attempt ${round.attempt}: ${round.problem}`);
  expect({ state, problem, visits, failedVisits }, broken.join('\n')).toEqual({
    state: 'completed',
    problem: null,
    visits,
    failedVisits,
    ...counts,
  });
}
