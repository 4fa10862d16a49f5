import { InvalidArgumentError } from 'commander';

const unitBytes = new Map([
  ['', 1],
  ['KB', 1e3],
  ['MB', 1e6],
  ['GB', 1e9],
  ['TB', 1e12],
  ['KIB', 2 ** 10],
  ['MIB', 2 ** 20],
  ['GIB', 2 ** 30],
  ['TIB', 2 ** 40],
]);

/** A number of bytes from the command line: `5GB`, `500 MB`, `1.5GiB`, `0`. */
export function readSize(text: string): number {
  const [, number, unit] = /^(\d+(?:\.\d+)?)\s*([KMGT]i?B)?$/i.exec(text.trim()) ?? [];
  const bytes = Number(number) * (unitBytes.get((unit ?? '').toUpperCase()) ?? NaN);
  if (!Number.isSafeInteger(Math.round(bytes)))
    throw new InvalidArgumentError('A size is a number of bytes, or one with a unit such as 500MB, 5GB or 5GiB.');
  return Math.round(bytes);
}
