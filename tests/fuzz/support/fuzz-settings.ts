import { z } from 'zod';
import { quickSeed, testVariables } from '#cli/test/test-options.ts';

const SettingsSchema = z.object({
  [testVariables.fuzzMinutes]: z.coerce.number().positive().optional(),
  [testVariables.seed]: z.coerce.number().int().default(quickSeed),
  [testVariables.saveCorpus]: z.string().optional(),
  [testVariables.all]: z.string().optional(),
});
const settings = SettingsSchema.parse(process.env);

/** Minutes of search for all targets together; null where only the recorded inputs are run. */
export const fuzzMinutes = settings.HTTP_AE_FUZZ_MINUTES ?? (settings.HTTP_AE_TEST_ALL === undefined ? null : 0.5);
export const fuzzSeed = settings.HTTP_AE_TEST_SEED;
/** Whether the corpora in the tree are to be those that this run ends with. */
export const savesCorpus = settings.HTTP_AE_FUZZ_SAVE !== undefined;
