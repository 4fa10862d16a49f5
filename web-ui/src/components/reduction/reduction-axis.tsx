import type { Extent } from './reduction-extent.ts';
import classes from './reduction-plot.module.css';

/** The axis under rows of a forest plot, how much less time than the baseline. */
export function ReductionAxis({ extent }: { extent: Extent }) {
  return (
    <div className={classes.axis} aria-hidden="true">
      {extent.ticks.map(({ place, label }) => (
        <span key={label} className={classes.tick} style={{ left: `${place}%` }}>
          {label}
        </span>
      ))}
    </div>
  );
}
