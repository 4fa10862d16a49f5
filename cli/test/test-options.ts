import { randomInt } from 'node:crypto';

/** What the processes of the tests read from their environment. */
export const testVariables = {
  /** Set when slow files run too. */
  all: 'HTTP_AE_TEST_ALL',
  /** The seed of every random input. */
  seed: 'HTTP_AE_TEST_SEED',
  fuzzMinutes: 'HTTP_AE_FUZZ_MINUTES',
  saveCorpus: 'HTTP_AE_FUZZ_SAVE',
  /** Set when what was built before the tests stays as it is. */
  built: 'HTTP_AE_TEST_BUILT',
} as const;

/** The seed of the quick tests: they see the same inputs in each run. */
export const quickSeed = 20_110_704;

/** The options of `./http-ae test`. */
export interface TestOptions {
  all?: true;
  json?: true;
  minutes?: number;
  seed?: number | 'random';
  saveCorpus?: true;
  watch?: true;
  verbose?: true;
}

/** The seed of a run: the one that is given, else a fixed one for quick tests and a random one for all. */
export function chooseSeed({ all, seed }: Pick<TestOptions, 'all' | 'seed'>): number {
  if (typeof seed === 'number') return seed;
  return all || seed === 'random' ? randomInt(2 ** 31) : quickSeed;
}

/** What the options say to the processes of the tests. */
export function describeToTests(options: TestOptions, seed: number): NodeJS.ProcessEnv {
  const { all, minutes, saveCorpus, watch } = options;
  return {
    ...(!watch && { [testVariables.built]: '1' }),
    ...(all && { [testVariables.all]: '1' }),
    [testVariables.seed]: String(seed),
    ...(minutes !== undefined && { [testVariables.fuzzMinutes]: String(minutes) }),
    ...(saveCorpus && { [testVariables.saveCorpus]: '1' }),
  };
}
