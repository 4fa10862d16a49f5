import { conformanceEngines } from './support/conformance-engines.ts';
import { describeCaching } from './support/describe-caching.ts';

conformanceEngines.filter(({ name }) => name === 'chrome' || name === 'http').forEach(describeCaching);
