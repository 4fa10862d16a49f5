import { expect, test } from 'vitest';
import type { Interaction } from '#core/metrics/frame-snapshot.ts';
import { makeFrame, makeSnapshot } from './support/snapshot-parts.ts';
import { readMetric } from './support/read-metric.ts';

const read = (frame: Parameters<typeof makeFrame>[0]) =>
  readMetric(makeSnapshot({ frames: [makeFrame(frame)] }), 'interactionMs');
const event = (id: number, duration: number): Interaction => ({ id, startTime: 0, duration });

test('an interaction counts with the longest of its events, and a page with the longest of its interactions', () => {
  expect(read({ interactions: [event(1, 24), event(2, 48), event(2, 104), event(3, 16)], interactionCount: 3 })).toBe(
    104,
  );
});

test('of each 50 interactions one is left out, also of those that were too short to be reported, and never more than nine', () => {
  const interactions = [event(1, 500), event(2, 400), event(3, 300)];
  expect(read({ interactions, interactionCount: 49 })).toBe(500);
  expect(read({ interactions, interactionCount: 50 })).toBe(400);
  expect(read({ interactions, interactionCount: 1000 })).toBe(300);
  const many = Array.from({ length: 1000 }, (_, index) => event(index, index));
  expect(read({ interactions: many })).toBe(990);
});

test('a page has none without interactions, in browsers that do not report them, and when it was hidden', () => {
  expect(read({ interactions: [] })).toBe('not-applicable');
  expect(read({})).toBe('unsupported');
  expect(read({ interactions: [event(1, 100)], wasEverHidden: true })).toBe('page-hidden');
});
