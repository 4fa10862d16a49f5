import { z } from 'zod';
import { CellSchema } from '../../comparison/comparison.ts';
import { latencyIds } from '../../metrics/index.ts';
import { SortOrderSchema } from './run-search.ts';

/** Whose cells a Comparison has: `pooled` leaves out those of single User Agents. */
export const ComparedCellsSchema = z.enum(['all', 'pooled'], { error: 'must be "all" or "pooled"' });
export type ComparedCells = z.infer<typeof ComparedCellsSchema>;

/** Which cells of a User Agent are looked for, and in which order of their URLs. */
export const UserCellSearchSchema = z.object({
  userAgent: z.string().min(1).max(200),
  metric: z.enum(latencyIds, { error: `must be one of ${latencyIds.join(', ')}` }),
  /** The Scenario whose mean sorts the URLs; they come in the order of the Evaluation unless it is given. */
  sort: z.string().min(1).max(200).optional(),
  order: SortOrderSchema.default('ascending'),
  /** How many URLs to leave out: those of the pages before. */
  after: z.coerce.number({ error: 'must be the "next" of an earlier response' }).int().min(0).max(1_000_000).default(0),
  /** Of this URL alone. */
  url: z.string().max(10_000).optional(),
});
export type UserCellSearch = z.infer<typeof UserCellSearchSchema>;

/** Some cells of a User Agent, all of each URL, and where the next URL begins; null after the last. */
export const UserCellPageSchema = z.object({
  cells: z.array(CellSchema),
  /** All that are found. */
  urls: z.number().int(),
  next: z.number().int().nullable(),
});
export type UserCellPage = z.infer<typeof UserCellPageSchema>;
