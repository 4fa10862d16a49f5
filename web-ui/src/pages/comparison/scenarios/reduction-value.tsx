import { Tooltip } from '@mantine/core';
import type { Reduction } from '#core/comparison/comparison.ts';
import { formatPercent, formatConfidence } from '../../../format/format-ratios.ts';
import classes from './reduction-value.module.css';

/** A reduction and its interval: `27 % (24 % to 30 %)`. */
export function ReductionValue({
  reduction,
  confidence,
}: {
  reduction: Pick<Reduction, 'ratio' | 'low' | 'high' | 'blocks'>;
  confidence: number;
}) {
  const { ratio, low, high, blocks } = reduction;
  const hasInterval = low !== null && high !== null;
  return (
    <span className={classes.reduction}>
      {formatPercent(ratio)}{' '}
      <Tooltip
        label={
          hasInterval
            ? `${formatConfidence(confidence)} confidence interval, from ${blocks} Blocks`
            : 'One Block gives no interval.'
        }
      >
        <span className={classes.interval} tabIndex={0}>
          {hasInterval ? `${formatPercent(low)} to ${formatPercent(high)}` : 'no interval'}
        </span>
      </Tooltip>
    </span>
  );
}
