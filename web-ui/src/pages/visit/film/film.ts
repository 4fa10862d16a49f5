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
    ...films.flatMap(({ looks, moments }) => [looks.at(-1)?.atMs ?? 0, ...moments.map(({ atMs }) => atMs)]),
  );
}
