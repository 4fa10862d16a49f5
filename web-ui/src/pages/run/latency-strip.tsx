import type { OutlinedMean } from '#core/comparison/comparison-outline.ts';
import { axisTicks } from '../../components/axis-ticks.ts';
import { cssColour } from '../../components/scenario/series-colours.ts';
import { formatNumber } from '../../format/format-number.ts';
import classes from './latency-strip.module.css';
import type { StripExtent } from './strip-extent.ts';
import type { VisitPoint } from './use-visit-points.ts';

interface LatencyStripProps {
  points: readonly VisitPoint[];
  /** With its interval; null before the first Round has ended, and while the interval is too wide to be useful. */
  mean: OutlinedMean | null;
  extent: StripExtent;
  colour: string;
}

const heightPx = 34;
/** Points at one place are beside each other in so many rows. */
const rows = 5;

/** A point for each of the newest Visits of a Scenario, full while its Round is under way, and the mean with its interval. */
export function LatencyStrip({ points, mean, extent, colour }: LatencyStripProps) {
  const percent = (value: number) => (100 * (value - extent.low)) / (extent.high - extent.low);
  const x = (value: number) => `${percent(Math.max(extent.low, value))}%`;
  const shade = cssColour(colour);
  return (
    <svg className={classes.strip} height={heightPx} aria-hidden="true">
      {points.map(({ valueMs, isLive }, index) => (
        <circle
          key={index}
          className={isLive ? classes.live : classes.stored}
          cx={x(valueMs)}
          cy={5 + ((index * 2) % rows) * 4}
          r={isLive ? 3.5 : 2.5}
          style={{ fill: shade }}
        />
      ))}
      {mean && (
        <g style={{ stroke: shade }}>
          {mean.halfWidth !== null && (
            <line
              className={classes.interval}
              x1={x(mean.mean - mean.halfWidth)}
              x2={x(mean.mean + mean.halfWidth)}
              y1={heightPx - 5}
              y2={heightPx - 5}
            />
          )}
          <line className={classes.mean} x1={x(mean.mean)} x2={x(mean.mean)} y1={heightPx - 10} y2={heightPx} />
        </g>
      )}
    </svg>
  );
}

/** The axis of all strips. */
export function StripAxis({ extent }: { extent: StripExtent }) {
  return (
    <div className={classes.axis} aria-hidden="true">
      {axisTicks(extent, 4).map((tick) => (
        <span
          key={tick}
          className={classes.tick}
          style={{ left: `${(100 * (tick - extent.low)) / (extent.high - extent.low)}%` }}
        >
          {formatNumber(tick)}&nbsp;ms
        </span>
      ))}
    </div>
  );
}
