import type { ScenarioStyle } from '../../../components/scenario/scenario-style.ts';
import type { Look } from '../list-film-looks.ts';
import type { SeenVisit } from '../use-seen-visit.ts';

/** What the viewport of a Visit showed, to be played. */
export interface Film {
  /** Whose it is. */
  name: string;
  style: ScenarioStyle | undefined;
  looks: readonly Look[];
  /** Width over height. */
  shape: number;
  moments: { label: string; atMs: number }[];
}

const usualShape = 16 / 9;
const named = [
  ['baseMs', 'base'],
  ['viewportMs', 'viewport'],
  ['totalMs', 'total'],
] as const;

export function makeFilm({ visit: { scenario, snapshot, readings }, looks, style }: SeenVisit): Film {
  const { widthPx = 0, heightPx = 0 } = snapshot?.viewport ?? {};
  return {
    name: scenario,
    style,
    looks,
    shape: widthPx > 0 && heightPx > 0 ? widthPx / heightPx : usualShape,
    moments: named.flatMap(([metric, label]) => {
      const atMs = readings[metric];
      return atMs === undefined ? [] : [{ label, atMs }];
    }),
  };
}

/** What was to be seen at a time; undefined before the first look. */
export function lookAt({ looks }: Film, ms: number): Look | undefined {
  return looks.findLast(({ atMs }) => atMs <= ms);
}

/** When the last film ends. */
export function endOfFilms(films: readonly Film[]): number {
  return Math.max(
    0,
    ...films.flatMap(({ looks, moments }) => [looks.at(-1)?.atMs ?? 0, ...moments.map(({ atMs }) => atMs)]),
  );
}

/** How much of its last look a film shows at a time, from 0 to 1. Where its Agent did not measure that, each look counts alike. */
export function progressAt({ looks }: Pick<Film, 'looks'>, ms: number): number {
  const index = looks.findLastIndex(({ atMs }) => atMs <= ms);
  const look = looks[index];
  if (!look) return 0;
  if (hasProgress(looks)) return look.progressRatio!;
  return looks.length === 1 ? 1 : index / (looks.length - 1);
}

/** Whether the visual progress of each look is known. */
export function hasProgress(looks: Film['looks']): boolean {
  return looks.length > 0 && looks.every(({ progressRatio }) => progressRatio !== undefined);
}

/** A shorter difference is not seen, such as one of two frames of a page that is shown at nearly the same time. */
const leastSeenMs = 100;

/** When two films differ most in what they show for as long as can be seen: the beginning of it, and of several such times the longest. 0 where they never differ so long. */
export function findLargestDifference([one, other]: readonly [Film, Film]): number {
  const endMs = endOfFilms([one, other]);
  const times = [...new Set([one, other].flatMap(({ looks }) => looks.map(({ atMs }) => atMs)))].sort((a, b) => a - b);
  let largest = { atMs: 0, difference: 0, lastsMs: 0 };
  for (const [index, atMs] of times.entries()) {
    const difference = Math.abs(progressAt(one, atMs) - progressAt(other, atMs));
    const lastsMs = (times[index + 1] ?? endMs) - atMs;
    if (lastsMs < leastSeenMs) continue;
    const isLonger = difference > 0 && difference === largest.difference && lastsMs > largest.lastsMs;
    if (difference > largest.difference || isLonger) largest = { atMs, difference, lastsMs };
  }
  return largest.atMs;
}
