import { Defined } from '../terms/defined.tsx';
import { formatPercent } from '../../format/format-ratios.ts';

/** The heading of a column of outcomes, with the key of their marks one hover away. */
export function OutcomeHeading({ reach }: { reach: number }) {
  return (
    <Defined
      definition={`The headline of the Comparison, of the Scenario with the largest difference that is shown. Mark: to the right of the line is faster than the baseline, to the left slower; the axis ends at ±${formatPercent(reach)}. A dot is a difference, a square equivalence, a ring undecided, a triangle a difference beyond the axis. The band holds differences that are declared too small to matter.`}
    >
      Outcome
    </Defined>
  );
}
