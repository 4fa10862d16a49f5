import { test } from 'vitest';
import { journey, makeJourney } from './support/make-journey.ts';

test(`in Chrome ${journey}`, () => makeJourney('chrome', { rounds: 1, warmsUp: false }));
