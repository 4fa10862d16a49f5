import { InvalidArgumentError } from 'commander';

const mostMinutes = 7 * 24 * 60;

/** For an option: a length of time. */
export function readMinutes(text: string): number {
  const minutes = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || minutes === 0 || minutes > mostMinutes)
    throw new InvalidArgumentError(`It must be a number above 0, and at most ${mostMinutes}.`);
  return minutes;
}
