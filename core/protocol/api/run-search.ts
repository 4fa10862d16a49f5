import { z } from 'zod';
import { OutcomeKindSchema } from '../../comparison/outcome/run-outcome.ts';
import { TagSchema } from './annotation.ts';
import { RunStateSchema } from './run-summary.ts';

const mostWords = 10;

export const SortOrderSchema = z.enum(['ascending', 'descending'], { error: 'must be "ascending" or "descending"' });
export type SortOrder = z.infer<typeof SortOrderSchema>;

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

/** The words that are looked for. */
export function splitWords(text: string): string[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(0, mostWords);
}
