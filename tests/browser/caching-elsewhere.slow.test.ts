import { conformanceEngines } from './support/conformance-engines.ts';
import { describeCaching } from './support/describe-caching.ts';

/** Those that caching.test.ts leaves out. */
conformanceEngines.filter(({ name }) => name !== 'chrome' && name !== 'http').forEach(describeCaching);
