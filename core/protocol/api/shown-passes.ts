import { z } from 'zod';

/** Whose Passes a Run comes with: `current` only has those of the Round that is under way, or was tried last. */
export const ShownPassesSchema = z.enum(['all', 'current'], { error: 'must be "all" or "current"' });
export type ShownPasses = z.infer<typeof ShownPassesSchema>;
