import { describeJourneys } from './support/describe-journeys.ts';
import { openSession } from './support/open-session.ts';

describeJourneys({ name: 'chrome', open: openSession });
