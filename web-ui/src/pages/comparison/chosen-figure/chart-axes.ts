import type { ArrangedFigure } from '#web-ui/src/figures/arranged-figure.ts';
import type { FigureDesign } from '#core/figures/figure-design.ts';
import type { ChartInks } from '../../../components/chart-inks.ts';
import { endAtZero, placeAxis, startsAtZero, valueAxis } from '../figures/value-axis.ts';
import { dodgeMarks } from './dodge-marks.ts';
import { formatDecimals } from './format-measure.ts';
import { labelValue } from './label-dimension.ts';
import { nameHorizontal, nameVertical } from './name-figure.ts';

/** The vertical axis of the reductions below. */
export const belowAxis = 'below';

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
        : {
            ...numbers,
            grid: { display: choice.kind === 'scatter', color: inks.line },
            ...extent.x,
            // A tick at the end of the room beside the marks would be no round number.
            ticks: { ...numbers.ticks, includeBounds: false },
          };
  const y = verticalAxis(arranged, { inks, extent: extent.y });
  if (!arranged.below) return { x, y };
  const reduction = verticalAxis(arranged.below, { inks, extent: extentOf(arranged.below).y });
  const stacked = { position: 'left' as const, stack: 'below each other' };
  return {
    x,
    [belowAxis]: {
      ...reduction,
      title: { ...reduction.title, text: 'Reduction, %' },
      grid: { color: ({ tick }: { tick: { value: number } }) => (tick.value === 0 ? inks.text : inks.line) },
      ...stacked,
      stackWeight: 1,
      // Keeps the outermost numbers of both axes apart.
      offset: true,
    },
    // The first axis of a stack is the lowest.
    y: { ...y, ...stacked, stackWeight: 2 },
  };
}

function verticalAxis(
  arranged: ArrangedFigure,
  { inks, extent }: { inks: ChartInks; extent: { suggestedMax: number; suggestedMin: number; fits: boolean } },
) {
  const { kind, statistic, logY } = arranged.choice;
  const title = nameVertical(arranged);
  if (kind === 'distribution')
    return { ...valueAxis({ title, inks, format: (value) => `${Math.round(value * 100)} %` }), max: 1 };
  const { suggestedMin, suggestedMax } = extent;
  if (logY) return { ...logarithmicAxis({ title, inks }), suggestedMin: suggestedMin / margin, suggestedMax };
  const isSigned = statistic === 'reduction';
  const isFromZero = isSigned || kind === 'bars' || !extent.fits;
  const axis = valueAxis({ title, inks, canBeNegative: isSigned, startsAtZero: isFromZero });
  return {
    ...axis,
    ...(!isSigned && { afterBuildTicks: endAtZero }),
    ...((isSigned || !isFromZero) && { suggestedMin }),
    suggestedMax,
  };
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

function extentOf(arranged: ArrangedFigure) {
  const { choice, panels } = arranged;
  const points = panels.flatMap(({ series }) => series.flatMap((each) => each.points));
  const xs = points.flatMap(({ x }) => (typeof x === 'number' && (!choice.logX || x > 0) ? x : []));
  const factor = choice.statistic === 'reduction' ? 100 : 1;
  const highs = points.map(({ y, high }) => (high ?? y) * factor);
  const lows = choice.logY
    ? points.map(({ y }) => y).filter((y) => y > 0)
    : points.map(({ y, low }) => (low ?? y) * factor);
  const [least, most] = [Math.min(...xs), Math.max(...xs)];
  const room = dodgeMarks(arranged).margin;
  return {
    x:
      xs.length === 0
        ? {}
        : choice.logX
          ? { min: least / margin, max: most * margin }
          : room > 0
            ? { min: least - room, max: most + room }
            : { suggestedMin: least, suggestedMax: most },
    y: {
      suggestedMin: lows.length === 0 ? 0 : Math.min(...lows),
      suggestedMax: Math.max(...highs),
      fits: !startsAtZero([...lows, ...highs]),
    },
  };
}
