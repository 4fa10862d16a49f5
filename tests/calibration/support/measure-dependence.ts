import type { CountedVisit } from '#core/comparison/cells/counted-visit.ts';
import { gatherCells } from '#core/comparison/cells/gather-cells.ts';
import { computeReduction, logRatiosByBlock, pairPages } from '#core/comparison/latencies/compute-reduction.ts';
import { tTest } from '#core/statistics/mean-interval.ts';
import { RandomSource } from './random-source.ts';
import { confidence } from './simulate-run.ts';

const [blocks, users, urls] = [8, 3, 4];
const variation = { ofRound: 0.1, ofVisit: 0.15 };

/**
 * How often Runs without a difference show one, when three users load four pages each and share what varies from Round to Round: through the code of the report, whose unit is the Round, and
 * by a t test over all pairs of Visits, as if they were independent.
 */
export function measureDependence({ runs, seed }: { runs: number; seed: number }): {
  ofRounds: number;
  ofVisits: number;
} {
  const random = new RandomSource(seed);
  let [ofRounds, ofVisits] = [0, 0];
  for (let run = 0; run < runs; run++) {
    const { cells } = gatherCells(drawVisits(random), ({ value }) => value);
    const pairs = pairPages(
      cells.filter(({ scenario }) => scenario === 'scenario'),
      cells.filter(({ scenario }) => scenario === 'baseline'),
    );
    ofRounds += Number(computeReduction(logRatiosByBlock(pairs), confidence)!.p! <= 1 - confidence);
    const everyVisit = pairs.flatMap(({ scenario, baseline }) =>
      Array.from(scenario.values, (value, index) => Math.log(value / baseline.values[index]!)),
    );
    ofVisits += Number(tTest(everyVisit)! <= 1 - confidence);
  }
  return { ofRounds: ofRounds / runs, ofVisits: ofVisits / runs };
}

function drawVisits(random: RandomSource): (CountedVisit & { value: number })[] {
  const visits: (CountedVisit & { value: number })[] = [];
  for (let block = 1; block <= blocks; block++) {
    for (const scenario of ['baseline', 'scenario']) {
      const ofRound = variation.ofRound * random.normal();
      for (let page = 0; page < users * urls; page++) {
        const value = 1000 * (1 + (page % urls)) * Math.exp(ofRound + variation.ofVisit * random.normal());
        visits.push({
          block,
          scenario,
          userAgent: `user ${Math.floor(page / urls)}`,
          url: `http://origin.test/${page % urls}`,
          isFailed: false,
          isTimedOut: false,
          isExcluded: false,
          value,
        });
      }
    }
  }
  return visits;
}
