import { expectCalibrated } from './support/expect-calibrated.ts';

// The file *.slow.test.ts has as many simulations as docs/statistics.md states.
expectCalibrated({ runs: 500 });
