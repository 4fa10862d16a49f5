import { z } from 'zod';
import { latencyIds } from '../metrics/catalogue.ts';

/** How the Scenarios are to be compared with the baseline: declared before the Run, so that nobody chooses after having seen the figures. */
export const ComparisonSettingsSchema = z.strictObject({
  confidence: z
    .number({ error: 'must be a number such as 0.95' })
    .min(0.8, 'must be at least 0.8')
    .max(0.999, 'must be at most 0.999')
    .default(0.95)
    .describe('The confidence of every interval, 1 − α.'),
  family: z
    .array(z.enum(latencyIds, { error: 'must be "baseMs", "viewportMs" or "totalMs"' }))
    .default([])
    .describe(
      'More metrics to claim differences of, besides the primary one. The p-values of all are corrected together (Holm). Other metrics are exploratory.',
    ),
  equivalenceMargin: z
    .number({ error: 'must be a number such as 0.05, for 5 %' })
    .min(0.001, 'must be at least 0.001')
    .max(0.5, 'must be at most 0.5')
    .default(0.05)
    .describe('Scenarios are equivalent if the ratio of their latencies is between 1 − this and 1 / (1 − this).'),
});

export type ComparisonSettings = z.infer<typeof ComparisonSettingsSchema>;
