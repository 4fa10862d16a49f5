import type { Cell } from '#core/comparison/comparison.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { labelScenario, type ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import { describePlot } from '../../../figures/describe-plot.ts';
import { nameRange } from '../../../figures/write-caption.ts';
import { formatPercent } from '../../../format/format-ratios.ts';
import { formatMs } from '../../../format/format-times.ts';

interface Box {
  min: number;
  q1: number;
  median: number;
  q3: number;
  max: number;
}

/** With more Visits than this, their points would hide the box. */
const mostPoints = 30;

/** The distribution of the Visits of one URL, a box per Scenario: quartiles, and the whole range as whiskers, so that no Visit is hidden. Few Visits have a point each. */
export function boxFigure(
  cells: Cell[],
  { url, metricLabel, styles }: { url: string; metricLabel: string; styles: Map<string, ScenarioStyle> },
): Figure {
  const title = `${metricLabel} of the Visits of ${url}`;
  const boxes = cells.map((cell) => ({
    scenario: cell.scenario,
    box: boxOf(cell),
    values: listVisitValues(cell, mostPoints) ?? [],
  }));
  return {
    title,
    fileName: `box plot ${url}`,
    ...ofVisits(cells),
    table: {
      columns: [
        { label: 'Scenario' },
        ...['minimum', 'first quartile', 'median', 'third quartile', 'maximum'].map((label) => ({ label, unit: 'ms' })),
      ],
      rows: boxes.map(({ scenario, box }) => [
        scenario,
        box?.min ?? null,
        box?.q1 ?? null,
        box?.median ?? null,
        box?.q3 ?? null,
        box?.max ?? null,
      ]),
    },
    describe: describePlot(() => {
      const drawn = boxes.flatMap(({ scenario, box, values }) =>
        box === null ? [] : [{ scenario, box: { ...box, values, colour: styles.get(scenario)!.colour } }],
      );
      return {
        x: { kind: 'categories', names: drawn.map(({ scenario }) => labelScenario(scenario, styles)) },
        y: { kind: 'numbers', title: metricLabel, unit: 'ms', startsAtZero: false, limits: { grace: '6%' } },
        layers: [{ kind: 'boxes', label: '', boxes: drawn.map(({ box }) => box) }],
      };
    }),
  };
}

/** Quartiles as the smallest value at or below which that part of the Visits lies; null where the report has no distribution. */
export function boxOf({ distribution }: Pick<Cell, 'distribution'>): Box | null {
  if (distribution?.ecdf.kind !== 'measured' || distribution.ecdf.points.length === 0) return null;
  const { points } = distribution.ecdf;
  const quantile = (ratio: number) => points.find((point) => point.ratio >= ratio - 1e-12)!.value;
  return {
    min: points[0]!.value,
    q1: quantile(0.25),
    median: quantile(0.5),
    q3: quantile(0.75),
    max: points.at(-1)!.value,
  };
}

type Counts = Pick<Cell, 'visits' | 'failedVisits' | 'absentVisits' | 'leftOutVisits'>;

function countValues({ visits, failedVisits, absentVisits, leftOutVisits }: Counts): number {
  return visits - failedVisits - absentVisits - leftOutVisits;
}

/** Of a figure of all Visits of one URL, for its caption. */
function ofVisits(cells: readonly Counts[]): Pick<Figure, 'hasIntervals' | 'restsOn'> {
  const counts = cells.map(countValues);
  const range = { least: Math.min(...counts), most: Math.max(...counts) };
  return { hasIntervals: false, restsOn: `n = ${nameRange(range, 'Visit')} in each Scenario` };
}

/**
 * The value of each Visit of a cell, in order of size; null where there are more than `most`, or where the report has no distribution. Of so few Visits the
 * distribution has every step, and the height of a step is how many Visits have its value.
 */
export function listVisitValues(
  {
    distribution,
    visits,
    failedVisits,
    absentVisits,
    leftOutVisits,
  }: Pick<Cell, 'distribution' | 'visits' | 'failedVisits' | 'absentVisits' | 'leftOutVisits'>,
  most: number,
): number[] | null {
  const count = countValues({ visits, failedVisits, absentVisits, leftOutVisits });
  if (distribution?.ecdf.kind !== 'measured' || count > most) return null;
  const { points } = distribution.ecdf;
  return points.flatMap(({ value, ratio }, index) => {
    const below = points[index - 1]?.ratio ?? 0;
    return Array.from({ length: Math.round((ratio - below) * count) }, () => value);
  });
}

/** What part of the Visits of one URL took at most so long, a line per Scenario. */
export function ecdfFigure(
  cells: Cell[],
  { url, metricLabel, styles }: { url: string; metricLabel: string; styles: Map<string, ScenarioStyle> },
): Figure {
  const title = `Distribution of the Visits of ${url}`;
  const pointsOf = ({ distribution }: Cell) => (distribution?.ecdf.kind === 'measured' ? distribution.ecdf.points : []);
  return {
    title,
    fileName: `distribution ${url}`,
    ...ofVisits(cells),
    table: {
      columns: [
        { label: 'Scenario' },
        { label: metricLabel, unit: 'ms' },
        { label: 'share of Visits up to this latency', decimals: 3 },
      ],
      rows: cells.flatMap((cell) => pointsOf(cell).map(({ value, ratio }) => [cell.scenario, value, ratio])),
    },
    describe: describePlot(() => ({
      x: { kind: 'numbers', title: metricLabel, unit: 'ms', startsAtZero: false },
      y: {
        kind: 'numbers',
        title: 'Share of Visits',
        format: (value) => `${Math.round(value * 100)} %`,
        limits: { max: 1 },
      },
      layers: cells.map((cell) => {
        const marks = pointsOf(cell).map(({ value, ratio }) => placeShare(value, ratio));
        const [first] = marks;
        return {
          kind: 'steps',
          label: labelScenario(cell.scenario, styles),
          look: styles.get(cell.scenario)!,
          pointPx: 2.5,
          marks: first ? [placeShare(first.x, 0), ...marks] : [],
        };
      }),
      // As much as a mark at 100 % needs.
      clip: 6,
      reads: 'nearest',
    })),
  };
}

function placeShare(value: number, ratio: number) {
  return { x: value, y: ratio, text: `${formatPercent(ratio)} in ${formatMs(value)}` };
}
