import { expect, test } from 'vitest';
import { VisitRest } from '#core/metrics/visit-rest.ts';
import {
  makeFrame,
  makeNavigation,
  makeRequest,
  makeResource,
  makeSnapshot,
  pageUrl,
} from './support/snapshot-parts.ts';

const startEpochMs = 1_700_000_000_000;
const answeredAfter = (...answerMs: (number | null)[]) =>
  makeSnapshot({
    requests: answerMs.map((each, index) =>
      makeRequest({
        url: `${pageUrl}${index}`,
        sentEpochMs: startEpochMs,
        responseEpochMs: each === null ? null : startEpochMs + each,
      }),
    ),
  });

function restAfter(
  pageLoad: { restMs: number; cache?: 'cold' | 'warm' | 'per-pass' },
  ...snapshots: Parameters<VisitRest['note']>[0][]
): number {
  const rest = new VisitRest({ cache: 'cold', ...pageLoad });
  for (const snapshot of snapshots) rest.note(snapshot);
  return rest.before();
}

test('before the first Visit, and after short round trips, the rest is as configured', () => {
  expect(restAfter({ restMs: 400 })).toBe(400);
  expect(restAfter({ restMs: 400 }, answeredAfter(20, 35))).toBe(400);
});

test('after a Visit over a long link it is as long as its connections need to close, by the second shortest answer', () => {
  expect(restAfter({ restMs: 100 }, answeredAfter(1400, 604, null, 900, 25))).toBe(755);
  expect(restAfter({ restMs: 100 }, answeredAfter(604))).toBe(755);
});

test('it goes by the last Visit that had an answer', () => {
  expect(restAfter({ restMs: 0 }, answeredAfter(604), answeredAfter(80))).toBe(100);
  expect(restAfter({ restMs: 0 }, answeredAfter(604), answeredAfter(null), null)).toBe(755);
});

test('an origin that takes long to answer holds nothing up for longer than 3 s', () => {
  expect(restAfter({ restMs: 400 }, answeredAfter(20_000))).toBe(3000);
  expect(restAfter({ restMs: 5000 }, answeredAfter(20_000))).toBe(5000);
});

test('a warm Pass closes nothing between its Visits, and rests as configured', () => {
  expect(restAfter({ restMs: 100, cache: 'warm' }, answeredAfter(604))).toBe(100);
  expect(restAfter({ restMs: 100, cache: 'per-pass' }, answeredAfter(604))).toBe(100);
});

test('what came from the cache says nothing of the link', () => {
  const cached = makeSnapshot({
    requests: [
      makeRequest({ url: pageUrl, fromCache: true, sentEpochMs: startEpochMs, responseEpochMs: startEpochMs + 1 }),
    ],
  });
  expect(restAfter({ restMs: 100 }, answeredAfter(604), cached)).toBe(755);
});

test('a Visit with a rest of its own has that, and no less than connections need to close', () => {
  const rest = new VisitRest({ cache: 'cold', restMs: 400 });
  expect(rest.before(0)).toBe(0);
  expect(rest.before(7000)).toBe(7000);
  rest.note(answeredAfter(604));
  expect(rest.before(0)).toBe(755);
  expect(rest.before(7000)).toBe(7000);
});

test('where the engine knows no time of sending, as the extension, the entries of the page show the round trip', () => {
  const answeredIn = (ms: number) => ({ requestStart: 100, responseStart: 100 + ms });
  const ofExtension = makeSnapshot({
    requests: [makeRequest({ url: pageUrl, sentEpochMs: null })],
    frames: [
      makeFrame({
        navigation: makeNavigation(answeredIn(640)),
        resources: [
          makeResource({ name: `${pageUrl}1`, ...answeredIn(604) }),
          makeResource({ name: `${pageUrl}2`, ...answeredIn(612) }),
          makeResource({ name: `${pageUrl}cached`, ...answeredIn(1), transferSize: 0 }),
          makeResource({ name: 'http://hidden.test/', requestStart: 0, responseStart: 0, transferSize: 0 }),
        ],
      }),
    ],
  });
  expect(restAfter({ restMs: 100 }, ofExtension)).toBe(765);
});
