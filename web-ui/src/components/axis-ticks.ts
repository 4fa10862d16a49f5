interface AxisExtent {
  low: number;
  high: number;
}

/** Round numbers within an extent, about `count` of them, zero among them where it is within: steps of 1, 2 or 5 times a power of ten. */
export function axisTicks({ low, high }: AxisExtent, count: number): number[] {
  if (high <= low) return [low];
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough - power * 1e-9)!;
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // −0 would be written with its sign.
  return Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step + 0);
}
