import { z } from 'zod';
import type { WordsOf } from './setting-words.ts';

/** What the Runs of an Evaluation are held against. It changes no measurement. */
export const TrendSettingsSchema = z.strictObject({
  threshold: z
    .number({ error: 'must be a number such as 0.1, for 10 %' })
    .min(-10, 'must be at least -10')
    .max(0.99, 'must be at most 0.99')
    .optional()
    .describe(
      'The least reduction that a Run should show: `0.1` for 10 % less time than the baseline, `-0.05` for at most 5 % more. The trend draws it as a line.',
    ),
});
export type TrendSettings = z.infer<typeof TrendSettingsSchema>;

export const trendWords: WordsOf<TrendSettings> = {
  threshold: {
    label: 'Least reduction of a Run',
    unit: '%',
    scale: 100,
    byDefault: 'none',
    help: 'A line in the trend. Below 0: how much slower it may be.',
  },
};
