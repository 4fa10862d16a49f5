import { z } from 'zod';
import { OutcomeKindSchema } from '../../comparison/outcome/run-outcome.ts';
import { TagSchema } from './annotation.ts';
import { RunStateSchema } from './run.ts';
import { SortOrderSchema } from './sort-order.ts';

/** What the list of Runs can be sorted by. */
export const runSorts = [
  'run',
  'evaluation',
  'state',
  'outcome',
  'rounds',
  'visits',
  'failed',
  'duration',
  'started',
] as const;
export const RunSortSchema = z.enum(runSorts, { error: `must be one of ${runSorts.join(', ')}` });
export type RunSort = z.infer<typeof RunSortSchema>;

export const mostSearchCharacters = 200;

/** Which Runs to list, and in which order. What is missing does not limit them. */
export const RunSearchSchema = z.object({
  /** Each is in the name, the note, the tags, a label (`build=1234`) or the outcome, or is the number of the Run. */
  words: z
    .string()
    .max(mostSearchCharacters, `must have at most ${mostSearchCharacters} characters`)
    .regex(/^[^\p{Cc}]*$/u, 'must be a single line')
    .optional(),
  state: RunStateSchema.optional(),
  outcome: OutcomeKindSchema.optional(),
  tag: TagSchema.optional(),
  /** Of one Evaluation, by its id. */
  evaluation: z
    .string()
    .regex(/^[1-9]\d{0,17}$/, 'must be a whole number')
    .optional(),
  sort: RunSortSchema.default('run'),
  order: SortOrderSchema.default('descending'),
});
export type RunSearch = z.infer<typeof RunSearchSchema>;
