import { expect, test } from 'vitest';
import { deriveReadings } from '#core/metrics/index.ts';
import { mainThread } from '#core/metrics/main-thread.ts';
import { SnapshotSchema, type Snapshot } from '#core/metrics/snapshot.ts';
import { makeFrame, makeSnapshot } from './support/snapshot-parts.ts';

const readingsOf = (change: Partial<Snapshot>) =>
  Object.fromEntries(
    deriveReadings(SnapshotSchema.parse(makeSnapshot(change)))
      .filter(({ metric }) => metric in mainThread)
      .map((reading) => [reading.metric, reading.kind === 'measured' ? reading.value : reading.reason]),
  );
const all = (reason: string) => Object.fromEntries(Object.keys(mainThread).map((metric) => [metric, reason]));
const recorded: Snapshot['mainThread'] = {
  kind: 'recorded',
  events: [
    { name: 'RunTask', cpuMs: 1 },
    { name: 'ParseHTML', cpuMs: 2 },
    { name: 'EvaluateScript', cpuMs: 40 },
    { name: 'MinorGC', cpuMs: 5 },
    { name: 'UpdateLayoutTree', cpuMs: 6 },
    { name: 'Layout', cpuMs: 7 },
    { name: 'PrePaint', cpuMs: 8 },
    { name: 'an event that a later Agent may know', cpuMs: 16 },
  ],
};

test('the parts of the main thread sum to it', () => {
  expect(readingsOf({ mainThread: recorded })).toEqual({
    mainThreadMs: 85,
    scriptingMs: 45,
    layoutMs: 13,
    paintMs: 8,
    otherThreadMs: 19,
  });
});

test('a Visit without a record, of an older Agent or without its whole trace, says so', () => {
  expect(readingsOf({})).toEqual(all('not-recorded'));
  expect(readingsOf({ mainThread: { kind: 'absent', reason: 'It was too long' } })).toEqual(all('not-recorded'));
  expect(readingsOf({ viewport: null })).toEqual(all('unsupported'));
});

test('what a page did that was hidden, or did not settle, is not compared', () => {
  expect(readingsOf({ mainThread: recorded, settled: false })).toEqual(all('not-reached'));
  expect(readingsOf({ mainThread: recorded, frames: [makeFrame({ wasEverHidden: true })] })).toEqual(
    all('page-hidden'),
  );
});
