import { fuzzTargets } from './support/fuzz-targets.ts';
import { textTargets } from './support/fuzz-target.ts';

fuzzTargets(textTargets);
