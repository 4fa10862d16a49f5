import { z } from 'zod';
import { fiellerInterval } from '../../statistics/fieller-interval.ts';
import { meanInterval } from '../../statistics/mean-interval.ts';
import { EstimateSchema, estimateMean } from '../estimate.ts';

/** A value with its interval; `low` and `high` are null where there is none. */
const BoundedSchema = z.object({ value: z.number(), low: z.number().nullable(), high: z.number().nullable() });

/** A Scenario against the baseline of its group, over the Blocks that have both. */
const CountContrastSchema = z.object({
  blocks: z.number().int(),
  /** Scenario − baseline per Round: the mean over Blocks, with its t interval. */
  difference: BoundedSchema,
  /** Scenario over baseline: the ratio of the means, with Fieller's interval of pairs of Blocks. Null where the baseline is 0. */
  ratio: BoundedSchema.nullable(),
});
export type CountContrast = z.infer<typeof CountContrastSchema>;

/** In what a figure of Rounds is given; a share is between 0 and 1, and a score has no unit. */
export type CountedUnit = 'count' | 'bytes' | 'share' | 'ms' | 'score';

/** A figure that is counted per Round, for people. */
export interface CountedFigure {
  label: string;
  unit: CountedUnit;
  definition: string;
}

/** What was counted in each Round of a Scenario: its mean, or why there is none. */
export const CountedValueSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('measured'),
    /** Mean per Round over Rounds. */
    estimate: EstimateSchema,
    /** Null of a baseline, of a Scenario that is not comparable, and where no Block has both. */
    contrast: CountContrastSchema.nullable(),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);
export type CountedValue = z.infer<typeof CountedValueSchema>;

/** The value of each Block that has one, or why there is none. */
export type ValuesByBlock = { kind: 'known'; byBlock: Map<number, number> } | { kind: 'absent'; reason: string };

/** `against` has the values of the baseline; null without one to compare with. */
export function estimateCounted(
  values: ValuesByBlock,
  { against, confidence }: { against: ValuesByBlock | null; confidence: number },
): CountedValue {
  if (values.kind === 'absent') return values;
  return {
    kind: 'measured',
    estimate: estimateMean([...values.byBlock.values()], confidence)!,
    contrast: against?.kind === 'known' ? contrastCounts(values.byBlock, against.byBlock, confidence) : null,
  };
}

/** Counts by Block against those of another Scenario, over the Blocks that have both; null without any. */
export function contrastCounts(
  own: ReadonlyMap<number, number>,
  baseline: ReadonlyMap<number, number>,
  confidence: number,
): CountContrast | null {
  const pairs = [...own].flatMap(([block, x]) => {
    const y = baseline.get(block);
    return y === undefined ? [] : [{ x, y }];
  });
  if (pairs.length === 0) return null;
  const {
    count: blocks,
    mean,
    halfWidth,
  } = meanInterval(
    pairs.map(({ x, y }) => x - y),
    confidence,
  );
  return { blocks, difference: bound(mean, halfWidth), ratio: compareMeans(pairs, confidence) };
}

function compareMeans(pairs: readonly { x: number; y: number }[], confidence: number): CountContrast['ratio'] {
  if (pairs.every(({ y }) => y === 0)) return null;
  // Fieller's interval is relative to both means.
  if (pairs.every(({ x }) => x === 0)) return bound(0, pairs.length < 2 ? null : 0);
  const { ratio, low, high } = fiellerInterval(pairs, confidence);
  return { value: ratio, low, high };
}

function bound(mean: number, halfWidth: number | null): CountContrast['difference'] {
  if (halfWidth === null) return { value: mean, low: null, high: null };
  return { value: mean, low: mean - halfWidth, high: mean + halfWidth };
}
