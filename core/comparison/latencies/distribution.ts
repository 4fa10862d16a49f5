import { z } from 'zod';
import { FlagSchema } from './flag.ts';
import { EcdfSchema, IntervalSchema, StatisticSchema, TrendSchema } from './statistic.ts';

/** How the values of a cell are distributed. Of Rounds: one value each, in order of the Blocks; of Visits: each its own value. */
export const DistributionSchema = z.object({
  /** Of Rounds, with its exact order-statistic interval. */
  median: IntervalSchema,
  /** Of Visits (type 7), where at least 5 lie beyond: from 20 Visits, from 100. */
  p75: StatisticSchema,
  p95: StatisticSchema,
  /** Standard deviation over mean, of Rounds. */
  coefficientOfVariation: StatisticSchema,
  /** Of Rounds, as are those below. */
  skewness: StatisticSchema,
  bimodalityCoefficient: StatisticSchema,
  lagOneAutocorrelation: StatisticSchema,
  trend: TrendSchema,
  /** Of Visits; at most 50 steps. */
  ecdf: EcdfSchema,
  flags: z.array(FlagSchema),
});
export type Distribution = z.infer<typeof DistributionSchema>;
