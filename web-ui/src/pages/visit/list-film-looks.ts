import type { Filmstrip } from '#core/protocol/filmstrip.ts';
import { formatMs } from '../../format/format-times.ts';

/** What the viewport showed from one moment on. */
export interface Look {
  sha256: string;
  /** 0 for what was there when navigation started. */
  atMs: number;
  /** Until the next look; null of the last, which stayed. */
  shownForMs: number | null;
  /** It was seen then, and may have been shown before. Its first time is not known. */
  isLate: boolean;
  /** Visual progress: how much of the last look it has. Not there where its Agent did not measure it. */
  progressRatio?: number;
}

export function listLooks({ frames, isLastLate }: Extract<Filmstrip, { kind: 'kept' }>, originEpochMs: number): Look[] {
  const times = frames.map(({ shownEpochMs }) => Math.max(0, shownEpochMs - originEpochMs));
  return frames.map(({ sha256, progressRatio }, index) => ({
    sha256,
    ...(progressRatio !== undefined && { progressRatio }),
    atMs: times[index]!,
    shownForMs: index + 1 < times.length ? times[index + 1]! - times[index]! : null,
    isLate: isLastLate && index === frames.length - 1,
  }));
}

/** Since when a look was shown: `412 ms`, or `by 954 ms` where it may have been earlier. */
export function describeLookTime({ atMs, isLate }: Look): string {
  return `${isLate ? 'by ' : ''}${formatMs(atMs)}`;
}
