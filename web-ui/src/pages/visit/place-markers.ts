import type { VisitMarker } from './visit-markers.ts';

/** The name of one moment, or of several at one place. */
export interface PlacedMarker {
  text: string;
  leftPx: number;
  /** From the top, where names would cover each other. */
  row: number;
}

/** Moments nearer than this have one name. */
const nearPx = 3;
const gapPx = 8;
/** Of a letter of the small font, at most. */
const letterPx = 6.6;

/** Names moments where they stand on an axis of that width: in as many rows as they need so that no name covers another. */
export function placeMarkers(
  markers: readonly VisitMarker[],
  { endMs, widthPx }: { endMs: number; widthPx: number },
): PlacedMarker[] {
  const places: { atPx: number; labels: string[] }[] = [];
  for (const { label, atMs } of markers.toSorted((a, b) => a.atMs - b.atMs)) {
    const atPx = (widthPx * atMs) / endMs;
    const last = places.at(-1);
    if (last && atPx - last.atPx <= nearPx) last.labels.push(label);
    else places.push({ atPx, labels: [label] });
  }
  const ends: number[] = [];
  return places.map(({ atPx, labels }) => {
    const text = labels.join(' = ');
    const textPx = text.length * letterPx;
    const leftPx = Math.max(0, Math.min(atPx + 2, widthPx - textPx));
    const free = ends.findIndex((endPx) => leftPx >= endPx + gapPx);
    const row = free === -1 ? ends.length : free;
    ends[row] = leftPx + textPx;
    return { text, leftPx, row };
  });
}
