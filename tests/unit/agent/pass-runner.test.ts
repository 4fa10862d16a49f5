import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { Engine } from '#agent/engines/engine.ts';
import { makeAgentPass } from '#agent/passes/agent-pass.ts';
import { CaptureSpool } from '#agent/spool/capture-spool.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import { PictureSpool } from '#agent/spool/picture-spool.ts';
import { VisitSpool } from '#agent/spool/visit-spool.ts';
import { mostFrames } from '#core/metrics/snapshot.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
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

test('a page that fits into no Snapshot is a failed Visit of its Pass, which continues and can be uploaded', async () => {
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
    visits: ['/frames', '/'].map((path) => ({ url: `http://origin.test${path}`, repetition: 1 })),
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
  runner.startAt(0);
  await runner.run();
  clock.handleDisconnect();

  expect(sent.filter(({ type }) => type.startsWith('visit') || type.startsWith('pass-'))).toMatchObject([
    { type: 'pass-ready' },
    { type: 'visit-ended', code: 'engine-error' },
    { type: 'visit-ended', code: null, totalMs: 300 },
    { type: 'pass-ended' },
  ]);
  expect(spool.nextBatch()).toMatchObject([
    { visit: { sequence: 0, outcome: { status: 'failed', code: 'engine-error' } }, snapshot: null },
    { visit: { sequence: 1, outcome: { status: 'ok' } } },
  ]);
});
