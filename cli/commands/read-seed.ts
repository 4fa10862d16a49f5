import { InvalidArgumentError } from 'commander';

const greatestSeed = 2 ** 31 - 1;

/** For an option: what random numbers begin with. */
export function readSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || seed > greatestSeed)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${greatestSeed}.`);
  return seed;
}
