import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { pino } from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { Engine, VisitRequest } from '#agent/engines/engine.ts';
import { makeAgentPass } from '#agent/held-passes.ts';
import { CaptureSpool } from '#agent/spool/capture-spool.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import { PictureSpool } from '#agent/spool/picture-uploader.ts';
import { VisitSpool } from '#agent/spool/visit-spool.ts';
import type { PassRunner } from '#core/agent/pass-runner.ts';
import { mostFrames } from '#core/metrics/snapshot-bounds.ts';
import { AgentMessageSchema, type AgentMessage } from '#core/protocol/agent-messages.ts';
import { PassOrderSchema } from '#core/protocol/pass-order.ts';
import { openClock } from '#tests/support/answering-clock.ts';
import { makeSnapshot } from '#tests/support/make-snapshot.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

/** One that has seen a page of more frames than a Snapshot takes, and then one like any other. */
const engine: Engine = {
  name: 'chrome',
  browserVersion: 'Chrome/1',
  open: () =>
    Promise.resolve({
      browserVersion: 'Chrome/1',
      processId: null,
      prepare: () => Promise.resolve(),
      visit: ({ url }) => {
        const snapshot = makeSnapshot({ url, totalMs: 300 });
        const frames = url.endsWith('/frames')
          ? Array.from({ length: mostFrames + 1 }, () => snapshot.frames[0]!)
          : snapshot.frames;
        return Promise.resolve({ status: 'ok', snapshot: { ...snapshot, frames } });
      },
      [Symbol.asyncDispose]: () => Promise.resolve(),
    }),
};

afterEach(() => void vi.restoreAllMocks());

/** A Pass of this engine that loads these pages, what it reports, and what it leaves in the spool. */
async function makePass(
  engine: Engine,
  paths: readonly string[],
  onMade: (pass: PassRunner) => void = () => undefined,
) {
  await using folder = await makeTemporaryFolder();
  using database = openSpoolDatabase(path.join(folder.path, 'spool.sqlite'));
  const spool = new VisitSpool(database);
  const clock = openClock();
  clock.handleConnect();
  const sent: AgentMessage[] = [];
  const order = PassOrderSchema.parse({
    passId: randomUUID(),
    runId: '1',
    roundId: randomUUID(),
    scenario: 'plain',
    userAgent: 'user',
    engine: 'chrome',
    pageLoad: {},
    browser: {},
    capture: null,
    visits: paths.map((each) => ({ url: `http://origin.test${each}`, repetition: 1 })),
  });
  const runner = makeAgentPass(order, {
    engines: new Map([['chrome', engine]]),
    spool,
    agent: 'laptop',
    isAnyPreferenceAllowed: false,
    captureSpool: new CaptureSpool(database, path.join(folder.path, 'captures')),
    pictureSpool: new PictureSpool(path.join(folder.path, 'pictures')),
    controllerUrls: ['http://controller.test'],
    clock,
    send: (message) => void sent.push(message),
    log: pino({ level: 'silent' }),
  });
  onMade(runner);
  runner.startAt(0);
  await runner.run();
  clock.handleDisconnect();
  const { state, isOver, isLoading } = runner;
  return { sent, spooled: spool.nextBatch(), left: { state, isOver, isLoading } };
}

test('a page that fits into no Snapshot is a failed Visit of its Pass, which continues and can be uploaded', async () => {
  const { sent, spooled } = await makePass(engine, ['/frames', '/']);
  expect(sent.filter(({ type }) => type.startsWith('visit') || type.startsWith('pass-'))).toMatchObject([
    { type: 'pass-ready' },
    { type: 'visit-ended', code: 'engine-error' },
    { type: 'visit-ended', code: null, totalMs: 300 },
    { type: 'pass-ended' },
  ]);
  expect(spooled).toMatchObject([
    { visit: { sequence: 0, outcome: { status: 'failed', code: 'engine-error' } }, snapshot: null },
    { visit: { sequence: 1, outcome: { status: 'ok' } } },
  ]);
});

test.for([
  [10_000, 'the clock of its host was set forward by 10.0 s, or the host was asleep'],
  [-10_000, 'the clock of its host was set back by 10.0 s'],
] as const)('a Pass in which the system clock jumps by %d ms is lost, with its last Visit', async ([byMs, problem]) => {
  const { now } = Date;
  const jumping: Engine = {
    ...engine,
    open: async (settings) => {
      const session = await engine.open(settings);
      return Object.assign(session, {
        visit: (request: VisitRequest) => {
          if (request.url.endsWith('/second')) vi.spyOn(Date, 'now').mockImplementation(() => now() + byMs);
          return engine.open(settings).then((other) => other.visit(request));
        },
      });
    },
  };
  const { sent, spooled, left } = await makePass(jumping, ['/first', '/second', '/third']);
  expect(sent.filter(({ type }) => type === 'visit-ended')).toMatchObject([{ sequence: 0 }]);
  expect(sent.at(-1)).toMatchObject({ type: 'pass-lost', problem: `user: ${problem}` });
  expect(left).toEqual({ state: 'lost', isOver: true, isLoading: false });
  expect(spooled.map(({ visit }) => visit.sequence)).toEqual([0]);
});

test('what a browser said before it ended is cut to what the Controller takes, which would refuse the Agent for more', async () => {
  const talkative: Engine = { ...engine, open: () => Promise.reject(new Error('ERROR:bus.cc '.repeat(5000))) };
  const { sent } = await makePass(talkative, ['/']);
  const lost = AgentMessageSchema.parse(sent.at(-1));
  const problem = expect.stringMatching(/^user: ERROR:bus\.cc ERROR/) as string;
  expect(lost).toMatchObject({ type: 'pass-lost', problem });
});

test('a Pass that fails, and then at what it puts back, is lost for both reasons', async () => {
  const failing: Engine = {
    ...engine,
    open: async (settings) => ({
      ...(await engine.open(settings)),
      visit: () => Promise.reject(new Error('database or disk is full')),
      [Symbol.asyncDispose]: () => Promise.reject(new Error('the browser stays')),
    }),
  };
  const { sent } = await makePass(failing, ['/']);
  expect(sent.at(-1)).toMatchObject({
    type: 'pass-lost',
    problem: 'user: database or disk is full; then the browser stays',
  });
});

test('a Visit has the offset of the clock that its browser dates events by, where the system clock was set before', async () => {
  const { now } = Date;
  vi.spyOn(Date, 'now').mockImplementation(() => now() + 10_000);
  const { spooled } = await makePass(engine, ['/']);
  // The Controller has the clock of this process, which the system clock leads by 10 s.
  expect(spooled[0]!.visit.clockOffsetMs).toBeCloseTo(-10_000, -3);
});

test('a Visit during which its Pass is cancelled is no result, even where its engine had an outcome', async () => {
  let pass: PassRunner | null = null;
  const cancelled: Engine = {
    ...engine,
    open: async (settings) => {
      const session = await engine.open(settings);
      const visit = (request: VisitRequest) => {
        if (request.url.endsWith('/second')) pass!.cancel('The Round is over');
        return session.visit(request);
      };
      return { ...session, visit };
    },
  };
  const { sent, spooled, left } = await makePass(
    cancelled,
    ['/first', '/second', '/third'],
    (made) => void (pass = made),
  );
  expect(left).toEqual({ state: 'lost', isOver: true, isLoading: false });
  expect(spooled.map(({ visit }) => visit.sequence)).toEqual([0]);
  expect(sent.filter(({ type }) => type === 'visit-ended')).toMatchObject([{ sequence: 0 }]);
});

test('a Pass loads from the order to start until its end, and its host is busy with it until then', async () => {
  let pass: PassRunner | null = null;
  const seen: Pick<PassRunner, 'state' | 'isOver' | 'isLoading'>[] = [];
  const note = () => seen.push({ state: pass!.state, isOver: pass!.isOver, isLoading: pass!.isLoading });
  const watched: Engine = {
    ...engine,
    open: async (settings) => {
      note();
      const session = await engine.open(settings);
      const visit = (request: VisitRequest) => {
        note();
        return session.visit(request);
      };
      return { ...session, visit };
    },
  };
  const { left } = await makePass(watched, ['/'], (made) => {
    pass = made;
    note();
  });
  expect(seen).toEqual([
    { state: 'preparing', isOver: false, isLoading: false },
    { state: 'preparing', isOver: false, isLoading: true },
    { state: 'running', isOver: false, isLoading: true },
  ]);
  expect(left).toEqual({ state: 'ended', isOver: true, isLoading: false });
});
