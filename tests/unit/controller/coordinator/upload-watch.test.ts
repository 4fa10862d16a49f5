import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { UploadWatch } from '#controller/coordinator/upload-watch.ts';

let uploads: EventEmitter<{ stored: [] }>;
let stop: AbortController;
let watch: UploadWatch;
beforeEach(() => {
  vi.useFakeTimers();
  uploads = new EventEmitter();
  stop = new AbortController();
  watch = new UploadWatch({ uploads, signal: stop.signal });
});
afterEach(() => {
  vi.useRealTimers();
});

/** Whether it resolves without time going by. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  let over = false;
  void promise.then(() => (over = true));
  await vi.advanceTimersByTimeAsync(0);
  return over;
}

test('a commit that comes before the wait for it ends that wait, once', async () => {
  uploads.emit('stored');
  expect(await isOver(watch.next())).toBe(true);
  const second = watch.next();
  expect(await isOver(second)).toBe(false);
  uploads.emit('stored');
  expect(await isOver(second)).toBe(true);
});

test('a wait without a commit ends after two seconds, or at the abort', async () => {
  const quiet = watch.next();
  await vi.advanceTimersByTimeAsync(1999);
  expect(await isOver(quiet)).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  expect(await isOver(quiet)).toBe(true);
  const aborted = watch.next();
  stop.abort();
  expect(await isOver(aborted)).toBe(true);
});

test('nothing listens after its disposal', () => {
  watch[Symbol.dispose]();
  expect(uploads.listenerCount('stored')).toBe(0);
});
