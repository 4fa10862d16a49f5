import type { Filmstrip } from '#core/protocol/filmstrip.ts';

/** What the viewport showed from one moment on. */
export interface Look {
  sha256: string;
  /** 0 for what was there when navigation started. */
  atMs: number;
  /** Until the next look; null of the last, which stayed. */
  shownForMs: number | null;
}

export function listLooks({ frames }: Extract<Filmstrip, { kind: 'kept' }>, originEpochMs: number): Look[] {
  const times = frames.map(({ shownEpochMs }) => Math.max(0, shownEpochMs - originEpochMs));
  return frames.map(({ sha256 }, index) => ({ sha256, atMs: times[index]!, shownForMs: index + 1 < times.length ? times[index + 1]! - times[index]! : null }));
}
