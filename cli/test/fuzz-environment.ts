import type { TestOptions } from './test-options.ts';

/** What the tests of kind `fuzz` read their settings from (tests/fuzz/support/fuzz-settings.ts). */
export function fuzzEnvironment({
  minutes,
  seed,
  saveCorpus,
}: Pick<TestOptions, 'minutes' | 'seed' | 'saveCorpus'>): NodeJS.ProcessEnv {
  return {
    ...(minutes !== undefined && { HTTP_AE_FUZZ_MINUTES: String(minutes) }),
    ...(seed !== undefined && { HTTP_AE_FUZZ_SEED: String(seed) }),
    ...(saveCorpus && { HTTP_AE_FUZZ_SAVE: '1' }),
  };
}
