import type { Evaluation } from './evaluation.ts';
import { urlsOf } from './expand-evaluation.ts';
import { roundLimits } from './repetition.ts';

/**
 * The time that a Run cannot fall short of where its pages load, in ms: the rest before each Visit, and the quiet that a browser awaits after each, one
 * Visit after the other and one Round after the other. What the pages themselves take, and the start of browsers, is not in it.
 */
export function leastRunMs(
  evaluation: Pick<Evaluation, 'urlLists' | 'userAgents' | 'scenarios' | 'repetition' | 'pageLoad'>,
): number {
  const { userAgents, scenarios, repetition, pageLoad } = evaluation;
  const { cache, visitsPerUrl, restMs, quietMs, timeoutMs } = pageLoad;
  const loadsPerUrl = visitsPerUrl + (cache === 'warm' ? 1 : 0);
  const passesMs = userAgents.map(({ urlList, engine }) => {
    // The engine http reads every object to its end, and awaits no quiet.
    const visitMs = restMs + (engine === 'http' ? 0 : Math.min(quietMs, timeoutMs));
    return urlsOf(evaluation, urlList).length * loadsPerUrl * visitMs;
  });
  const blocks = roundLimits(repetition).minRounds + (repetition.warmUp ? 1 : 0);
  return Math.min(blocks * scenarios.length * Math.max(...passesMs), repetition.adaptive?.timeBudgetMs ?? Infinity);
}
