import type { Evaluation } from '../evaluation.ts';
import { listVisits } from '../pages/list-visits.ts';
import { roundLimits } from './repetition.ts';
import { meanRestMs } from '../users/rest.ts';
import type { Scenario } from '../scenarios/scenario.ts';
import type { UserAgent } from '../users/user-agent.ts';
import { rhythmOf } from '../users/user-rhythm.ts';

/**
 * The time that a Run cannot fall short of where its pages load, in ms: what a User Agent begins later, the rest before each Visit, and the quiet that a
 * browser awaits after each, one Visit after the other and one Round after the other. Think times count with their mean, which they come to over a Run. What the
 * pages themselves take, and the start of browsers, is not in it.
 */
export function leastRunMs(
  evaluation: Pick<Evaluation, 'urlLists' | 'userAgents' | 'scenarios' | 'repetition' | 'pageLoad'>,
): number {
  const { userAgents, scenarios, repetition, pageLoad } = evaluation;
  const passMs = (userAgent: UserAgent, scenario: Scenario) => {
    const { rest, startOffsetMs } = rhythmOf(evaluation, userAgent);
    const visits = listVisits(evaluation, userAgent, scenario).length;
    // Nobody thinks before the first Visit.
    const rests = typeof rest === 'number' ? visits : visits - 1;
    // The engine http reads every object to its end, and awaits no quiet.
    const quietMs = userAgent.engine === 'http' ? 0 : Math.min(pageLoad.quietMs, pageLoad.timeoutMs);
    return startOffsetMs + rests * meanRestMs(rest) + visits * quietMs;
  };
  const blockMs = scenarios.reduce(
    (total, scenario) => total + Math.max(...userAgents.map((userAgent) => passMs(userAgent, scenario))),
    0,
  );
  const blocks = roundLimits(repetition).minRounds + (repetition.warmUp ? 1 : 0);
  return Math.min(blocks * blockMs, repetition.adaptive?.timeBudgetMs ?? Infinity);
}
