import { Tooltip } from '@mantine/core';
import type { Reduction } from '#core/comparison/comparison.ts';
import { describeReduction, formatConfidence } from '../../../format/format-ratios.ts';
import classes from './reduction-value.module.css';

/** A reduction and its interval: `27 % less  24 to 30 %`. */
export function ReductionValue({
  reduction,
  confidence,
}: {
  reduction: Pick<Reduction, 'ratio' | 'low' | 'high' | 'blocks'>;
  confidence: number;
}) {
  const { low, high, blocks } = reduction;
  const { shown, range } = describeReduction(reduction);
  const hasInterval = low !== null && high !== null;
  return (
    <span className={classes.reduction}>
      {shown}{' '}
      <Tooltip
        label={
          hasInterval
            ? `${formatConfidence(confidence)} confidence interval, from ${blocks} Blocks`
            : 'One Block gives no interval.'
        }
      >
        <span className={classes.interval} tabIndex={0}>
          {range}
        </span>
      </Tooltip>
    </span>
  );
}
