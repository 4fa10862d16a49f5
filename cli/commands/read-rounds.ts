import { InvalidArgumentError } from 'commander';

const maximumRounds = 1000;

/** For an option: how many Rounds of each Scenario there are. */
export function readRounds(text: string): number {
  const rounds = Number(text);
  if (!/^\d+$/.test(text) || rounds < 1 || rounds > maximumRounds)
    throw new InvalidArgumentError(`It must be a whole number from 1 to ${maximumRounds}.`);
  return rounds;
}
