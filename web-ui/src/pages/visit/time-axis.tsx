import { formatNumber } from '../../format/format-number.ts';
import { timeAxisMark } from './hover-line.tsx';
import type { TimeScale } from './time-lane.tsx';
import classes from './waterfall.module.css';

/** The head of the lanes: milliseconds from navigation start. */
export function TimeAxis({ scale: { endMs, ticksMs } }: { scale: TimeScale }) {
  const isSeconds = endMs >= 10_000;
  return (
    <div className={classes.axis} {...timeAxisMark}>
      {ticksMs.map((ms, index) => (
        <span
          key={ms}
          className={classes.tick}
          data-last={index > 0 && ms > 0.96 * endMs}
          style={{ left: `${(100 * ms) / endMs}%` }}
        >
          {isSeconds ? `${formatNumber(ms / 1000, ms % 1000 === 0 ? 0 : 1)} s` : `${formatNumber(ms)} ms`}
        </span>
      ))}
    </div>
  );
}
