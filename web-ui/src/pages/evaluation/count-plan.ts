import { shareArtefacts } from '#core/evaluation/artefact-givers.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { visitCounter } from '#core/evaluation/pages/list-visits.ts';
import { roundLimits } from '#core/evaluation/rounds/repetition.ts';
import { expandUrlEntry } from '#core/evaluation/pages/url-entry.ts';

export interface PlanCounts {
  /** URLs of each list, by its name. */
  urlsByList: Map<string, number>;
  rounds: number;
  warmUpRounds: number;
  /** Measured Visits of the whole Run, the warm-up Block included, repeated Rounds not. */
  visits: number;
  /** Unmeasured Visits that fill the caches of warm Scenarios, in all Rounds. */
  cacheFillingVisits: number;
  /** Those of both kinds that are filmed. */
  filmedVisits: number;
}

/** How much a Run of this Evaluation will measure. */
export function countPlan(evaluation: Evaluation): PlanCounts {
  const urlsByList = new Map(
    Object.entries(evaluation.urlLists).map(([name, entries]) => [name, entries.flatMap(expandUrlEntry).length]),
  );
  const scenarioCount = evaluation.scenarios.length;
  const warmUpRounds = evaluation.repetition.warmUp ? scenarioCount : 0;
  const rounds = roundLimits(evaluation.repetition).maxRounds * scenarioCount;
  const countOf = visitCounter(evaluation);
  const countBlock = (userAgents: Evaluation['userAgents']) => {
    const count = { measured: 0, cacheFilling: 0 };
    for (const scenario of evaluation.scenarios)
      for (const userAgent of userAgents) {
        const { measured, cacheFilling } = countOf(userAgent, scenario);
        count.measured += measured;
        count.cacheFilling += cacheFilling;
      }
    return count;
  };
  const { measured, cacheFilling } = countBlock(evaluation.userAgents);
  const blocks = (rounds + warmUpRounds) / scenarioCount;
  const films = shareArtefacts(evaluation).find(({ artefact }) => artefact === 'filmstrip');
  const filmed = countBlock(
    evaluation.userAgents.filter(({ name }) => films?.givers.some((giver) => giver.name === name)),
  );
  return {
    urlsByList,
    rounds,
    warmUpRounds,
    visits: measured * blocks,
    filmedVisits: films
      ? (filmed.measured + filmed.cacheFilling) * { all: blocks, 'warm-up': 1, none: 0 }[films.rounds]
      : 0,
    cacheFillingVisits: cacheFilling * blocks,
  };
}
