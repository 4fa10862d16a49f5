import { expect, test } from 'vitest';
import { formatPath, readFormattedPath } from '#core/input/describe-issues.ts';

test('a path that the Controller names leads to the field that the editor has', () => {
  const paths = [
    [],
    ['urlLists', 'my "own" pages', 0, 'url'],
    ['scenarios', 12, 'browser', 'user-agent'],
    ['a.b', 'c', '[0]'],
  ];
  expect(paths.map((path) => readFormattedPath(formatPath(path)))).toEqual(paths);
});
