import { expect } from 'vitest';
import type { RunDetail } from '#core/protocol/api/run.ts';

/** That the Run completed, without a problem, and with these counts; where it did not, the failure says why, what broke each broken Round, and why Visits failed. */
export function expectCompleted(
  run: RunDetail,
  counts: Partial<Pick<RunDetail, 'visits' | 'failedVisits'>> = {},
): void {
  const { state, problem, visits, failedVisits } = run;
  const broken = run.rounds
    .filter((round) => round.problem !== null)
    .map((round) => `${round.scenario}, attempt ${round.attempt}: ${round.problem}`);
  const failed = run.rounds.flatMap(({ scenario, passes }) =>
    passes.flatMap(({ userAgent, failures }) =>
      Object.entries(failures).map(([code, count]) => `${scenario}, ${userAgent}: ${count} times ${code}`),
    ),
  );
  expect({ state, problem, visits, failedVisits }, [...broken, ...failed].join('\n')).toEqual({
    state: 'completed',
    problem: null,
    visits,
    failedVisits,
    ...counts,
  });
}
