import { test } from 'vitest';
import { compareRandomPages } from '../support/compare-random-pages.ts';

test(
  'random objects over four connections that overtake each other are what they are directly',
  () => compareRandomPages({ pageCount: 2, objectCount: 30 }),
  120_000,
);
