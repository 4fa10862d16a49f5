import { expect, test } from 'vitest';
import { reportResponsiveness } from '#probe/report-responsiveness.ts';

type Observed = Parameters<typeof reportResponsiveness>[0];

/** What a browser reports, by kind. */
function report(observed: { layoutShifts?: object[]; longTasks?: object[]; interactions?: object[] }) {
  const kinds = Object.entries(observed).map(([kind, entries]) => [kind, { read: () => entries }]);
  return reportResponsiveness(Object.fromEntries(kinds) as Observed);
}
const times = (count: number) => Array.from({ length: count }, (_, index) => ({ startTime: index }));

test('shifts and long tasks are reported with what their metrics need, and nothing else', () => {
  expect(
    report({
      layoutShifts: [{ startTime: 5, value: 0.25, hadRecentInput: true, sources: [{}], name: '' }],
      longTasks: [{ startTime: 7, duration: 60, attribution: [{}] }],
    }),
  ).toEqual({
    layoutShifts: [{ startTime: 5, value: 0.25, hadRecentInput: true }],
    longTasks: [{ startTime: 7, duration: 60 }],
  });
});

test('what a browser does not report, or more of than a Snapshot takes, is left out by itself', () => {
  expect(report({})).toEqual({});
  expect(report({ layoutShifts: [] })).toEqual({ layoutShifts: [] });
  expect(Object.keys(report({ layoutShifts: times(5000), longTasks: times(5001) }))).toEqual(['layoutShifts']);
  expect(Object.keys(report({ layoutShifts: times(5001), longTasks: times(5000) }))).toEqual(['longTasks']);
});

test('interactions are reported with the longest first, without events that are none', () => {
  expect(
    report({
      interactions: [
        { interactionId: 1, startTime: 10, duration: 30, entryType: 'event' },
        { interactionId: 0, startTime: 11, duration: 900, entryType: 'event' },
        { interactionId: 2, startTime: 12, duration: 80, entryType: 'event' },
        { interactionId: 0, startTime: 13, duration: 50, entryType: 'first-input' },
      ],
    }).interactions,
  ).toEqual([
    { id: 2, startTime: 12, duration: 80 },
    { id: 0, startTime: 13, duration: 50 },
    { id: 1, startTime: 10, duration: 30 },
  ]);
});

test('of more interactions than a Snapshot takes, the longest are reported', () => {
  const interactions = Array.from({ length: 5002 }, (_, index) => ({
    interactionId: index + 1,
    startTime: index,
    duration: index,
    entryType: 'event',
  }));
  const reported = report({ interactions }).interactions!;
  expect([reported.length, reported[0]!.duration, reported.at(-1)!.duration]).toEqual([5000, 5001, 2]);
});
