import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

const steps = 1000;

/**
 * When each message of a task arises, in ms from the first: gaps are drawn evenly between half and one and a half times the mean, so that they keep no
 * step with round trips. The same in every Visit.
 */
export function drawInstants({ messages, gapMs }: { messages: number; gapMs: number }): number[] {
  const generator = xoroshiro128plus(1);
  let atMs = 0;
  return Array.from({ length: messages }, (_, index) => {
    if (index > 0) atMs += gapMs * (0.5 + uniformInt(generator, 0, steps) / steps);
    return atMs;
  });
}
