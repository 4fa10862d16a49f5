import { InvalidArgumentError } from 'commander';
import { expect, test } from 'vitest';
import { readSize } from '#cli/commands/read-size.ts';

test.for([
  ['0', 0],
  ['1500', 1500],
  ['5GB', 5e9],
  ['500 MB', 5e8],
  ['1.5GiB', 1.5 * 2 ** 30],
  ['2tb', 2e12],
] as const)('%s is %i bytes', ([text, bytes]) => {
  expect(readSize(text)).toBe(bytes);
});

test.for(['', '-1', '5G', 'GB', '1e9', '99999999TB', '5 GB and more'])('"%s" is no size', (text) => {
  expect(() => readSize(text)).toThrow(InvalidArgumentError);
});
