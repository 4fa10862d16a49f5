import type { ArrangedFigure } from '#core/figures/arranged-figure.ts';
import type { FigureDesign } from '#core/figures/figure-design.ts';
import type { ChartInks } from '../../../components/chart-inks.ts';
import { endAtZero, placeAxis, valueAxis } from '../figures/value-axis.ts';
import { formatDecimals } from './format-measure.ts';
import { labelValue } from './label-dimension.ts';
import { nameHorizontal, nameVertical } from './name-figure.ts';

/** The axes of all panels, which are alike so that they can be compared. */
export function chartAxes(arranged: ArrangedFigure, { design, inks }: { design: FigureDesign; inks: ChartInks }) {
  const { choice, places } = arranged;
  const extent = extentOf(arranged);
  const names = places?.map((place) => labelValue(choice.x!, place, design)) ?? [];
  const numbers = choice.logX
    ? logarithmicAxis({ title: nameHorizontal(arranged), inks })
    : { ...valueAxis({ title: nameHorizontal(arranged), inks, startsAtZero: false, canBeNegative: true }) };
  const x =
    choice.kind === 'bars'
      ? barAxis(names, inks)
      : places !== null
        ? placeAxis(names, inks)
        : { ...numbers, grid: { display: choice.kind === 'scatter', color: inks.line }, ...extent.x };
  return { x, y: verticalAxis(arranged, { inks, extent: extent.y }) };
}

function verticalAxis(
  arranged: ArrangedFigure,
  { inks, extent }: { inks: ChartInks; extent: { suggestedMax: number; suggestedMin?: number } },
) {
  const { kind, statistic, logY } = arranged.choice;
  const title = nameVertical(arranged);
  if (kind === 'distribution')
    return { ...valueAxis({ title, inks, format: (value) => `${Math.round(value * 100)} %` }), max: 1 };
  if (logY) return { ...logarithmicAxis({ title, inks }), ...extent };
  const isSigned = statistic === 'reduction';
  const axis = valueAxis({ title, inks, canBeNegative: isSigned });
  return { ...axis, ...(!isSigned && { afterBuildTicks: endAtZero }), suggestedMax: extent.suggestedMax };
}

/** Places in a row, each known by its number: two may have the same name. */
function barAxis(names: readonly string[], inks: ChartInks) {
  return {
    type: 'category' as const,
    labels: names.map((_, index) => String(index)),
    border: { color: inks.line },
    grid: { display: false },
    ticks: {
      color: inks.text,
      maxRotation: 40,
      callback: (value: string | number) => names[Number(value)] ?? '',
    },
  };
}

function logarithmicAxis({ title, inks }: { title: string; inks: ChartInks }) {
  return {
    type: 'logarithmic' as const,
    title: { display: true, text: title, color: inks.text },
    border: { display: false },
    grid: { color: inks.line },
    ticks: {
      color: inks.text,
      // Of each power of ten the ticks 1, 2 and 5 have a number.
      callback: (value: string | number) => {
        const first = Number(value) / 10 ** Math.floor(Math.log10(Number(value)) + 1e-9);
        return [1, 2, 5].some((digit) => Math.abs(first - digit) < 1e-6) ? formatDecimals(Number(value)) : '';
      },
    },
  };
}

/** Room beside the outermost points of a logarithmic axis. */
const margin = 1.15;

function extentOf({ choice, panels }: ArrangedFigure) {
  const points = panels.flatMap(({ series }) => series.flatMap((each) => each.points));
  const xs = points.flatMap(({ x }) => (typeof x === 'number' && (!choice.logX || x > 0) ? x : []));
  const factor = choice.statistic === 'reduction' ? 100 : 1;
  const highs = points.map(({ y, high }) => (high ?? y) * factor);
  const lows = points.map(({ y }) => y).filter((y) => y > 0);
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  return {
    x:
      xs.length === 0
        ? {}
        : choice.logX
          ? { min: least / margin, max: most * margin }
          : { suggestedMin: least, suggestedMax: most },
    y: {
      suggestedMax: Math.max(...highs),
      ...(choice.logY && lows.length > 0 && { suggestedMin: Math.min(...lows) / margin }),
    },
  };
}
