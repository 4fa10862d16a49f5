import { conformanceEngines } from './support/conformance-engines.ts';
import { describeReplayedPage } from './support/describe-replayed-page.ts';

/** Those that replayed-page.test.ts leaves out, of the engines that run scripts. */
for (const engine of conformanceEngines.filter(({ name }) => name !== 'chrome' && name !== 'http'))
  describeReplayedPage(engine, { hasWorkers: false });
