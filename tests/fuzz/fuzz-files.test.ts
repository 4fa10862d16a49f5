import { fuzzTargets } from './support/fuzz-targets.ts';
import { fileTargets } from './support/fuzz-target.ts';

fuzzTargets(fileTargets);
