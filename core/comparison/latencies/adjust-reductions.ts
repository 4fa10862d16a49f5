import { holmAdjust } from '../../statistics/holm-adjust.ts';
import type { Reduction } from './reduction.ts';

/** Each reduction of a family with its corrected p (Holm); `raise`: by how much p-values are raised for a stop rule, 1 where there is none. */
export function adjustReductions(reductions: readonly (Reduction | null)[], raise: number): Map<Reduction, Reduction> {
  const tested = reductions.filter((reduction) => reduction !== null);
  const withP = tested.flatMap(({ p }) => (p === null ? [] : [Math.min(1, p * raise)]));
  const adjusted = holmAdjust(withP).values();
  return new Map(
    tested.map((reduction) => [
      reduction,
      reduction.p === null ? reduction : { ...reduction, adjustedP: adjusted.next().value! },
    ]),
  );
}
