/** Round places on an axis from 0 to `endMs`, about `count` of them: steps of 1, 2 or 5 times a power of ten. */
export function axisTicks(endMs: number, count: number): number[] {
  if (endMs <= 0) return [0];
  const rough = endMs / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough)!;
  return Array.from({ length: Math.floor(endMs / step) + 1 }, (_, index) => index * step);
}
