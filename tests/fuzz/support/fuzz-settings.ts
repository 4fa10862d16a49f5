import { z } from 'zod';

const SettingsSchema = z.object({
  HTTP_AE_FUZZ_MINUTES: z.coerce.number().positive().default(0.5),
  HTTP_AE_FUZZ_SEED: z.coerce.number().int().optional(),
  HTTP_AE_FUZZ_SAVE: z.string().optional(),
});
const settings = SettingsSchema.parse(process.env);

/** For all targets together. */
export const fuzzMinutes = settings.HTTP_AE_FUZZ_MINUTES;
/** Another one each time, unless given: each run looks elsewhere. */
export const fuzzSeed = settings.HTTP_AE_FUZZ_SEED ?? Date.now() % 2 ** 31;
/** Whether the corpora in the tree are to be those that this run ends with. */
export const savesCorpus = settings.HTTP_AE_FUZZ_SAVE !== undefined;
