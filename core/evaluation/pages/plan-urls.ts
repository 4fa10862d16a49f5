import type { Evaluation } from '../evaluation.ts';
import { listVisits } from './list-visits.ts';
import { rhythmOf } from '../users/user-rhythm.ts';

/** Finds the address that a User Agent loads after a count of Visits of a Pass; null after the last. User Agents with the same list share its addresses. */
export function planUrls(
  evaluation: Evaluation,
): (pass: { scenario: string; userAgent: string; visitsMade: number }) => string | null {
  const userAgents = new Map(evaluation.userAgents.map((userAgent) => [userAgent.name, userAgent]));
  const scenarios = new Map(evaluation.scenarios.map((scenario) => [scenario.name, scenario]));
  const planned = new Map<string, string[]>();
  return (pass) => {
    const userAgent = userAgents.get(pass.userAgent);
    const scenario = scenarios.get(pass.scenario);
    if (!userAgent || !scenario) return null;
    const key = JSON.stringify([scenario.name, userAgent.urlList, rhythmOf(evaluation, userAgent).visitsPerUrl]);
    const urls = planned.get(key) ?? listVisits(evaluation, userAgent, scenario).map(({ url }) => url);
    planned.set(key, urls);
    return urls[pass.visitsMade] ?? null;
  };
}
