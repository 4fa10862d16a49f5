import { expect, test } from 'vitest';
import { Ring, truthOf, type RequestTruth } from '#testbed/origin/truth-log.ts';

const startEpochMs = 1_700_000_000_000;

function request(
  part: Pick<RequestTruth, 'counts' | 'object'> & { arrivedMs: number; endedMs: number | null },
): RequestTruth {
  const endedEpochMs = part.endedMs === null ? null : startEpochMs + part.endedMs;
  return {
    id: 1,
    url: '/x',
    path: '/x',
    visit: 'v',
    object: part.object,
    counts: part.counts,
    connectionId: 1,
    protocol: 'h2',
    isPushed: false,
    tls: null,
    status: 200,
    arrivedEpochMs: startEpochMs + part.arrivedMs,
    firstByteEpochMs: null,
    lastByteEpochMs: endedEpochMs,
    endedEpochMs,
    outcome: endedEpochMs === null ? 'in-flight' : 'complete',
    bodyBytes: 0,
  };
}

function logOf(...requests: RequestTruth[]) {
  return { requests: () => requests };
}

const base = request({ counts: 'base', object: null, arrivedMs: 0, endedMs: 100 });

test('each latency is the last end of what it counts, from the arrival of the first request', () => {
  const log = logOf(
    base,
    request({ counts: 'viewport', object: 'hero', arrivedMs: 50, endedMs: 300 }),
    request({ counts: 'viewport', object: 'early', arrivedMs: 20, endedMs: 60 }),
    request({ counts: 'total', object: 'below', arrivedMs: 60, endedMs: 700 }),
    request({ counts: 'none', object: 'poll', arrivedMs: 500, endedMs: 2000 }),
  );
  expect(truthOf(log, 'v')).toEqual({
    firstRequestEpochMs: startEpochMs,
    baseMs: 100,
    viewportMs: 300,
    totalMs: 700,
    viewportObjects: ['early', 'hero'],
    totalObjects: ['below', 'early', 'hero'],
  });
});

test('a redirect to the page is its first request, and a redirected object is one object', () => {
  const log = logOf(
    request({ counts: 'base', object: null, arrivedMs: 0, endedMs: 5 }),
    request({ counts: 'base', object: null, arrivedMs: 20, endedMs: 120 }),
    request({ counts: 'viewport', object: 'moved', arrivedMs: 30, endedMs: 31 }),
    request({ counts: 'viewport', object: 'moved', arrivedMs: 40, endedMs: 240 }),
  );
  expect(truthOf(log, 'v')).toMatchObject({ baseMs: 120, viewportMs: 240, totalMs: 240, viewportObjects: ['moved'] });
});

test('neither viewport nor total latency is less than that of the base page', () => {
  const log = logOf(base, request({ counts: 'viewport', object: 'quick', arrivedMs: 10, endedMs: 40 }));
  expect(truthOf(log, 'v')).toMatchObject({ baseMs: 100, viewportMs: 100, totalMs: 100 });
});

test('a latency has no value while something that it counts is in flight', () => {
  const log = logOf(base, request({ counts: 'total', object: 'slow', arrivedMs: 10, endedMs: null }));
  expect(truthOf(log, 'v')).toMatchObject({ baseMs: 100, viewportMs: 100, totalMs: null });
});

test('a Visit that asked for nothing is not found', () => {
  expect(() => truthOf(logOf(), 'v')).toThrow(/no request of the visit "v"/);
});

test('a full ring forgets its oldest values', () => {
  const ring = new Ring<number>(3);
  for (const value of [1, 2, 3, 4, 5]) ring.add(value);
  expect(ring.values()).toEqual([3, 4, 5]);
  ring.keep((value) => value > 3);
  ring.add(6);
  ring.add(7);
  expect(ring.values()).toEqual([5, 6, 7]);
});
