import { conformanceEngines } from './support/conformance-engines.ts';
import { describeReplayedPage } from './support/describe-replayed-page.ts';

describeReplayedPage(
  conformanceEngines.find(({ name }) => name === 'chrome')!,
  { hasWorkers: true },
);
