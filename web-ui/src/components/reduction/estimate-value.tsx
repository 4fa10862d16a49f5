import { Tooltip } from '@mantine/core';
import type { Estimate } from '#core/comparison/comparison.ts';
import { formatHalfWidth } from '../../format/format-numbers.ts';
import { decimalsOfMs, formatMs } from '../../format/format-times.ts';
import { AbsentValue } from '../absent-value.tsx';
import classes from './estimate-value.module.css';

interface EstimateValueProps {
  estimate: Estimate | null;
  /** Why there is none, where there is none. */
  absence: string;
}

/** A mean latency and the half-width of its interval, aligned in a column: `2 314 ms ± 41`. */
export function EstimateValue({ estimate, absence }: EstimateValueProps) {
  return (
    <span className={classes.estimate}>
      {estimate ? formatMs(estimate.mean) : <AbsentValue reason={absence} />}{' '}
      <span className={classes.halfWidth}>{estimate && <HalfWidth estimate={estimate} />}</span>
    </span>
  );
}

function HalfWidth({ estimate: { mean, halfWidth, rounds } }: { estimate: Estimate }) {
  if (halfWidth !== null) return formatHalfWidth(halfWidth, decimalsOfMs(mean));
  return (
    <Tooltip label={`No interval: the mean has ${rounds} Round, and an interval needs at least 2.`}>
      <span tabIndex={0}>± —</span>
    </Tooltip>
  );
}
