import { test } from 'vitest';
import { addRoundsToRun } from './support/add-rounds-to-run.ts';

test(
  'Rounds are added to a Run twice, once over a lost lease, and its report and its bundle say so',
  { timeout: 300_000 },
  () => addRoundsToRun({ warmUp: true, losesLease: true }),
);
