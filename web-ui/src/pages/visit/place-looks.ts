import type { Look } from './list-film-looks.ts';

interface Room {
  endMs: number;
  widthPx: number;
  /** Of one picture, and between two. */
  pictureWidthPx: number;
  gapPx: number;
}

/** A picture of a filmstrip: where its left edge is, and where its time is on the axis. */
export interface PlacedLook {
  index: number;
  leftPx: number;
  timePx: number;
}

/**
 * Lays pictures out over a time axis: each begins at its time, or as near to it as the others leave room. Where there is no room for all, those that were shown
 * for the shortest times are left out, never the first or the last.
 */
export function placeLooks(looks: readonly Look[], { endMs, widthPx, pictureWidthPx, gapPx }: Room): PlacedLook[] {
  const stepPx = pictureWidthPx + gapPx;
  const shown = chooseLooks(looks, Math.max(1, Math.floor((widthPx + gapPx) / stepPx)));
  const timesPx = shown.map((index) => (widthPx * looks[index]!.atMs) / endMs);
  const leftsPx: number[] = [];
  for (const timePx of timesPx) leftsPx.push(Math.max(timePx, (leftsPx.at(-1) ?? -Infinity) + stepPx));
  for (let place = leftsPx.length - 1, limitPx = widthPx - pictureWidthPx; place >= 0; place--, limitPx -= stepPx)
    leftsPx[place] = Math.max(0, Math.min(leftsPx[place]!, limitPx));
  return shown.map((index, place) => ({ index, leftPx: leftsPx[place]!, timePx: timesPx[place]! }));
}

/** The positions of `count` looks, in order. Without a look, the one before it covers its time too. So the rest is spread over the axis. */
function chooseLooks(looks: readonly Look[], count: number): number[] {
  const chosen = looks.map((_, index) => index);
  const timeOf = (place: number) => looks[chosen[place]!]!.atMs;
  while (chosen.length > count) {
    let [shortest, leastMs] = [0, Infinity];
    for (let place = 1; place < chosen.length - 1; place++) {
      const standsForMs = timeOf(place + 1) - timeOf(place);
      if (standsForMs < leastMs) [shortest, leastMs] = [place, standsForMs];
    }
    chosen.splice(shortest, 1);
  }
  return chosen;
}
