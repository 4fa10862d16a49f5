import { afterAll, beforeAll, expect, test } from 'vitest';
import type { EngineSession } from '#agent/engines/engine.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { failureKinds, findClosedUrl } from './support/conformance-failures.ts';
import { openSession } from './support/open-session.ts';
import { takeSnapshot, visit } from './support/visit-for-snapshot.ts';

const pageLoad = { restMs: 0, quietMs: 100 };

/** One way to each code; conformance-failures.slow.test.ts has all, of every engine. */
const firstKinds = failureKinds.filter(
  (kind, index) => failureKinds.findIndex(({ code }) => code === kind.code) === index,
);

let origin: Origin;
let closedUrl: string;
let session: EngineSession;
/** For what never ends: how slow the machine is makes no difference to it. */
let impatient: EngineSession;

beforeAll(async () => {
  [origin, closedUrl, session, impatient] = await Promise.all([
    startOrigin(),
    findClosedUrl(),
    openSession({ pageLoad: { ...pageLoad, timeoutMs: 60_000 } }),
    openSession({ pageLoad: { ...pageLoad, timeoutMs: 2500 } }),
  ]);
});

afterAll(async () => {
  await session[Symbol.asyncDispose]();
  await impatient[Symbol.asyncDispose]();
  await origin.close();
});

test.each(firstKinds)('reports $name as $code', async ({ code, address, isAborted, isProxyDown }) => {
  const abortion = new AbortController();
  const onNavigate = () => (isAborted ? abortion.abort() : undefined);
  const order = { url: address({ origin, closedUrl }), signal: abortion.signal, onNavigate };
  if (isProxyDown) {
    await using proxied = await openSession({ pageLoad, browser: { proxy: closedUrl } });
    expect(await proxied.visit(order)).toMatchObject({ status: 'failed', code });
    return;
  }
  expect(await (code === 'timeout' ? impatient : session).visit(order)).toMatchObject({ status: 'failed', code });
});

test('after all of them a Visit is like any other', async () => {
  expect(await visit(session, `${origin.httpUrl}/images/1`)).toMatchObject({
    status: 'ok',
    snapshot: { settled: true },
  });
});

test('a page with an error status has a Snapshot all the same', async () => {
  const outcome = await visit(session, `${origin.httpUrl}/status/503`);
  expect(outcome.snapshot?.frames[0]?.title).toBe('Status 503');
});

test.each(['no-such-scheme://here/', 'chrome://version'])('%s is unsupported-content', async (url) => {
  expect(await visit(session, url)).toMatchObject({ status: 'failed', code: 'unsupported-content' });
});

test('a page that never settles is no failure: it has a Snapshot that says so at the hard cap', async () => {
  const snapshot = await takeSnapshot(impatient, `${origin.httpUrl}/never-ends`);
  expect(snapshot.settled).toBe(false);
});

test('a page with a dialog, and one that opens a window, load to their end', async () => {
  expect((await takeSnapshot(session, `${origin.httpUrl}/dialog`)).settled).toBe(true);
  expect((await takeSnapshot(session, `${origin.httpUrl}/popup`)).settled).toBe(true);
});
