import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { FailureCode } from '#core/metrics/failure-code.ts';
import type { EngineSession } from '#agent/engines/engine.ts';
import { startOrigin, type Origin } from '#testbed/origin/start-origin.ts';
import { openSession } from './support/open-session.ts';
import { takeSnapshot, visit } from './support/visit.ts';

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

const failures: [string, FailureCode][] = [
  ['/status/404', 'http-client-error'],
  ['/status/410', 'http-client-error'],
  ['/status/500', 'http-server-error'],
  ['/status/503', 'http-server-error'],
  ['/status/204', 'empty-response'],
  ['/redirect/2/to/status/404', 'http-client-error'],
  ['/auth', 'http-client-error'],
  ['/empty', 'connection-reset'],
  ['/blank', 'empty-response'],
  ['/reset', 'connection-reset'],
  ['/redirect-loop', 'redirect-loop'],
  ['/hang', 'timeout'],
  ['/download', 'unsupported-content'],
];

test.each(failures)('%s is a failed Visit with the code %s, and the next Visit is like any other', async (path, code) => {
  expect(await visit(session, `${origin.httpUrl}${path}`)).toMatchObject({ status: 'failed', code });
  expect(await visit(session, `${origin.httpUrl}/images/1`)).toMatchObject({ status: 'ok', snapshot: { settled: true } });
});

test('a page with an error status has a Snapshot all the same', async () => {
  const outcome = await visit(session, `${origin.httpUrl}/status/503`);
  expect(outcome.snapshot?.frames[0]?.title).toBe('Status 503');
});

test('a name that does not exist is a dns-failure', async () => {
  expect(await visit(session, 'http://no-such-name.invalid/')).toMatchObject({ status: 'failed', code: 'dns-failure' });
});

test('a port that nobody listens on is connection-refused', async () => {
  const url = await findClosedPort();
  expect(await visit(session, url)).toMatchObject({ status: 'failed', code: 'connection-refused' });
});

test('a certificate of an unknown authority is a tls-failure', async () => {
  expect(await visit(session, `${origin.httpsUrl}/images/1`)).toMatchObject({ status: 'failed', code: 'tls-failure' });
});

test('a proxy that nobody listens on is a proxy-failure', async () => {
  await using proxied = await openSession({ pageLoad: { restMs: 0 }, browser: { proxy: await findClosedPort() } });
  expect(await visit(proxied, `${origin.httpUrl}/images/1`)).toMatchObject({ status: 'failed', code: 'proxy-failure' });
});

test.each(['no-such-scheme://here/', 'file:///etc/hostname', 'chrome://version', 'not an address'])('%s is unsupported-content', async (url) => {
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

async function findClosedPort(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
