import { test } from 'vitest';
import { compareRandomPages } from '../support/compare-random-pages.ts';

test('random objects over four connections that overtake each other are what they are directly', () =>
  compareRandomPages({ pageCount: 3, objectCount: 40 }));
