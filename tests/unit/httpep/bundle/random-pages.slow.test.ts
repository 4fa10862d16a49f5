import { test } from 'vitest';
import { compareRandomPages } from '../support/compare-random-pages.ts';

test(
  'a thousand random objects over four connections that overtake each other are what they are directly',
  () => compareRandomPages({ pageCount: 25, objectCount: 40 }),
  120_000,
);
