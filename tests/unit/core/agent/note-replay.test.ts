import { expect, test } from 'vitest';
import { noteReplay } from '#core/agent/pass-runner.ts';
import { deriveReadings } from '#core/metrics/index.ts';
import { replayMissType } from '#core/metrics/replay-misses.ts';
import type { NetworkRequest } from '#core/metrics/network-request.ts';
import { SnapshotSchema } from '#core/metrics/snapshot.ts';
import { makeRequest, makeSnapshot } from '../metrics/support/snapshot-parts.ts';

const replay = { recordedEpochMs: 1_234_567_890_000 };
const requests = (misses: number, others: number): NetworkRequest[] =>
  Array.from({ length: misses + others }, (_, index) =>
    makeRequest({ url: `https://a.test/${index}`, ...(index < misses && { isReplayMiss: true, status: 404 }) }),
  );
const note = (of: NetworkRequest[]) => {
  const { snapshot } = noteReplay({ status: 'ok', snapshot: makeSnapshot({ requests: of }) }, replay);
  return SnapshotSchema.parse(snapshot);
};

test('the Snapshot of a replayed page says when it was recorded', () => {
  expect(note(requests(0, 1))).toMatchObject({ replay });
  const failed = { status: 'failed', code: 'timeout', detail: '' } as const;
  expect(noteReplay({ ...failed, snapshot: makeSnapshot() }, replay).snapshot).toMatchObject({ replay });
  expect(noteReplay({ ...failed, snapshot: null }, replay).snapshot).toBeNull();
});

test('more than 1 % of misses are remarked, with the addresses', () => {
  expect(note(requests(1, 99)).remarks).toBeUndefined();
  expect(note(requests(2, 98)).remarks).toMatchObject([
    { code: 'replay-misses', detail: expect.stringContaining('2 of 100 requests') as string },
  ]);
});

test('misses are a Reading of replayed pages alone; the content type of an answer is enough', () => {
  const readingOf = (snapshot: ReturnType<typeof makeSnapshot>) =>
    deriveReadings(snapshot).find(({ metric }) => metric === 'replayMissCount');
  const exchange = {
    method: 'GET',
    statusText: null,
    mimeType: `${replayMissType}; charset=utf-8`,
    serverAddress: null,
    phases: { dns: null, connect: null, tls: null, send: null },
    headers: null,
  };
  const miss = makeRequest({ url: 'https://a.test/', status: 404, exchange });
  expect(readingOf(note([miss, ...requests(1, 3)]))).toMatchObject({ value: 2 });
  expect(readingOf(makeSnapshot({ requests: [miss] }))).toMatchObject({ reason: 'not-applicable' });
});
