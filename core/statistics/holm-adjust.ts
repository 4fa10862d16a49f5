/**
 * Holm's correction (1979) of the p-values of a family: sorted ascending, the i-th of m times m − i + 1, never falling, at most 1; in the order given. With it, the
 * probability of any false positive in the family is at most α, however the tests depend on each other. As R's `p.adjust(method = "holm")`.
 */
export function holmAdjust(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const adjusted = new Array<number>(values.length).fill(1);
  let largest = 0;
  order.forEach((index, rank) => {
    largest = Math.max(largest, Math.min(1, values[index]! * (values.length - rank)));
    adjusted[index] = largest;
  });
  return adjusted;
}
