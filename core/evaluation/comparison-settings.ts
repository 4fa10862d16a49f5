import { z } from 'zod';
import { latencyIds } from '../metrics/catalogue.ts';

/** How the Scenarios are to be compared with the baseline: declared before the Run, so that nobody chooses after having seen the figures. */
export const ComparisonSettingsSchema = z.strictObject({
  /** Of every interval, 1 − α; and α of every test. */
  confidence: z.number({ error: 'must be a number such as 0.95' }).min(0.8, 'must be at least 0.8').max(0.999, 'must be at most 0.999').default(0.95),
  /**
   * The metrics whose differences are claimed, besides the primary one. All of them, for every Scenario, are one family, over which p-values are
   * corrected (Holm); whatever is not in it is shown as exploratory.
   */
  family: z.array(z.enum(latencyIds, { error: 'must be "baseMs", "viewportMs" or "totalMs"' })).default([]),
  /** Scenarios are equivalent when the ratio of their latencies is between 1 − this and 1 / (1 − this). */
  equivalenceMargin: z.number({ error: 'must be a number such as 0.05, for 5 %' }).min(0.001, 'must be at least 0.001').max(0.5, 'must be at most 0.5').default(0.05),
});

export type ComparisonSettings = z.infer<typeof ComparisonSettingsSchema>;
