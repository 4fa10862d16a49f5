import { EventEmitter } from 'node:events';
import { beforeEach, expect, test } from 'vitest';
import { UploadWatch } from '#controller/coordinator/collect-visits.ts';
import type { UploadEvents } from '#controller/ingest/accept-uploads.ts';
import { HeldTime } from '../../../support/held-time.ts';

let uploads: EventEmitter<UploadEvents>;
let stop: AbortController;
let time: HeldTime;
let watch: UploadWatch;
beforeEach(() => {
  time = new HeldTime();
  uploads = new EventEmitter();
  stop = new AbortController();
  watch = new UploadWatch({ uploads, signal: stop.signal, time });
});

const nothing = { agent: 'laptop', passIds: [], isRefused: false };
const visitsOf = (...passIds: string[]) => uploads.emit('stored', { agent: 'laptop', passIds, isRefused: false });

/** Whether it resolves without time going by. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  let over = false;
  void promise.then(() => (over = true));
  await time.pass(0);
  return over;
}

test('a commit that comes before the wait for it ends that wait, once', async () => {
  uploads.emit('stored', nothing);
  expect(await isOver(watch.next())).toBe(true);
  const second = watch.next();
  expect(await isOver(second)).toBe(false);
  uploads.emit('stored', nothing);
  expect(await isOver(second)).toBe(true);
});

test('a wait without a commit ends after two seconds, or at the abort', async () => {
  const quiet = watch.next();
  await time.pass(1999);
  expect(await isOver(quiet)).toBe(false);
  await time.pass(1);
  expect(await isOver(quiet)).toBe(true);
  const aborted = watch.next();
  stop.abort();
  expect(await isOver(aborted)).toBe(true);
});

test('a wait for the Visits of Passes ends with the last of them, those of the look before counted, or with a refusal', async () => {
  visitsOf('a', 'a');
  watch.beginLook();
  visitsOf('a', 'other');
  const all = watch.untilStored(new Map(Object.entries({ a: 2, b: 1 })));
  visitsOf('b');
  expect(await isOver(all)).toBe(false);
  visitsOf('a');
  expect(await isOver(all)).toBe(true);

  watch.beginLook();
  const refused = watch.untilStored(new Map([['a', 2]]));
  uploads.emit('stored', { agent: 'laptop', passIds: [], isRefused: true });
  expect(await isOver(refused)).toBe(true);

  const late = watch.untilStored(new Map([['a', 2]]));
  await time.pass(2000);
  expect(await isOver(late)).toBe(true);
});

test('nothing listens after its disposal', () => {
  watch[Symbol.dispose]();
  expect(uploads.listenerCount('stored')).toBe(0);
});
