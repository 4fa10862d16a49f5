import { test } from 'vitest';
import { isFirefoxLeftOut } from '#tests/browser/support/find-firefox.ts';
import { journey, makeJourney } from './support/make-journey.ts';

test.skipIf(isFirefoxLeftOut)(`in Firefox ${journey}`, () => makeJourney('firefox', { rounds: 2 }));
