import type { Evaluation } from './evaluation.ts';
import { listVisits } from './list-visits.ts';

/** The address that a User Agent loads after this count of Visits of a Pass; null after the last. */
export function urlAfter(
  evaluation: Evaluation,
  pass: { scenario: string; userAgent: string; visitsMade: number },
): string | null {
  const userAgent = evaluation.userAgents.find(({ name }) => name === pass.userAgent);
  const scenario = evaluation.scenarios.find(({ name }) => name === pass.scenario);
  if (!userAgent || !scenario) return null;
  return listVisits(evaluation, userAgent, scenario)[pass.visitsMade]?.url ?? null;
}
