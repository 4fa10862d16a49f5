import type { Scale } from 'chart.js';
import type { ChartInks } from '../components/chart-inks.ts';
import type { CategoryAxis, PlaceAxis } from './plot.ts';

export function describePlaces({ title, names, headings, isReversed }: PlaceAxis, inks: ChartInks) {
  return {
    ...placeAxis(names, inks, headings),
    ...(title !== undefined && { title: { display: true, text: title, color: inks.text } }),
    ...(isReversed && { reverse: true }),
  };
}

/** Of a chart, for its places. */
const placesRatio = 0.8;
/** Of a letter of a name, with the room beside it. */
const letterPx = 7;
/** Letters for all names below a chart, on a page. */
const lettersAlong = 120;
const fewestLetters = 8;
/** Of more, some are left out. */
const mostNames = 24;

/** Below a chart, long names are in several lines. */
export function describeCategories(
  { names, isNumbered, isStacked, fontPx, widthPx }: CategoryAxis,
  inks: ChartInks,
  side: 'x' | 'y',
) {
  const mostLetters = Math.max(fewestLetters, Math.floor(lettersAlong / names.length));
  return {
    type: 'category' as const,
    border: { color: inks.line },
    grid: { display: false },
    ...(isStacked && { stacked: true }),
    ...(widthPx !== undefined && keepWidth(widthPx)),
    ...(isNumbered && { labels: names.map((_, index) => String(index)) }),
    ticks: {
      color: inks.text,
      ...(fontPx !== undefined && { font: { size: fontPx } }),
      ...(side === 'x' && {
        maxRotation: 90,
        autoSkip: names.length > mostNames,
        callback: (value: string | number) => wrapText(names[Number(value)] ?? '', mostLetters),
      }),
    },
  };
}

/** Names of groups below those of their places, with a line between two groups. */
export function describeGroups(groups: NonNullable<CategoryAxis['groups']>, inks: ChartInks) {
  const ends = groups.map((_, index) => groups.slice(0, index + 1).reduce((sum, { count }) => sum + count, 0));
  const ticks = groups.flatMap(({ name, count }, index) => {
    const end = ends[index]!;
    return [{ value: end - count / 2, name }, ...(index < groups.length - 1 ? [{ value: end, name: '' }] : [])];
  });
  const nameAt = new Map(ticks.map(({ value, name }) => [value, name]));
  return {
    type: 'linear' as const,
    axis: 'x' as const,
    position: 'bottom' as const,
    min: 0,
    max: ends.at(-1)!,
    // A chart of bars has room at the ends of its axes.
    offset: false,
    border: { display: false },
    grid: {
      // Chart.js asks without a tick, too.
      color: ({ tick }: { tick?: { value: number } }) =>
        tick && nameAt.get(tick.value) === '' ? inks.line : 'transparent',
      drawTicks: false,
      offset: false,
    },
    ticks: {
      color: inks.text,
      autoSkip: false,
      maxRotation: 0,
      font: { weight: 'bold' as const },
      callback: (value: string | number) => nameAt.get(Number(value)) ?? '',
    },
    afterBuildTicks: (axis: { ticks: { value: number }[] }) => {
      axis.ticks = ticks.map(({ value }) => ({ value }));
    },
  };
}

/** Places 1, 2, 3 … with a name each, so that marks of several Scenarios can stand side by side in one. Those at the indices of headings are bold. */
function placeAxis(names: string[], inks: ChartInks, headings: ReadonlySet<number> = new Set()) {
  return {
    type: 'linear' as const,
    min: 0.5,
    max: names.length + 0.5,
    border: { color: inks.line },
    grid: { display: false },
    ticks: {
      color: inks.text,
      autoSkip: true,
      maxRotation: 40,
      font: ({ index }: { index: number }) => (headings.has(index) ? { weight: 'bold' as const } : {}),
      callback(this: Scale, value: string | number) {
        const name = shorten(names[Number(value) - 1] ?? '');
        if (!this.isHorizontal()) return name;
        const roomPx = (placesRatio * this.chart.width) / names.length;
        return wrapText(name, Math.max(fewestLetters, Math.floor(roomPx / letterPx)));
      },
    },
    afterBuildTicks: (axis: { ticks: { value: number }[] }) => {
      axis.ticks = names.map((_, index) => ({ value: index + 1 }));
    },
  };
}

function shorten(label: string): string {
  return label.length <= 28 ? label : `${label.slice(0, 12)}…${label.slice(-15)}`;
}

/** So that axes of figures below each other end at one line. */
export function keepWidth(widthPx: number) {
  return {
    afterFit: (axis: { width: number }) => {
      axis.width = widthPx;
    },
  };
}

/** A text in lines that fit, broken at spaces; a word that does not is a line by itself. */
export function breakLines(text: string, fits: (line: string) => boolean): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const longer = `${lines.at(-1) ?? ''} ${word}`;
    if (lines.length > 0 && fits(longer)) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  return lines;
}

/** The same in lines of at most so many letters. */
export function wrapText(text: string, mostLetters: number): string[] {
  return breakLines(text, (line) => line.length <= mostLetters);
}
