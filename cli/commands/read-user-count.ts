import { InvalidArgumentError } from 'commander';
import { maximumUserCount } from '#testbed/namespaces/addresses.ts';

/** For an option: how many users are to have a namespace of their own. */
export function readUserCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text) || count > maximumUserCount)
    throw new InvalidArgumentError(`It must be a whole number from 0 to ${maximumUserCount}.`);
  return count;
}
