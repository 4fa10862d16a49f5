import { z } from 'zod';

export const SortOrderSchema = z.enum(['ascending', 'descending'], { error: 'must be "ascending" or "descending"' });
export type SortOrder = z.infer<typeof SortOrderSchema>;
