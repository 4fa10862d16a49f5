import { expect, it } from 'vitest';
import { documentedRuns } from './support/calibrate.ts';
import { expectCalibrated } from './support/expect-calibrated.ts';
import { formatTables } from './support/format-tables.ts';
import { readStatedTables } from './support/stated-tables.ts';

const calibration = expectCalibrated({ runs: documentedRuns });

it('docs/statistics.md states what the simulations come to', () => {
  // To fix it: node tests/calibration/write-tables.ts
  expect(readStatedTables()).toBe(formatTables(calibration()));
});
