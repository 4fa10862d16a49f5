import { expect, test } from 'vitest';
import { HostDelayWatch } from '#core/agent/host-delay-watch.ts';
import type { VisitOutcome } from '#core/protocol/visit.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import { makeRequest } from '#tests/unit/core/metrics/support/snapshot-parts.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';

/** A page whose last byte came then. */
function loadedAt(endEpochMs: number): VisitOutcome {
  const snapshot = makeSnapshot({ url: 'http://origin.test/', totalMs: 300 });
  return {
    status: 'ok',
    snapshot: { ...snapshot, requests: [{ ...makeRequest({ url: snapshot.requestedUrl }), endEpochMs }] },
  };
}

/** A watch over programs that wait as the test says. `sleepLateMs`: how much later than it should each timer comes. */
function watchHeld({ sleepLateMs = () => 0 }: { sleepLateMs?: () => number } = {}) {
  const time = new HeldTime();
  const waited = { ms: 1000 as number | null, fromMs: 0 };
  const watch = new HostDelayWatch({
    epochClock: time.clock,
    sleep: (durationMs, signal) => time.sleep(durationMs + sleepLateMs(), signal),
    waits: {
      begin: () => {
        waited.fromMs = waited.ms ?? 0;
      },
      readMs: () => waited.ms && waited.ms - waited.fromMs,
    },
  });
  return { time, waited, watch };
}

test('a Visit is held up by what its programs waited from its order to its last byte, and not before or after', async () => {
  const { time, waited, watch } = watchHeld();
  using _ = watch;
  waited.ms = 1500;
  await time.pass(100);
  watch.begin();
  waited.ms = 1507;
  await time.pass(50);
  const end = time.clock();
  waited.ms = 1900;
  await time.pass(200);
  expect(watch.delayOf(loadedAt(end))).toBe(7);
  // One that ended with nothing is held up by all of it.
  expect(watch.delayOf({ status: 'failed', code: 'timeout', detail: '', snapshot: null })).toBe(400);
});

test('where the host does not say what waited, a Visit is held up by the latest timer', async () => {
  let lateMs = 0;
  const { time, waited, watch } = watchHeld({ sleepLateMs: () => lateMs });
  using _ = watch;
  waited.ms = null;
  lateMs = 300;
  await time.pass(50);
  lateMs = 12;
  // The timer that is under way comes 300 ms late, of which 20 ms are of the Visit.
  await time.pass(330);
  watch.begin();
  await time.pass(600);
  expect(watch.delayOf(loadedAt(time.clock() - 100))).toBe(20);
});
