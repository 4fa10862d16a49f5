import fc from 'fast-check';
import { fuzzSeed } from '#tests/fuzz/support/fuzz-settings.ts';

// All properties of a run begin with one seed: the same inputs in each quick run. A failure prints it.
fc.configureGlobal({ seed: fuzzSeed });
