import { tQuantile } from '../statistics/t-quantile.ts';

export interface FittedLine {
  slope: number;
  intercept: number;
  /** The part of the variance that the line explains, from 0 to 1; null where all values are the same. */
  rSquared: number | null;
  /** Half the width of the interval of the slope; null with two points, which no line misses. */
  slopeHalfWidth: number | null;
}

/**
 * The least-squares line through points, y = intercept + slope · x, with the t interval of its slope (n − 2 degrees of freedom).
 * Null with fewer than two different x.
 */
export function fitLine(points: readonly { x: number; y: number }[], confidence: number): FittedLine | null {
  const count = points.length;
  if (new Set(points.map(({ x }) => x)).size < 2) return null;
  const meanX = sum(points.map(({ x }) => x)) / count;
  const meanY = sum(points.map(({ y }) => y)) / count;
  const squaresX = sum(points.map(({ x }) => (x - meanX) ** 2));
  const squaresY = sum(points.map(({ y }) => (y - meanY) ** 2));
  const slope = sum(points.map(({ x, y }) => (x - meanX) * (y - meanY))) / squaresX;
  const intercept = meanY - slope * meanX;
  const residuals = sum(points.map(({ x, y }) => (y - intercept - slope * x) ** 2));
  const standardError = Math.sqrt(residuals / (count - 2) / squaresX);
  return {
    slope,
    intercept,
    rSquared: squaresY === 0 ? null : 1 - residuals / squaresY,
    slopeHalfWidth: count < 3 ? null : tQuantile((1 + confidence) / 2, count - 2) * standardError,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
