import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Engine } from '#agent/engines/engine.ts';
import { openHttpEngine } from '#agent/engines/http/http-engine.ts';
import { HeldPasses } from '#agent/held-passes.ts';
import { CaptureSpool } from '#agent/spool/capture-spool.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import { PictureSpool } from '#agent/spool/picture-uploader.ts';
import { VisitSpool } from '#agent/spool/visit-spool.ts';
import { openClock } from '../../support/answering-clock.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';
import { makeOrder } from './hold-agent.ts';

vi.setConfig({ testTimeout: 60_000 }); // it starts processes

const order = () => makeOrder({ roundId: randomUUID(), url: 'http://origin.test/' });
let stack: AsyncDisposableStack;
let passes: HeldPasses;
/** Resolves when the clock is to be read. There is no line: it never is. */
let isClockAsked: Promise<void>;
/** What became of clients, in order. */
let events: string[];

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  events = [];
  const folder = stack.use(await makeTemporaryFolder());
  const database = stack.use(openSpoolDatabase(path.join(folder.path, 'spool.sqlite')));
  const asked = Promise.withResolvers<void>();
  isClockAsked = asked.promise;
  const clock = openClock();
  const improve = clock.improve.bind(clock);
  clock.improve = (signal) => {
    asked.resolve();
    return improve(signal);
  };
  passes = new HeldPasses(
    {
      engines: new Map([['http', watch(openHttpEngine())]]),
      spool: new VisitSpool(database),
      agent: 'laptop',
      isAnyPreferenceAllowed: false,
      captureSpool: new CaptureSpool(database, path.join(folder.path, 'traces')),
      pictureSpool: new PictureSpool(path.join(folder.path, 'pictures')),
      controllerUrls: ['http://127.0.0.1:1'],
      clock,
      send: () => undefined,
      log: pino({ level: 'silent' }),
    },
    () => undefined,
  );
});
afterEach(() => stack.disposeAsync());

function watch(engine: Engine): Engine {
  const open: Engine['open'] = async (settings) => {
    events.push('opened');
    const session = await engine.open(settings);
    const close = session[Symbol.asyncDispose].bind(session);
    return Object.assign(session, { [Symbol.asyncDispose]: () => close().then(() => void events.push('closed')) });
  };
  return { ...engine, open };
}

it('ends a Pass that waits for the clock of a Controller which is gone', async () => {
  passes.prepare(order());
  await isClockAsked;
  await passes.close('The Agent was stopped');
  expect(events).toEqual(['opened', 'closed']);
  expect(passes.isMeasuring).toBe(false);
});

it('begins no Pass before one that was cancelled has closed what it had opened', async () => {
  const [first, second] = [order(), order()];
  passes.prepare(first);
  await isClockAsked;
  passes.handle({ type: 'cancel-pass', passId: first.passId, reason: 'The Round is over' });
  passes.prepare(second);
  await expect.poll(() => events, { timeout: 30_000 }).toEqual(['opened', 'closed', 'opened']);
  await passes.close('The Agent was stopped');
});

it('waits as it closes also for a Pass that was cancelled before', async () => {
  const only = order();
  passes.prepare(only);
  await isClockAsked;
  passes.handle({ type: 'cancel-pass', passId: only.passId, reason: 'The Round is over' });
  await passes.close('The Agent was stopped');
  expect(events).toEqual(['opened', 'closed']);
});
