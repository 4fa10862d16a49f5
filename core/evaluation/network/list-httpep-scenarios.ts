import type { Evaluation } from '../evaluation.ts';

/** The names of the Scenarios that use HTTPEP, in their order. */
export function listHttpepScenarios({ scenarios }: Pick<Evaluation, 'scenarios'>): string[] {
  return scenarios.flatMap(({ name, httpep }) => (httpep ? [name] : []));
}
