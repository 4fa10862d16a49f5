/** Quantile of a sample, R type 7. Throws for an empty one. */
export function readQuantile(values: readonly number[], probability: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const position = (sorted.length - 1) * probability;
  const below = sorted[Math.floor(position)];
  const above = sorted[Math.ceil(position)];
  if (below === undefined || above === undefined) throw new Error('An empty sample has no quantiles');
  return below + (above - below) * (position - Math.floor(position));
}

export function readMedian(values: readonly number[]): number {
  return readQuantile(values, 0.5);
}
