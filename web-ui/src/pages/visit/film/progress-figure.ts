import { describePlot } from '#web-ui/src/figures/describe-plot.ts';
import type { Figure } from '../../../components/chart/figure.ts';
import { formatMs } from '../../../format/format-ms.ts';
import { formatPercent } from '../../../format/format-ratios.ts';
import { endOfFilms, hasProgress, type Film } from './film.ts';

const unnamed = { colour: '#808080', shape: 'circle' } as const;

/** How the viewport filled, a line for each film. Null where the visual progress of one is not known: half of a comparison misleads. */
export function progressFigure(films: readonly Film[], url: string): Figure | null {
  if (films.length === 0 || !films.every(({ looks }) => hasProgress(looks))) return null;
  const endMs = Math.ceil(endOfFilms(films));
  return {
    title: `Visual progress of ${url}`,
    fileName: `visual progress ${url}`,
    table: {
      columns: [{ label: 'Scenario' }, { label: 'time', unit: 'ms' }, { label: 'visual progress', decimals: 3 }],
      rows: films.flatMap(({ name, looks }) =>
        looks.map(({ atMs, progressRatio }) => [name, atMs, progressRatio ?? null]),
      ),
    },
    describe: describePlot(() => ({
      x: {
        kind: 'numbers',
        title: 'Time from navigation start',
        unit: 'ms',
        startsAtZero: true,
        limits: { max: endMs },
      },
      y: {
        kind: 'numbers',
        title: 'Visual progress',
        format: (value) => `${Math.round(value * 100)} %`,
        startsAtZero: true,
        limits: { max: 1 },
      },
      layers: films.map(({ name, style, looks }) => ({
        kind: 'steps',
        label: name,
        look: style ?? unnamed,
        pointPx: 2.5,
        marks: [
          ...looks.map(({ atMs, progressRatio = 0 }) => placeProgress(atMs, progressRatio)),
          // The last look stays.
          placeProgress(endMs, looks.at(-1)!.progressRatio!),
        ],
      })),
      // As much as a mark at 100 % needs.
      clip: 6,
      reads: 'nearest',
    })),
  };
}

function placeProgress(ms: number, ratio: number) {
  return { x: ms, y: ratio, text: `${formatPercent(ratio)} from ${formatMs(ms)}` };
}
