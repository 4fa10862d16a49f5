/** The video that a player holds ahead, at most. */
export const videoBufferMs = 30_000;
export const videoSegmentMs = 4_000;
/** Up to here the lowest rate; from here on, over the cushion, a higher one for more in the buffer. */
const reservoirMs = 8_000;
const cushionMs = 16_000;

/** The rate of the next segment by what is in the buffer alone: BBA-0 of Huang et al. 2014 ("A Buffer-Based Approach to Rate Adaptation", algorithm 1). */
export function chooseVideoRate(
  ladderKbps: readonly number[],
  { bufferMs, previousKbps }: { bufferMs: number; previousKbps: number },
): number {
  const lowest = ladderKbps[0]!;
  const highest = ladderKbps.at(-1)!;
  if (bufferMs <= reservoirMs) return lowest;
  if (bufferMs >= reservoirMs + cushionMs) return highest;
  const mappedKbps = lowest + ((highest - lowest) * (bufferMs - reservoirMs)) / cushionMs;
  const above = ladderKbps.find((rate) => rate > previousKbps) ?? highest;
  const below = ladderKbps.findLast((rate) => rate < previousKbps) ?? lowest;
  if (mappedKbps >= above) return ladderKbps.findLast((rate) => rate < mappedKbps) ?? lowest;
  if (mappedKbps <= below) return ladderKbps.find((rate) => rate > mappedKbps) ?? highest;
  return previousKbps;
}
