import type { ArrangedFigure } from '#core/figures/arranged-figure.ts';
import type { FigureDesign } from '#core/figures/figure-design.ts';
import { measures } from '#core/metrics/measures.ts';
import { formatConfidence } from '../../../format/format-confidence.ts';
import { formatNumber } from '../../../format/format-number.ts';
import { formatDecimals, originOf } from './format-measure.ts';
import { labelPlace } from './label-dimension.ts';
import { nameDirections } from './range-shades.ts';

/** What the numbers of a figure are, in a few sentences. */
export function explainFigure(arranged: ArrangedFigure, design: FigureDesign): string {
  const { choice, confidence, leftOutPoints, countedFrom } = arranged;
  const { definition } = measures[choice.y];
  return [
    definition,
    originOf(choice.y, countedFrom) && 'Here the time from navigation start to the first request is subtracted.',
    explainStatistic(choice, formatConfidence(confidence)),
    arranged.below &&
      'Below is the reduction against the baseline, paired by Round, of geometric means over pages. An interval that crosses zero is undecided.',
    choice.kind === 'scatter' ? explainLines(arranged, design) : '',
    leftOutPoints > 0 ? `${leftOutPoints} points are left out: their pages have fewer than 100 Visits.` : '',
  ]
    .filter(Boolean)
    .join(' ');
}

function explainStatistic({ kind, statistic, y }: ArrangedFigure['choice'], confidence: string): string {
  if (kind === 'distribution') return 'All Visits together: the share of Visits up to each value.';
  const intervals = kind === 'heat' ? 'In brackets' : 'Bars';
  switch (statistic) {
    case 'mean':
      return `Means over pages and Rounds, of pages that every Scenario has. ${intervals} are ${confidence} intervals over Rounds.`;
    case 'reduction':
      return `Against the baseline, paired by Round, of geometric means over pages. ${intervals} are ${confidence} intervals over Rounds.${kind === 'heat' ? explainShades(y) : ''}`;
    default:
      return 'Of the Visits of each page, averaged over pages.';
  }
}

function explainShades(measure: ArrangedFigure['choice']['y']): string {
  const { below, above } = nameDirections(measure);
  return ` Blue is ${above}, orange ${below}; what has no colour is undecided.`;
}

function explainLines({ choice, panels }: ArrangedFigure, design: FigureDesign): string {
  const lines = panels.flatMap(({ values, series }) =>
    series.flatMap(({ values: own, fit }) => {
      if (!fit) return [];
      const place = [labelPlace(choice.panels, values, design), labelPlace(choice.series, own, design)];
      const name = place.filter((_, index) => (index === 0 ? choice.panels : choice.series).length > 0).join(', ');
      const slope = `slope ${formatDecimals(fit.slope)}`;
      const interval = fit.slopeHalfWidth === null ? '' : ` ± ${formatDecimals(fit.slopeHalfWidth)}`;
      const explained = fit.rSquared === null ? '' : `, R² ${formatNumber(fit.rSquared, 2)}`;
      return [`${name}${name && ': '}${slope}${interval}${explained}`];
    }),
  );
  return lines.length === 0 ? '' : `Least-squares lines through the pages: ${lines.join('; ')}.`;
}
