import { expect, test } from 'vitest';
import { chooseTests, testKinds } from '#cli/test/choose-tests.ts';

const listFiles = (kind: string) => [
  `tests/${kind}/metrics/base-latency.test.ts`,
  `tests/${kind}/har/build-har.test.ts`,
  `tests/${kind}/har/huge-har.slow.test.ts`,
];
const choose = (...args: string[]) => chooseTests(args, { listFiles, all: false });

test('without arguments every kind is run', () => {
  expect(choose()).toEqual({ kinds: [...testKinds], files: [], words: '' });
  expect(choose('unit', 'db')).toEqual({ kinds: ['unit', 'db'], files: [], words: '' });
});

test('after one kind, parts of paths choose files, and all else is words of the names of tests', () => {
  expect(choose('unit', 'metrics/', 'har/build')).toEqual({
    kinds: ['unit'],
    files: ['metrics/', 'har/build'],
    words: '',
  });
  expect(choose('unit', 'base-latency', 'a', 'redirect')).toEqual({
    kinds: ['unit'],
    files: ['base-latency'],
    words: 'a redirect',
  });
});

test('a part of slow files only needs --all', () => {
  expect(() => choose('unit', 'huge')).toThrow('Add --all');
  expect(chooseTests(['unit', 'huge'], { listFiles, all: true }).files).toEqual(['huge']);
  expect(choose('unit', 'har').files).toEqual(['har']);
});

test.for([
  [['unti'], '"unti" is not a kind. Allowed choices are lint, unit'],
  [['unit', 'db', 'metrics'], 'after one kind'],
  [['lint', 'metrics'], 'other than lint'],
] as const)('%j is rejected', ([args, message]) => {
  expect(() => choose(...args)).toThrow(message);
});
