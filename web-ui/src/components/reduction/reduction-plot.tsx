import type { Reduction } from '#core/comparison/comparison.ts';
import type { EquivalenceBand, Extent } from './reduction-extent.ts';
import { cssColour } from '../scenario/series-colours.ts';
import classes from './reduction-plot.module.css';

interface ReductionPlotProps {
  reduction: Reduction | null;
  isBaseline: boolean;
  colour: string | undefined;
  extent: Extent;
  band?: EquivalenceBand | null;
}

/** One row of a forest plot: the zero line is the baseline, the bar the interval, to the right is faster. */
export function ReductionPlot({ reduction, isBaseline, colour: own, extent, band = null }: ReductionPlotProps) {
  const colour = own === undefined ? 'currentColor' : cssColour(own);
  const x = (reduction: number) => `${extent.placeOf(reduction)}%`;
  return (
    <svg className={classes.plot} aria-hidden="true">
      {band && (
        <rect
          className={classes.band}
          x={x(band.low)}
          width={`${extent.placeOf(band.high) - extent.placeOf(band.low)}%`}
          y="0"
          height="100%"
        />
      )}
      <line className={classes.zero} x1={x(0)} x2={x(0)} y1="0" y2="100%" />
      {isBaseline && <circle cx={x(0)} cy="50%" r="4.5" fill={colour} />}
      {reduction && (
        <>
          <line
            x1={x(reduction.low ?? reduction.ratio)}
            x2={x(reduction.high ?? reduction.ratio)}
            y1="50%"
            y2="50%"
            stroke={colour}
            strokeWidth="3"
            strokeLinecap="round"
          />
          <circle
            cx={x(reduction.ratio)}
            cy="50%"
            r="5"
            fill={colour}
            stroke="var(--mantine-color-body)"
            strokeWidth="1.5"
          />
        </>
      )}
    </svg>
  );
}

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
