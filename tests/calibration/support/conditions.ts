import type { RandomSource } from './random-source.ts';

/** How latencies vary around their mean. */
export interface Condition {
  name: string;
  /** A process over the Rounds of a Run, in the order of execution: each call gives the next factor; NaN where the Visit did not end in time. */
  open: (random: RandomSource, rounds: number) => () => number;
  /** What its mean is over the first `made` Rounds of `longest`, those included that did not end in time. */
  meanOf: (made: number, longest: number) => number;
  /** And its median; NaN where it changes during the Run. */
  median: number;
}

const one = () => 1;
const lognormal = (sigma: number) => (random: RandomSource) => () => Math.exp(sigma * random.normal() - sigma ** 2 / 2);

const share = 0.3;
const slow = 1.6;
const quick = (1 - share * slow) / (1 - share);

const paretoShape = 2.5;
const paretoScale = (paretoShape - 1) / paretoShape;

const censoredSigma = 0.5;
/** The 90 % quantile of the lognormal distribution. */
const limit = Math.exp(censoredSigma * 1.2815515655446004 - censoredSigma ** 2 / 2);

const driftSigma = 0.1;
const drift = 0.1;

const ownCorrelation = 0.3;
const arSigma = 0.2;

/** Over the two Scenarios of a Run, each in random order within its Block. */
export const conditions: Condition[] = [
  { name: 'lognormal, CV 0.2', open: lognormal(0.2), meanOf: one, median: Math.exp(-(0.2 ** 2) / 2) },
  { name: 'lognormal, CV 0.6', open: lognormal(0.55), meanOf: one, median: Math.exp(-(0.55 ** 2) / 2) },
  {
    name: 'bimodal, 30 % take twice as long',
    open: (random) => () =>
      (random.uniform() < share ? slow : quick) * Math.exp(0.05 * random.normal() - 0.05 ** 2 / 2),
    meanOf: one,
    // Of the quick ones, the (0.5 / 0.7)-quantile.
    median: quick * Math.exp(0.05 * 0.5659488219328631 - 0.05 ** 2 / 2),
  },
  {
    name: 'heavy tail, Pareto 2.5',
    open: (random) => () => paretoScale * random.uniform() ** (-1 / paretoShape),
    meanOf: one,
    median: paretoScale * 2 ** (1 / paretoShape),
  },
  {
    name: 'censored, 10 % do not end in time',
    open: (random) => {
      const next = lognormal(censoredSigma)(random);
      return () => {
        const value = next();
        return value > limit ? NaN : value;
      };
    },
    meanOf: one,
    median: Math.exp(-(censoredSigma ** 2) / 2),
  },
  {
    name: 'drift, 10 % over the longest Run',
    open: (random, rounds) => {
      const next = lognormal(driftSigma)(random);
      let round = 0;
      return () => next() * (1 + drift * (round++ / rounds));
    },
    meanOf: (made, longest) => 1 + (drift * (made - 1)) / 2 / longest,
    median: NaN,
  },
  {
    name: 'autocorrelated, AR(1) 0.3 from Block to Block',
    open: (random) => {
      // The process runs over all Rounds, two in a Block.
      const correlation = Math.sqrt(ownCorrelation);
      let state = random.normal();
      return () => {
        state = correlation * state + Math.sqrt(1 - correlation ** 2) * random.normal();
        return Math.exp(arSigma * state - arSigma ** 2 / 2);
      };
    },
    meanOf: one,
    median: Math.exp(-(arSigma ** 2) / 2),
  },
];
