/** Writes what the simulations come to into docs/statistics.md: `node tests/calibration/write-tables.ts`, after a change that the calibration tests complain of. */
import { writeFileSync } from 'node:fs';
import { calibrate, documentedRuns } from './support/calibrate.ts';
import { formatTables } from './support/format-tables.ts';
import { documentFile, replaceTables } from './support/stated-tables.ts';

writeFileSync(documentFile, replaceTables(formatTables(await calibrate({ runs: documentedRuns }))));
