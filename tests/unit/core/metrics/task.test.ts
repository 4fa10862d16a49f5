import { expect, test } from 'vitest';
import { readTaskFailure } from '#core/metrics/page-failure.ts';
import type { UserTiming } from '#core/metrics/frame-snapshot.ts';
import type { Snapshot } from '#core/metrics/snapshot.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import { readMetric } from './support/read-metric.ts';
import { makeFrame, makeSnapshot } from './support/snapshot-parts.ts';

const mark = (name: string, startTime: number, detail?: UserTiming['detail']): UserTiming => ({
  kind: 'mark',
  name,
  startTime,
  duration: 0,
  ...(detail !== undefined && { detail }),
});
const message = (startTime: number, duration: number): UserTiming => ({
  kind: 'measure',
  name: 'http-ae-message',
  startTime,
  duration,
});
const snapshotOf = (userTimings: UserTiming[], parts: Partial<Snapshot> = { untilMark: 'http-ae-end' }) =>
  makeSnapshot({ ...parts, frames: [makeFrame({ userTimings })] });
const reasonOf = (snapshot: Snapshot, metric: string) =>
  deriveReadings(snapshot).find((reading) => reading.metric === metric && reading.kind === 'absent');

test('a task lasts from its mark, or else navigation start, to the mark that the Visit waited for', () => {
  const marks = [mark('http-ae-begin', 300), mark('other', 500), mark('http-ae-end', 1800)];
  expect(readMetric(snapshotOf(marks), 'taskMs')).toBe(1500);
  expect(readMetric(snapshotOf(marks.slice(1)), 'taskMs')).toBe(1800);
  expect(readMetric(snapshotOf(marks, { untilMark: 'other' }), 'taskMs')).toBe(200);
  expect(reasonOf(snapshotOf(marks.slice(0, 2)), 'taskMs')).toMatchObject({ reason: 'not-reached' });
  expect(reasonOf(snapshotOf([], {}), 'taskMs')).toMatchObject({ reason: 'not-applicable' });
});

test('messages have quantiles as R’s type 7, and count as lost where the page says so', () => {
  const timings = [message(0, 40), message(10, 10), message(20, 20), message(30, 30), mark('http-ae-lost', 99)];
  const snapshot = snapshotOf([...timings, mark('http-ae-bytes', 100, 800), mark('http-ae-end', 100)]);
  expect(readMetric(snapshot, 'messageCount')).toBe(4);
  expect(readMetric(snapshot, 'lostMessageCount')).toBe(1);
  // A page that states no limit has none that are late.
  expect(readMetric(snapshot, 'lateMessageCount')).toBe('not-applicable');
  expect(readMetric(snapshot, 'messageMedianMs')).toBe(25);
  // quantile(c(10, 20, 30, 40), 0.95)
  expect(readMetric(snapshot, 'message95Ms')).toBeCloseTo(38.5, 12);
  expect(readMetric(snapshot, 'messageMaxMs')).toBe(40);
  expect(readMetric(snapshot, 'messageBytes')).toBe(200);
});

test('messages above the limit that the page states are late, those at it are not', () => {
  const late = (limit: UserTiming['detail']) =>
    snapshotOf([mark('http-ae-late-after', 0, limit), message(0, 40), message(1, 20), mark('http-ae-lost', 2)]);
  expect([19, 20, 39, 40].map((limit) => readMetric(late(limit), 'lateMessageCount'))).toEqual([2, 1, 1, 0]);
  expect(readMetric(late('soon'), 'lateMessageCount')).toBe('not-applicable');
});

test('a page without messages has none of their metrics, and bytes are a number', () => {
  for (const metric of ['messageCount', 'lostMessageCount', 'messageMedianMs', 'messageMaxMs', 'messageBytes'])
    expect(reasonOf(snapshotOf([mark('http-ae-end', 1)]), metric)).toMatchObject({ reason: 'not-applicable' });
  const wrong = snapshotOf([message(0, 1), mark('http-ae-bytes', 2, 'many'), mark('http-ae-end', 3)]);
  expect(reasonOf(wrong, 'messageBytes')).toMatchObject({ reason: 'not-applicable' });
});

test('a task fails by the page’s own mark, or by none in time', () => {
  expect(readTaskFailure(snapshotOf([mark('http-ae-end', 1)]))).toBe(null);
  expect(readTaskFailure(snapshotOf([], {}))).toBe(null);
  expect(readTaskFailure(snapshotOf([mark('http-ae-begin', 1)]))).toMatchObject({ code: 'task-not-ended' });
  expect(readTaskFailure(snapshotOf([mark('http-ae-end', 1), mark('http-ae-failed', 2, 'refused')]))).toEqual({
    code: 'task-failed',
    detail: 'refused',
  });
});

test('bytes that no task can have are none, as no sum of them would be a number', () => {
  const claiming = (bytes: number) =>
    snapshotOf([message(0, 1), mark('http-ae-bytes', 2, bytes), mark('http-ae-end', 3)]);
  expect(readMetric(claiming(1e12), 'messageBytes')).toBe(1e12);
  expect(reasonOf(claiming(1e308), 'messageBytes')).toMatchObject({ reason: 'not-applicable' });
});
