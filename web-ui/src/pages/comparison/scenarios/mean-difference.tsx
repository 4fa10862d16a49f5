import type { Contrast } from '#core/comparison/latencies/contrast.ts';
import { decimalsOfMs, formatDifferenceMs } from '../../../format/format-ms.ts';
import classes from './reduction-value.module.css';

/** A reduction in ms, in the columns of the `ReductionValue` above it: `−412 ms  −520 to −303`. */
export function MeanDifference({ contrast }: { contrast: Contrast }) {
  const { meanDifference } = contrast;
  if (meanDifference.kind === 'absent') return null;
  const { value, low, high } = meanDifference;
  const format = (valueMs: number) => formatDifferenceMs(valueMs, decimalsOfMs(value));
  return (
    <div className={classes.difference}>
      {`${format(value)}\u00A0ms`}{' '}
      <span className={classes.interval}>
        {low === null || high === null ? 'no interval' : `${format(low)} to ${format(high)}`}
      </span>
    </div>
  );
}
