import type { Problem } from '#core/protocol/api/problem.ts';

/** A request that failed: the Controller's own Problem, or one that says why there is no answer. */
export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem.message, options);
    this.name = 'ProblemError';
    this.problem = problem;
  }
}

/** The Problem to show for any error: a Problem as it is, a bug by its message. */
export function problemOf(error: unknown): Problem {
  if (error instanceof ProblemError) return error.problem;
  return { code: 'internal', message: error instanceof Error ? error.message : String(error), issues: [] };
}
