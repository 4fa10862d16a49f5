import type { TrendRun } from '#core/protocol/api/evaluation-trend.ts';

export interface TrendRunChange {
  day?: number;
  labels?: Record<string, string>;
  settings?: string;
  engine?: string;
  versions?: number[];
  metric?: 'totalMs' | 'baseMs';
  /** By Scenario. */
  reductions?: Record<string, number>;
  /** Of each of them, as a log ratio. */
  standardError?: number | null;
  isWaiting?: boolean;
}

/** A Run as the trend of its Evaluation has it: a baseline, and a Scenario for each reduction. */
export function makeTrendRun(
  id: string,
  {
    day = Number(id),
    labels = {},
    settings = 'x',
    reductions = { proxy: 0.3 },
    standardError = 0.02,
    ...trend
  }: TrendRunChange = {},
): TrendRun {
  const least = standardError === null ? null : 2.78 * standardError;
  return {
    id,
    startedAt: `2026-11-${String(day).padStart(2, '0')}T10:00:00.000Z`,
    labels,
    settings,
    webhookProblem: null,
    trend: trend.isWaiting
      ? null
      : {
          metric: trend.metric ?? 'totalMs',
          engineVersions: [trend.engine ?? 'Chrome/140'],
          metricsVersions: trend.versions ?? [3],
          scenarios: [
            { scenario: 'direct', isBaseline: true, rounds: 5, meanMs: 1000, halfWidthMs: 20, reduction: null },
            ...Object.entries(reductions).map(([scenario, ratio]) => ({
              scenario,
              isBaseline: false,
              rounds: 5,
              meanMs: 1000 * (1 - ratio),
              halfWidthMs: null,
              reduction: {
                ratio,
                low: least === null ? null : 1 - (1 - ratio) * Math.exp(least),
                high: least === null ? null : 1 - (1 - ratio) * Math.exp(-least),
                standardError,
              },
            })),
          ],
        },
  };
}
