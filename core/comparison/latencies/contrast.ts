import { z } from 'zod';
import { FlagSchema } from './flag.ts';
import { ReductionSchema } from './reduction.ts';
import { IntervalSchema } from './statistic.ts';

/** The conclusion about a Scenario, compared with the baseline. */
export const verdicts = [
  'faster',
  'slower',
  'equivalent',
  'no-difference-shown',
  'not-after-correction',
  'one-block',
  'no-pairs',
  'not-comparable',
] as const;
export type Verdict = (typeof verdicts)[number];

const TestSchema = z.object({
  /** Two-sided. */
  p: z.number(),
  /** From the permutation distribution, over all permutations. */
  isExact: z.boolean(),
});

/** A Scenario against the baseline, beyond the reduction; values are paired by Block unless no Block has both. */
export const ContrastSchema = z.object({
  pairing: z.enum(['blocks', 'none']),
  /**
   * `faster`, `slower`: the p-value, corrected where the metric is in the family, is at most α. `not-after-correction`: it was so only before the correction. `equivalent`: it is not,
   * and the interval of the equivalence test lies within the margin. A `faster` or `slower` whose `equivalence.isEquivalent` is true is a real difference that is
   * smaller than the margin. `no-difference-shown`: neither. `one-block`: no interval. `no-pairs`: see `mannWhitney`.
   * `not-comparable`: the two lose objects in different parts of their Visits, beyond chance, and such Visits count (`pageLoad.failedObjects: count`). Pages that lack objects look faster.
   * The reductions and differences are then left out, also those of single URLs.
   */
  verdict: z.enum(verdicts),
  /** Whether the metric is one of the family that the Evaluation declared; otherwise all of this is exploratory, and p is not corrected. */
  isConfirmatory: z.boolean(),
  /** Scenario − baseline in ms: of means (t, or Welch without pairs), and of medians (Hodges–Lehmann). Below 0 the Scenario is faster. */
  meanDifference: IntervalSchema,
  medianDifference: IntervalSchema,
  /** The reduction's interval by the BCa bootstrap over Blocks, from 10 Blocks; a second opinion on the headline's t interval. */
  bootstrapReduction: IntervalSchema,
  /** Distribution-free tests: of the log ratios where there are pairs, else of the values of Rounds. Null where they do not apply. */
  signedRank: TestSchema.nullable(),
  permutation: TestSchema.nullable(),
  mannWhitney: TestSchema.nullable(),
  /** P(a Round of the Scenario takes longer than one of the baseline) − P(it takes less), from −1 to 1. */
  cliffsDelta: z.number(),
  /** How probably a Round of the Scenario takes less time than one of the baseline, ties counting half. */
  probabilityOfSuperiority: z.number(),
  /** Two one-sided tests; null with fewer than two pairs. */
  equivalence: z
    .object({
      /** As declared: equivalent when the ratio is between 1 − margin and 1 / (1 − margin). */
      margin: z.number(),
      p: z.number(),
      isEquivalent: z.boolean(),
      /** The 1 − 2α interval of the reduction, which decides it. */
      low: z.number(),
      high: z.number(),
    })
    .nullable(),
  /** The reduction in each Block that has both. */
  blocks: z.array(z.object({ block: z.number().int(), reduction: z.number() })),
  /** Of the log ratios. */
  flags: z.array(FlagSchema),
});
export type Contrast = z.infer<typeof ContrastSchema>;

const PageSchema = z.object({ url: z.string(), label: z.string(), reduction: ReductionSchema });

/** A Scenario that is faster than the baseline on some pages and slower on others. A page here is a URL, over all User Agents. */
export const ReversalSchema = z.object({
  /** URLs that have a p-value. */
  pages: z.number().int(),
  /** Those of them whose corrected p is at most α, by the sign of their reduction. Both are above 0. */
  faster: z.number().int(),
  slower: z.number().int(),
  /** How many p-values of pages were corrected together (Holm): every URL of every Scenario. */
  comparisons: z.number().int(),
  /** Of the faster pages the one with the largest reduction, of the slower ones the one with the smallest. */
  fastest: PageSchema,
  slowest: PageSchema,
});
export type Reversal = z.infer<typeof ReversalSchema>;
