import { expect, test } from 'vitest';
import { FrameSnapshotSchema } from '#core/metrics/frame-snapshot.ts';
import type { Observations } from '#probe/observe-frame.ts';
import { reportUserTimings } from '#probe/user-timings.ts';

const markOf = (name: string, startTime: number, duration = 0) => ({ entryType: 'mark', name, startTime, duration });
const report = (entries: readonly ReturnType<typeof markOf>[]) =>
  reportUserTimings({ userTimings: { read: () => entries } } as unknown as Observations).userTimings ?? [];

test('of more timings than a Snapshot takes, it has the last ones and all that a task is measured by, in their order', () => {
  const flood = Array.from({ length: 6000 }, (_, index) => markOf('render', 10 + index));
  const kept = report([markOf('http-ae-begin', 5), ...flood, markOf('http-ae-end', 7000)]);
  expect(kept).toHaveLength(5000);
  expect(kept.slice(0, 2).map(({ name, startTime }) => [name, startTime])).toEqual([
    ['http-ae-begin', 5],
    ['render', 1012],
  ]);
  expect(kept.at(-1)!.name).toBe('http-ae-end');
});

test('of more that a task is measured by, it has the last ones; of a page without any, nothing', () => {
  const messages = Array.from({ length: 5001 }, (_, index) => markOf('http-ae-message', index));
  expect(report([...messages, markOf('other', 6000)]).map(({ startTime }) => startTime)).toEqual(
    messages.slice(1).map(({ startTime }) => startTime),
  );
  expect(report([])).toEqual([]);
});

test('a mark at a time that no Snapshot takes is left out, and so is a measure of such a length: the others are kept', () => {
  const beyond = [1e13, 1e300, -1e13, Infinity, Number.NaN];
  const kept = report([
    markOf('before', 10),
    ...beyond.map((atMs) => markOf('beyond', atMs)),
    ...beyond.map((lengthMs) => markOf('long', 20, lengthMs)),
    markOf('negative', 30, -9e12),
    markOf('after', 9e12),
  ]);
  expect(kept.map(({ name }) => name)).toEqual(['before', 'negative', 'after']);
  expect(FrameSnapshotSchema.shape.userTimings.safeParse(kept).error).toBeUndefined();
});
