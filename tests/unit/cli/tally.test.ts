import path from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '#cli/package-root.ts';
import { readVitestReport } from '#cli/test/read-vitest-report.ts';
import { addTallies, summarize } from '#cli/test/tally.ts';

const fileWith = (status: string, tests: { fullName: string; status: string; failureMessages?: string[] }[], message = '') => ({
  name: path.join(packageRoot, 'tests', 'unit', 'x.test.ts'),
  status,
  message,
  assertionResults: tests,
});

test('passed, failed and skipped tests are counted, and a failure is told with its place', () => {
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
  expect(tally).toEqual({ passed: 1, skipped: 2, failures: [{ name: 'unit: tests/unit/x.test.ts: divides', message: 'expected 1 to be 2' }] });
});

test('a file that could not be run is a failure, though none of its tests failed', () => {
  const tally = readVitestReport('db', { testResults: [fileWith('failed', [], 'Cannot find module')] });
  expect(tally.failures).toEqual([{ name: 'db: tests/unit/x.test.ts', message: 'Cannot find module' }]);
});

test('the parts add up to the last line', () => {
  const part = { passed: 2, skipped: 1, failures: [{ name: 'a', message: 'b' }] };
  expect(summarize(addTallies([part, part, { passed: 0, skipped: 0, failures: [] }]))).toBe('4 passed, 2 failed, 2 skipped');
});
