import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { completeCapture } from '#agent/capture/complete-capture.ts';
import { CaptureSpool, SpooledCaptureSchema } from '#agent/spool/capture-spool.ts';
import { openSpoolDatabase } from '#agent/spool/open-spool-database.ts';
import { makeCaptured, traceBytes } from '#tests/support/captured-trace.ts';
import { client, server as origin, startEpochNs } from '#tests/support/packets/measure.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const stack = new AsyncDisposableStack();
const startEpochMs = Number(startEpochNs / 1_000_000n);
const captureId = randomUUID();
let spool: CaptureSpool;
let controllerUrl: string;
/** What the Controller was given, and what it answers. */
let uploads: { line: string; token: string | undefined; body: Buffer }[];
let answer: { status: number; text: string };

beforeAll(async () => {
  const folder = stack.use(await makeTemporaryFolder()).path;
  spool = new CaptureSpool(
    stack.use(openSpoolDatabase(path.join(folder, 'spool.sqlite'))),
    path.join(folder, 'traces'),
  );
  writeFileSync(spool.traceFile(captureId), traceBytes);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks);
      uploads.push({ line: `${request.method} ${request.url}`, token: request.headers.authorization, body });
      response.writeHead(answer.status).end(answer.text);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  stack.defer(() => void server.close());
  controllerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/below`;
});
afterAll(() => stack.disposeAsync());
beforeEach(() => {
  [uploads, answer] = [[], { status: 204, text: '' }];
});

const known = makeCaptured();
/** The connection of the trace is opened in the first Visit; its last packet, after 100 ms, falls in the time of the second. */
const complete = (change: object = {}) =>
  completeCapture(
    SpooledCaptureSchema.parse({
      ...known,
      keepsTrace: true,
      visitTimes: [
        { visitId: randomUUID(), startedEpochMs: startEpochMs, endedEpochMs: startEpochMs + 90 },
        { visitId: randomUUID(), startedEpochMs: startEpochMs + 95, endedEpochMs: startEpochMs + 200 },
      ],
      localAddresses: [client.address],
      firstPort: origin.port,
      ...change,
    }),
    { captureId, spool, controllerUrl, token: 'secret', signal: new AbortController().signal },
  );
async function completed(change: object = {}) {
  const outcome = await complete(change);
  if (outcome.kind === 'absent') throw new Error(outcome.reason);
  return outcome;
}

test('a trace that is kept goes to the Controller, compressed, under the hash of what was sent', async () => {
  const { trace, statistics, interface: name } = await completed();
  expect({ statistics, interface: name }).toEqual({ statistics: known.statistics, interface: known.interface });
  expect(uploads).toHaveLength(1);
  const { line, token, body } = uploads[0]!;
  const sha256 = createHash('sha256').update(body).digest('hex');
  expect(trace).toEqual({ kind: 'kept', sha256, bytes: body.length });
  expect([line, token]).toEqual([`PUT /below/api/artefacts/${sha256}`, 'Bearer secret']);
  expect(gunzipSync(body)).toEqual(Buffer.from(traceBytes));
});

test('a trace that nobody keeps stays here', async () => {
  expect((await completed({ keepsTrace: false })).trace).toEqual({
    kind: 'absent',
    reason: 'The Evaluation keeps no traces',
  });
  expect(uploads).toEqual([]);
});

test.for([400, 413])('a trace that the Controller refuses for good (%i) is absent, with its words', async (status) => {
  answer = { status, text: `no: ${'x'.repeat(9000)}` };
  const { trace } = await completed();
  expect(trace).toMatchObject({ kind: 'absent' });
  const { reason } = trace as { reason: string };
  expect(reason).toMatch(/^The Controller did not take it: no: x+$/);
  expect(reason.length).toBeLessThan(4100);
});

test.for([401, 404, 429, 500, 503])('with any other answer (%i) it is tried again later', async (status) => {
  answer = { status, text: 'not now' };
  await expect(complete()).rejects.toThrow(`HTTP status ${status}: not now`);
});

test('its packets are counted for the Visits of the Pass, and its first packet is found', async () => {
  const packetsOf = async (change: object) =>
    Object.values((await completed({ keepsTrace: false, ...change })).visits).map(({ packets }) => packets);
  expect(await packetsOf({})).toEqual([4, 0]);
  expect(await packetsOf({ keepsConnections: true })).toEqual([3, 1]);
  const { visits, firstPacketEpochMs } = await completed({ keepsTrace: false });
  expect(Object.values(visits)[0]).toMatchObject({ openedConnections: 1, unusedConnections: 1 });
  const { sentBytes, receivedBytes, bytes } = Object.values(visits)[0]!;
  expect([sentBytes! > 0, receivedBytes! > 1000, sentBytes! + receivedBytes!]).toEqual([true, true, bytes]);
  expect(firstPacketEpochMs).toBe(startEpochMs);
  const unknown = await completed({ keepsTrace: false, localAddresses: [], firstPort: 443 });
  expect(unknown.firstPacketEpochMs).toBeNull();
  expect(Object.values(unknown.visits)[0]).toMatchObject({ sentBytes: null, receivedBytes: null });
});

test.for([
  ['removed', () => rmSync(spool.traceFile(captureId)), 'Its file on the host was removed'],
  ['empty', () => writeFileSync(spool.traceFile(captureId), ''), 'Its file on the host was damaged: it has 0 of'],
  [
    'cut',
    () => writeFileSync(spool.traceFile(captureId), traceBytes.subarray(0, -9)),
    'Its file on the host was damaged: it has',
  ],
  ['something else', () => writeFileSync(spool.traceFile(captureId), 'no trace'), 'damaged: is not a trace'],
] as const)(
  'of a trace that was %s on the host, the statistics go to the Controller, and no Capture waits for it',
  async ([, damage, reason]) => {
    damage();
    onTestFinished(() => writeFileSync(spool.traceFile(captureId), traceBytes));
    const { statistics, visits, firstPacketEpochMs, trace } = await completed();
    expect({ statistics, visits, firstPacketEpochMs }).toEqual({
      statistics: known.statistics,
      visits: {},
      firstPacketEpochMs: null,
    });
    expect(trace).toEqual({ kind: 'absent', reason: expect.stringContaining(reason) as string });
    expect(uploads).toEqual([]);
  },
);

test('a Capture that is absent stays so', async () => {
  const absent = { kind: 'absent' as const, reason: 'no right to capture' };
  const options = { captureId, spool, controllerUrl, token: '', signal: new AbortController().signal };
  expect(await completeCapture(absent, options)).toEqual(absent);
});
