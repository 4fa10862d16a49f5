import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { openSession } from './support/open-session.ts';
import { takeSnapshot, visit } from './support/visit-for-snapshot.ts';

/** What conformance-failures.test.ts does not ask of every engine. */
let origin: Origin;
let session: EngineSession;

beforeAll(async () => {
  origin = await startOrigin();
  session = await openSession({ pageLoad: { restMs: 0, quietMs: 100, timeoutMs: 5000 } });
});

afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await origin.close();
});

test('a page with an error status has a Snapshot all the same', async () => {
  const outcome = await visit(session, `${origin.httpUrl}/status/503`);
  expect(outcome.snapshot?.frames[0]?.title).toBe('Status 503');
});

test.each(['no-such-scheme://here/', 'chrome://version'])('%s is unsupported-content', async (url) => {
  expect(await visit(session, url)).toMatchObject({ status: 'failed', code: 'unsupported-content' });
});

test('a page that never settles is no failure: it has a Snapshot that says so at the hard cap', async () => {
  const snapshot = await takeSnapshot(session, `${origin.httpUrl}/never-ends`);
  expect(snapshot.settled).toBe(false);
});

test('a page with a dialog, and one that opens a window, load to their end', async () => {
  expect((await takeSnapshot(session, `${origin.httpUrl}/dialog`)).settled).toBe(true);
  expect((await takeSnapshot(session, `${origin.httpUrl}/popup`)).settled).toBe(true);
});
