import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { listVisits } from '#core/evaluation/list-visits.ts';
import { roundLimits } from '#core/evaluation/repetition.ts';
import { expandUrlEntry } from '#core/evaluation/url-list.ts';

export interface PlanCounts {
  /** URLs of each list, by its name. */
  urlsByList: Map<string, number>;
  rounds: number;
  warmUpRounds: number;
  /** Measured Visits of the whole Run, the warm-up Block included, repeated Rounds not. */
  visits: number;
}

/** How much a Run of this Evaluation will measure. */
export function countPlan(evaluation: Evaluation): PlanCounts {
  const urlsByList = new Map(
    Object.entries(evaluation.urlLists).map(([name, entries]) => [name, entries.flatMap(expandUrlEntry).length]),
  );
  const scenarioCount = evaluation.scenarios.length;
  const [scenario] = evaluation.scenarios;
  const warmUpRounds = evaluation.repetition.warmUp ? scenarioCount : 0;
  const rounds = roundLimits(evaluation.repetition).maxRounds * scenarioCount;
  const visitsPerRound = evaluation.userAgents.reduce(
    (total, userAgent) =>
      total + listVisits(evaluation, userAgent, scenario!).filter(({ repetition }) => repetition > 0).length,
    0,
  );
  return {
    urlsByList,
    rounds,
    warmUpRounds,
    visits: visitsPerRound * (rounds + warmUpRounds),
  };
}
