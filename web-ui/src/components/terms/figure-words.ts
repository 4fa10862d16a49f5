import type { FigureKind, FigureStatistic } from '#core/evaluation/figures/figure-choice.ts';

export const kindLabels: Record<FigureKind, string> = {
  line: 'lines',
  bars: 'bars',
  heat: 'heat map',
  scatter: 'scatter of pages',
  distribution: 'distribution (ECDF)',
};

export const statisticLabels: Record<FigureStatistic, string> = {
  mean: 'mean',
  min: 'least',
  median: 'median',
  p95: '95 % quantile',
  max: 'greatest',
  reduction: 'reduction',
};
