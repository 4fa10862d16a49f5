import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '#cli/installation.ts';
import { explainExit, findSlowFiles, readVitestReport } from '#cli/test/run-vitest.ts';
import { addTallies, describeTimes, summarize } from '#cli/test/tally.ts';

const fileWith = (
  status: string,
  tests: { fullName: string; status: string; failureMessages?: string[] }[],
  message = '',
) => ({
  name: path.join(packageRoot, 'tests', 'unit', 'x.test.ts'),
  status,
  message,
  startTime: 1000,
  endTime: 3500,
  assertionResults: tests,
});

test('passed, failed and skipped tests are counted, and a failure is reported with its place', () => {
  const report = {
    testResults: [
      fileWith('failed', [
        { fullName: 'adds', status: 'passed' },
        { fullName: 'divides', status: 'failed', failureMessages: ['expected 1 to be 2'] },
        { fullName: 'needs a kernel', status: 'skipped' },
        { fullName: 'is to be written', status: 'todo' },
      ]),
    ],
  };
  const tally = readVitestReport('unit', report);
  expect(tally).toEqual({
    passed: 1,
    skipped: 2,
    failures: [{ name: 'unit: tests/unit/x.test.ts: divides', message: 'expected 1 to be 2' }],
    times: [{ name: 'unit: tests/unit/x.test.ts', tookMs: 2500 }],
  });
});

test('a file that could not be run is a failure, though none of its tests failed', () => {
  const tally = readVitestReport('db', { testResults: [fileWith('failed', [], 'Cannot find module')] });
  expect(tally.failures).toEqual([{ name: 'db: tests/unit/x.test.ts', message: 'Cannot find module' }]);
});

test('the parts add up to the last line', () => {
  const part = { passed: 2, skipped: 1, failures: [{ name: 'a', message: 'b' }], times: [] };
  expect(summarize(addTallies([part, part, { passed: 0, skipped: 0, failures: [], times: [] }]))).toBe(
    '4 passed, 2 failed, 2 skipped',
  );
});

test('the time of each kind is shown, and the ten slowest files', () => {
  const files = Array.from({ length: 12 }, (_, index) => ({ name: `file ${index}`, tookMs: 1000 * index }));
  const lines = describeTimes({
    kinds: [
      { name: 'unit', tookMs: 61_000 },
      { name: 'db', tookMs: 500 },
    ],
    files,
    totalMs: 61_000,
  }).split('\n');
  expect(lines.slice(0, 4)).toEqual(['Time by kind', '    61.0 s  unit', '     0.5 s  db', '    61.0 s  total']);
  expect(lines.slice(6).map((line) => line.trim())).toEqual(
    [11, 10, 9, 8, 7, 6, 5, 4, 3, 2].map((index) => `${index}.0 s  file ${index}`),
  );
});

test('a quick file that takes more than 25 s is a failure that says what to do', () => {
  const times = [24_900, 25_100].map((tookMs) => ({ name: `unit: took ${tookMs}`, tookMs }));
  expect(findSlowFiles({ times }, 1)).toEqual([
    { name: 'unit: took 25100', message: expect.stringContaining('rename it to ….slow.test.ts') as string },
  ]);
  // A machine with other work takes longer, which is no fault of the file.
  expect(findSlowFiles({ times }, 1.1)).toEqual([]);
});

test('a run that fails without a test that does is a failure of its kind', () => {
  const failures = [{ name: 'unit', message: 'expected 1 to be 2' }];
  expect(explainExit('unit', { exitCode: 0, failures: [] })).toEqual([]);
  expect(explainExit('unit', { exitCode: 1, failures })).toEqual([]);
  expect(explainExit('unit', { exitCode: 1, failures: [] })).toMatchObject([
    { name: 'unit', message: expect.stringContaining('ended with 1:') as string },
  ]);
  expect(explainExit('db', { exitCode: null, failures: [] })[0]!.message).toContain('ended with a signal');
});
