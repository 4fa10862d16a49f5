import { z } from 'zod';

/** Whose cells a Comparison has: `pooled` leaves out those of single User Agents. */
export const ComparedCellsSchema = z.enum(['all', 'pooled'], { error: 'must be "all" or "pooled"' });
export type ComparedCells = z.infer<typeof ComparedCellsSchema>;
