import { pageTargets } from './support/fuzz-target.ts';
import { fuzzTargets } from './support/fuzz-targets.ts';

fuzzTargets(pageTargets);
