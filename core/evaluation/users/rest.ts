import { z } from 'zod';

/** The longest rest that can be set, or the longest mean of rests drawn at random, in ms. */
export const longestRestMs = 600_000;

/** A drawn rest has at most this many times the mean: one in 22,000 would be longer. */
export const longestDrawInMeans = 10;

const notARest = {
  error:
    'must be a number of milliseconds without a unit, such as 400, or "exponential: 5000" for think times with this mean',
};
const rangeOf = (min: number) =>
  z.number(notARest).min(min, `must be at least ${min} ms`).max(longestRestMs, `must be at most ${longestRestMs} ms`);

/** The rest before each Visit: the same each time, or think times from an exponential distribution. */
export const RestSchema = z.union([
  rangeOf(0),
  z
    .strictObject({ exponential: rangeOf(1).describe('The mean of the think times.') }, notARest)
    .describe('Think times, drawn at random from an exponential distribution by the seed of the Run.'),
]);

export type Rest = z.infer<typeof RestSchema>;

/** The rest that is expected in the mean, in ms. */
export function meanRestMs(rest: Rest): number {
  return typeof rest === 'number' ? rest : rest.exponential;
}
