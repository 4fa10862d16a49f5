import { contrastCounts } from './contrast-counts.ts';
import type { CountedValue, ValuesByBlock } from './counted-value.ts';
import { estimateMean } from '../estimate.ts';

/** `against` has the values of the baseline; null of a baseline itself. */
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
