import { shareArtefacts } from '#core/evaluation/artefact-givers.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import { listVisits } from '#core/evaluation/pages/list-visits.ts';
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
  const visitsOf = (userAgents: Evaluation['userAgents']) =>
    evaluation.scenarios.flatMap((scenario) =>
      userAgents.flatMap((userAgent) => listVisits(evaluation, userAgent, scenario)),
    );
  const visitsOfBlock = visitsOf(evaluation.userAgents);
  const measured = visitsOfBlock.filter(({ repetition }) => repetition > 0).length;
  const blocks = (rounds + warmUpRounds) / scenarioCount;
  const films = shareArtefacts(evaluation).find(({ artefact }) => artefact === 'filmstrip');
  const filmed = evaluation.userAgents.filter(({ name }) => films?.givers.some((giver) => giver.name === name));
  return {
    urlsByList,
    rounds,
    warmUpRounds,
    visits: measured * blocks,
    filmedVisits: films ? visitsOf(filmed).length * { all: blocks, 'warm-up': 1, none: 0 }[films.rounds] : 0,
    cacheFillingVisits: (visitsOfBlock.length - measured) * blocks,
  };
}
