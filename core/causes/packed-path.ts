import { causeIds, type CauseId } from './causes.ts';
import type { PathStep } from './critical-path.ts';

const numbersOfStep = 3;

/** A critical path as it is stored: of each step the place of its cause, its start and its end in epoch ms. Neighbours of one cause are one step. */
export function packPath(path: readonly PathStep[], originEpochMs: number): number[] {
  const packed: number[] = [];
  let last: CauseId | null = null;
  for (const { cause, startMs, endMs } of path) {
    if (cause === last) packed[packed.length - 1] = originEpochMs + endMs;
    else packed.push(causeIds.indexOf(cause), originEpochMs + startMs, originEpochMs + endMs);
    last = cause;
  }
  return packed;
}

/** The same path on another clock. */
export function movePath(packed: readonly number[], offsetMs: number): number[] {
  return packed.map((value, index) => (index % numbersOfStep === 0 ? value : value + offsetMs));
}

/** Its steps. What no cause has this place is left out. */
export function* readPath(packed: readonly number[]): Generator<{ cause: CauseId; startMs: number; endMs: number }> {
  for (let index = 0; index + 2 < packed.length; index += numbersOfStep) {
    const cause = causeIds[packed[index]!];
    if (cause) yield { cause, startMs: packed[index + 1]!, endMs: packed[index + 2]! };
  }
}
