import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Evaluation } from '../evaluation.ts';
import { roundLimits, type AddedRounds } from './repetition.ts';
import { expandUrlEntry, type ExpandedUrl } from '../pages/url-entry.ts';

/** One Scenario within one Block, before it is executed. */
export interface PlannedRound {
  /** Position in the order of execution, from 0. */
  index: number;
  /** 0: as the Evaluation declares. Else it is one of the Rounds that were added the so-manieth time. */
  addition: number;
  /** Which repetition of its Scenario it is; a warm-up Block, where there is one, is Block 0, the others count from 1, those of added Rounds on from the last. */
  block: number;
  scenario: string;
  warmUp: boolean;
}

/**
 * The Rounds of a Run in the order in which they are executed: a pure function of the Evaluation and the seed. Of a Run whose stop rule decides, the most
 * that there can be; it ends between two of their Blocks.
 * `random-blocks` shuffles the Scenarios again within each Block (Fisher–Yates), so that drift of the network or of a host
 * falls on all Scenarios alike; `sequential` measures one Scenario to its end before the next, as the HTTP-AE papers did.
 * Rounds that were added continue the sequence of random orders after the last Block that was begun, with a warm-up of their own.
 */
export function expandEvaluation(
  evaluation: Evaluation,
  seed: number,
  added: readonly Pick<AddedRounds, 'firstBlock' | 'blocks'>[] = [],
): PlannedRound[] {
  const { order, warmUp } = evaluation.repetition;
  const scenarios = evaluation.scenarios.map((scenario) => scenario.name);
  const generator = xoroshiro128plus(seed);

  const shuffled = (names: string[]): string[] => {
    const result = [...names];
    for (let last = result.length - 1; last > 0; last--) {
      const other = uniformInt(generator, 0, last);
      [result[last], result[other]] = [result[other]!, result[last]!];
    }
    return result;
  };

  const starts = [{ firstBlock: 1, blocks: roundLimits(evaluation.repetition).maxRounds }, ...added];
  const sequence = starts.flatMap(({ firstBlock, blocks: most }, addition) => {
    const count = (starts[addition + 1]?.firstBlock ?? firstBlock + most) - firstBlock;
    const blocks = [...(warmUp ? [0] : []), ...Array.from({ length: count }, (_, index) => firstBlock + index)];
    return order === 'random-blocks'
      ? blocks.flatMap((block) => shuffled(scenarios).map((scenario) => ({ addition, block, scenario })))
      : scenarios.flatMap((scenario) => blocks.map((block) => ({ addition, block, scenario })));
  });
  return sequence.map((round, index) => ({ ...round, index, warmUp: round.block === 0 }));
}

/** The URLs that a User Agent visits in one Pass, in order. */
export function urlsOf(evaluation: Pick<Evaluation, 'urlLists'>, urlList: string): ExpandedUrl[] {
  return (evaluation.urlLists[urlList] ?? []).flatMap(expandUrlEntry);
}
