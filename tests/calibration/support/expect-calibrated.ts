import { beforeAll, describe, expect, it } from 'vitest';
import { calibrate, documentedRuns, type Calibration } from './calibrate.ts';
import { conditions } from './conditions.ts';

/** The conditions in which the mean of few values cannot have the interval it should, and the flag that says so. */
const flagOf: Record<string, 'bimodal' | 'skewed' | 'censored' | 'autocorrelated'> = {
  'heavy tail, Pareto 2.5': 'skewed',
  'censored, 10 % do not end in time': 'censored',
  'autocorrelated, AR(1) 0.3 from Block to Block': 'autocorrelated',
};
const names = conditions.map(({ name }) => name);

/**
 * What the statistics promise, as tests of so many simulations a cell. They are seeded: what holds once holds always.
 * Returns what was simulated, for further tests.
 */
export function expectCalibrated({ runs }: { runs: number }): () => Calibration {
  /** Three standard errors of a part of so many simulations: what they can show. */
  const monteCarlo = (part: number) => 3 * Math.sqrt((part * (1 - part)) / runs);
  /** Of the bounds that the documented number of simulations has to keep as they are. */
  const wider = (part: number) => (runs < documentedRuns ? monteCarlo(part) : 0);

  let calibration: Calibration;
  beforeAll(async () => {
    calibration = await calibrate({ runs });
  });

  describe('with the stop rule on', () => {
    const coverageOf = (name: string) => calibration.coverage.find(({ condition }) => condition === name)!;

    it.each(names)('the interval of the reduction contains the true one in 93 to 97 % of Runs: %s', (name) => {
      const { reductionCovered } = coverageOf(name);
      expect(reductionCovered).toBeGreaterThan(0.93 - wider(0.93));
      expect(reductionCovered).toBeLessThan(0.97 + wider(0.97));
    });

    it.each(names.filter((name) => !flagOf[name]))('so does that of the mean: %s', (name) => {
      const { meanCovered } = coverageOf(name);
      expect(meanCovered).toBeGreaterThan(0.93 - wider(0.93));
      expect(meanCovered).toBeLessThan(0.97 + wider(0.97));
    });

    it.each(Object.entries(flagOf))(
      'where that of the mean cannot, a flag says so in more than 85 %% of Runs: %s, flagged %s',
      (name, flag) => {
        expect(coverageOf(name).byFlag[flag]).toBeGreaterThan(0.85 - wider(0.85));
      },
    );

    it.each(
      names.filter(
        (name) => flagOf[name] !== 'censored' && flagOf[name] !== 'autocorrelated' && !name.startsWith('drift'),
      ),
    )('the exact interval of the median contains it in at least 95 %% of Runs: %s', (name) =>
      expect(coverageOf(name).medianCovered!).toBeGreaterThan(0.95 - monteCarlo(0.05)),
    );

    it.each(names)('Runs without a difference show one in at most 5 %% of Runs: %s', (name) => {
      const { reduction, hodgesLehmann } = calibration.falsePositives.find(({ condition }) => condition === name)!;
      expect(reduction).toBeLessThan(0.05 + monteCarlo(0.05));
      expect(hodgesLehmann).toBeLessThan(0.05 + monteCarlo(0.05));
    });
  });

  describe('with a fixed number of Rounds', () => {
    it('random Blocks cancel the drift that measuring one Scenario after the other takes for a difference', () => {
      expect(calibration.mistakes.randomBlocks).toBeLessThan(0.05 + monteCarlo(0.05));
      expect(calibration.mistakes.sequential).toBeGreaterThan(0.2 - wider(0.2));
    });

    it('Rounds that are added up to 5 times, as long as there is no result, give a false positive in at most 5 % of Runs if declared, else in at most 6 %', () => {
      expect(calibration.addedRounds).toHaveLength(2);
      for (const { declared, undeclared, later, uncorrected } of calibration.addedRounds) {
        expect(declared).toBeLessThan(0.05 + monteCarlo(0.05));
        expect(undeclared).toBeLessThan(0.06 + monteCarlo(0.06));
        expect(later).toBeLessThan(0.01 + monteCarlo(0.01));
        expect(uncorrected).toBeGreaterThan(0.1 - wider(0.1));
      }
    });

    it('users and pages of one Round depend on each other: Rounds as the unit allow for that, Visits do not', () => {
      expect(calibration.dependence.ofRounds).toBeLessThan(0.05 + monteCarlo(0.05));
      expect(calibration.dependence.ofVisits).toBeGreaterThan(0.2 - wider(0.2));
    });

    it('30 URLs that do not differ give a false positive in at most 5 % of Runs, in all', () => {
      expect(calibration.family.corrected).toBeLessThan(0.05 + monteCarlo(0.05));
      expect(calibration.family.uncorrected).toBeGreaterThan(0.5 - wider(0.5));
    });

    it('pages of which none is slower, or none faster, are said to reverse in at most 5 % of Runs, and those that do in nearly all', () => {
      for (const { faster, slower, found } of calibration.reversals) {
        if (faster > 0 && slower > 0) expect(found).toBeGreaterThan(0.95 - wider(0.95));
        else expect(found).toBeLessThan(0.05 + monteCarlo(0.05));
      }
    });

    it('Scenarios that lose objects alike are said to differ in at most 5 % of Runs, however the Visits of a Round depend on each other', () => {
      for (const { found } of calibration.lostObjects) expect(found).toBeLessThan(0.05 + monteCarlo(0.05));
      expect(calibration.lossesFound).toBeGreaterThan(0.8 - wider(0.8));
    });

    it('a change of 10 % is found nearly always in 10 Blocks of 5 % variation, and more often the more Blocks there are', () => {
      const powerOf = (variation: number) =>
        calibration.power.filter((row) => row.variation === variation).map(({ found }) => found);
      expect(powerOf(0.05)[1]).toBeGreaterThan(0.95 - wider(0.95));
      for (const variation of [0.05, 0.1, 0.2])
        expect(powerOf(variation)).toEqual(powerOf(variation).toSorted((a, b) => a - b));
    });

    it('Scenarios at the margin are said to be equivalent in at most 5 % of Runs, and like ones in most with enough Blocks', () => {
      for (const { found } of calibration.equivalence.filter(({ ratio }) => ratio !== 1))
        expect(found).toBeLessThan(0.05 + monteCarlo(0.05));
      expect(calibration.equivalence.find(({ ratio, blocks }) => ratio === 1 && blocks === 20)!.found).toBeGreaterThan(
        0.8 - wider(0.8),
      );
    });

    it('the t interval, which is the headline, covers more often than the bootstrap’s', () => {
      for (const { t, bca } of calibration.bootstrap) expect(t).toBeGreaterThan(bca);
    });
  });

  return () => calibration;
}
