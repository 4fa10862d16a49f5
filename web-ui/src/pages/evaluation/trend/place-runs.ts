import type { ChartInks } from '../../../components/chart-inks.ts';
import { formatTime } from '../../../format/format-time.ts';
import { placeAxis } from '../../comparison/figures/value-axis.ts';
import type { TrendAxis, TrendPlace } from './arrange-trend.ts';

const dayMs = 86_400_000;
const mostTicks = 6;
/** How far the Runs of one value stand from each other, at most, of the distance between values. */
const spread = 0.5;

interface PlacedRuns {
  /** In the order of the places. */
  positions: number[];
  /** By how much the marks of the Scenarios of a Run are moved apart, as a factor of `dodgeOf`. */
  dodge: number;
  describeAxis: (inks: ChartInks) => ReturnType<typeof placeAxis> | ReturnType<typeof dateAxis>;
}

/** Where Runs stand on the x axis: by date at their time, else side by side at their value. */
export function placeRuns(places: readonly TrendPlace[], axis: TrendAxis): PlacedRuns {
  if (axis === 'date') {
    const positions = places.map(({ startedAt }) => Date.parse(startedAt));
    return { positions, dodge: 0, describeAxis: (inks) => dateAxis(positions, inks) };
  }
  const groups = Map.groupBy(places, ({ value }) => value);
  const values = [...groups.keys()];
  const mostAlike = Math.max(...[...groups.values()].map(({ length }) => length));
  const positions = places.map((place) => {
    const alike = groups.get(place.value)!;
    const offset = (alike.indexOf(place) + 0.5) / alike.length - 0.5;
    return values.indexOf(place.value) + 1 + offset * spread;
  });
  return {
    positions,
    dodge: (spread / mostAlike) * 1.5,
    describeAxis: (inks) =>
      placeAxis(
        values.map((value) => value || 'without'),
        inks,
      ),
  };
}

/** Times. Ticks are days, or minutes where all Runs are of one or two days. */
function dateAxis(positions: readonly number[], inks: ChartInks) {
  const first = Math.min(...positions);
  const last = Math.max(...positions);
  const margin = Math.max((last - first) * 0.04, 60_000);
  const isShort = last - first < 2 * dayMs;
  const count = Math.min(mostTicks, Math.max(1, new Set(positions).size));
  return {
    type: 'linear' as const,
    min: first - margin,
    max: last + margin,
    border: { color: inks.line },
    grid: { display: false },
    ticks: {
      color: inks.text,
      maxRotation: 0,
      callback: (value: string | number) =>
        formatTime(new Date(Number(value)).toISOString()).slice(0, isShort ? 16 : 10),
    },
    afterBuildTicks: (axis: { ticks: { value: number }[] }) => {
      axis.ticks = Array.from({ length: count }, (_, index) => ({
        value: count === 1 ? first : first + ((last - first) * index) / (count - 1),
      }));
    },
  };
}
