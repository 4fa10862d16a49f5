import { formatNumber } from '../../format/format-number.ts';
import { axisTicks } from '../axis-ticks.ts';
import type { Extent } from './reduction-extent.ts';
import classes from './reduction-plot.module.css';

const mostTicks = 4;

/** The axis under rows of a forest plot, how much less time than the baseline. */
export function ReductionAxis({ extent }: { extent: Extent }) {
  const ticks = axisTicks(extent, mostTicks);
  const decimals = ticks.every((tick) => Number.isInteger(Math.round(tick * 1e4) / 100)) ? 0 : 1;
  return (
    <div className={classes.axis} aria-hidden="true">
      {ticks.map((tick) => (
        <span
          key={tick}
          className={classes.tick}
          style={{ left: `${(100 * (tick - extent.low)) / (extent.high - extent.low)}%` }}
        >
          {tick === 0
            ? 'same'
            : `${formatNumber(Math.abs(100 * tick), decimals)}\u00A0%\u00A0${tick > 0 ? 'less' : 'more'}`}
        </span>
      ))}
    </div>
  );
}
