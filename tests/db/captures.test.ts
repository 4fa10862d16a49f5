import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import { request, type ClientRequest } from 'node:http';
import path from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { issueToken } from '#controller/people/tokens.ts';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { TraceArchive } from '#controller/captures/artefacts/trace-archive.ts';
import { CaptureDetailSchema } from '#core/protocol/api/stored-capture.ts';
import { protocolVersion, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { offerToken } from '#core/protocol/line-credentials.ts';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import { readHostFacts } from '#agent/host/read-host-facts.ts';
import { makeCaptured } from '../support/captured-trace.ts';
import { sendWith, startTestController, type Send } from '../support/controller.ts';
import { makeEvaluation } from '../support/sample-evaluation.ts';
import { storeCompletedRun } from '../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const maximumTraceBytes = 10_000;
let agentToken: string;
let agent: Send;
let runId: string;
let passIds: string[];
let visitsOf: (passId: string) => string[];
const it = holdForAll(() => startTestController({ maximumTraceBytes }));
beforeAll(async () => {
  ({ token: agentToken } = await issueToken(it.controller.pool, { name: 'agent', scope: 'agent' }));
  agent = sendWith(it.anonymous, { authorization: `Bearer ${agentToken}` });
  const userAgents = makeEvaluation().userAgents.map((user, index) => ({
    ...user,
    osUser: 20_001 + index,
    sourceAddress: `198.19.1.${index + 1}`,
  }));
  const stored = await storeCompletedRun(it.controller.pool, { evaluation: makeEvaluation({ userAgents }) });
  runId = stored.runId;
  passIds = [...new Set(stored.visits.map((visit) => visit.passId))];
  visitsOf = (passId) => stored.visits.filter((visit) => visit.passId === passId).map((visit) => visit.id);
});

const hashOf = (contents: Buffer) => createHash('sha256').update(contents).digest('hex');
const upload = (sha256: string, contents: Buffer) =>
  agent(`/api/artefacts/${sha256}`, { method: 'PUT', body: new Uint8Array(contents) });
const readCapture = async (passId: string) =>
  CaptureDetailSchema.parse(await (await it.program(`/api/passes/${passId}/capture`)).json()).outcome;
const listArtefacts = async () =>
  (await readdir(it.artefactsFolder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name !== 'store-id')
    .map(({ parentPath, name }) => path.basename(parentPath) + name);

/** Says what an Agent says after a Round, and waits for the answer. */
async function reportCapture(captureId: string, outcome: CaptureOutcome, name = 'laptop'): Promise<ControllerMessage> {
  const socket = new WebSocket(`${it.controller.url.replace('http', 'ws')}/agent`, offerToken(agentToken));
  const answer = Promise.withResolvers<ControllerMessage>();
  const say = (message: AgentMessage) => socket.send(JSON.stringify(message));
  const facts = readHostFacts({
    engines: [],
    scriptsAllowed: false,
    anyPreferenceAllowed: false,
    origin: null,
    testbed: null,
  });
  socket.on('open', () => say({ type: 'hello', protocolVersion, agentVersion: '0', name, facts, passes: [] }));
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ControllerMessage;
    if (message.type === 'welcome') say({ type: 'capture', capture: { captureId, outcome } });
    else answer.resolve(message);
  });
  socket.on('error', answer.reject);
  try {
    return await answer.promise;
  } finally {
    socket.terminate();
  }
}

async function archive(passId: string, contents: Buffer): Promise<ControllerMessage> {
  const sha256 = hashOf(contents);
  expect((await upload(sha256, contents)).status).toBe(204);
  return reportCapture(passId, makeCaptured({ trace: { kind: 'kept', sha256, bytes: contents.length } }));
}

test('a Capture is stored once, however often it is reported, with its trace and what each Visit had on the wire', async () => {
  const [passId] = passIds;
  const contents = randomBytes(3000);
  const [visitId] = visitsOf(passId!);
  const visits = {
    [visitId!]: {
      packets: 4,
      bytes: 1216,
      openedConnections: 2,
      unusedConnections: 1,
      sentBytes: 700,
      receivedBytes: 516,
      signallingPackets: 3,
    },
  };
  const captured = makeCaptured({ visits, trace: { kind: 'kept', sha256: hashOf(contents), bytes: contents.length } });
  await upload(hashOf(contents), contents);
  expect(await reportCapture(passId!, captured)).toEqual({ type: 'capture-stored', captureId: passId });
  expect(await reportCapture(passId!, { kind: 'absent', reason: 'another word' })).toEqual({
    type: 'capture-stored',
    captureId: passId,
  });
  expect(await readCapture(passId!)).toEqual(captured);

  const trace = await it.program(`/api/passes/${passId!}/trace`);
  expect(trace.headers.get('content-type')).toBe('application/gzip');
  expect(trace.headers.get('content-length')).toBe('3000');
  expect(trace.headers.get('content-disposition')).toMatch(
    new RegExp(`filename=run-${runId}-block-0-(direct|proxy)-(alice|bob).pcap.gz$`),
  );
  expect(Buffer.from(await trace.arrayBuffer())).toEqual(contents);
  const rows = (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as Record<string, unknown>[];
  expect(rows.find((row) => row.visit_id === visitId)).toMatchObject({
    wire_packets: 4,
    wire_bytes: 1216,
    wire_connections: 2,
    wire_unused_connections: 1,
  });
  expect(rows.filter((row) => row.wire_packets === null)).toHaveLength(rows.length - 1);
});

test('a Capture of another Agent’s Pass is refused, and one whose trace was never uploaded is asked for again', async () => {
  const passId = passIds[1]!;
  expect(await reportCapture(passId, makeCaptured(), 'another')).toMatchObject({
    type: 'capture-refused',
    captureId: passId,
  });
  const trace = { kind: 'kept' as const, sha256: hashOf(randomBytes(8)), bytes: 8 };
  expect(await reportCapture(passId, makeCaptured({ trace }))).toEqual({ type: 'capture-wanted', captureId: passId });
  expect(await readCapture(passId)).toEqual({ kind: 'absent', reason: 'Its Agent has not uploaded it yet' });
});

test('an artefact whose contents are not what its name says, or that is too large, leaves nothing', async () => {
  const before = await listArtefacts();
  const wrong = await upload(hashOf(Buffer.from('one thing')), Buffer.from('another'));
  expect([wrong.status, await wrong.json()]).toMatchObject([
    400,
    { code: 'invalid-input', message: expect.stringContaining(hashOf(Buffer.from('another'))) as string },
  ]);
  const large = randomBytes(maximumTraceBytes + 1);
  expect((await upload(hashOf(large), large)).status).toBe(413);
  expect(await listArtefacts()).toEqual(before);
});

test('a name that is no hash leads nowhere, and only an Agent may upload', async () => {
  for (const name of ['..%2F..%2Fetc%2Fpasswd', '%2e%2e', 'A'.repeat(64), '../'.repeat(3)]) {
    expect((await upload(name, Buffer.from('x'))).status).toBe(404);
  }
  const contents = Buffer.from('x');
  const put = { method: 'PUT', body: new Uint8Array(contents) };
  expect((await it.program(`/api/artefacts/${hashOf(contents)}`, put)).status).toBe(401);
  expect((await it.anonymous(`/api/artefacts/${hashOf(contents)}`, put)).status).toBe(401);
  expect((await agent('/api/runs')).status).toBe(401);
});

test('the oldest traces make room for newer ones, and their statistics stay', async () => {
  const [, , third, fourth, fifth] = passIds;
  const traces = [third!, fourth!, fifth!].map((passId) => ({ passId, contents: randomBytes(4000) }));
  for (const { passId, contents } of traces)
    expect(await archive(passId, contents)).toMatchObject({ type: 'capture-stored' });
  // Room is made after the acknowledgement.
  await expect.poll(listArtefacts).toHaveLength(2);
  expect(new Set(await listArtefacts())).toEqual(new Set(traces.slice(1).map(({ contents }) => hashOf(contents))));
  expect(await readCapture(third!)).toMatchObject({
    kind: 'captured',
    statistics: { packets: 4 },
    trace: { kind: 'absent', reason: expect.stringContaining('retention limit removed it') as string },
  });
  expect((await it.program(`/api/passes/${third!}/trace`)).status).toBe(404);
  const { contents } = traces[0]!;
  const trace = { kind: 'kept' as const, sha256: hashOf(contents), bytes: contents.length };
  expect(await reportCapture(third!, makeCaptured({ trace }))).toEqual({ type: 'capture-stored', captureId: third });
  expect((await it.program(`/api/passes/${fifth!}/trace`)).status).toBe(200);
});

test('what an Agent says of the size of its trace removes nothing of others: the bytes that came count', async () => {
  const [, , , fourth, fifth] = passIds;
  const kept = await listArtefacts();
  const lie = Buffer.from('fourteen bytes');
  await upload(hashOf(lie), lie);
  const [, second] = passIds;
  expect(
    await reportCapture(second!, makeCaptured({ trace: { kind: 'kept', sha256: hashOf(lie), bytes: 9e15 } })),
  ).toMatchObject({ type: 'capture-stored' });
  await new TraceArchive(openFolder(it.artefactsFolder), {
    pool: it.controller.pool,
    maximumBytes: maximumTraceBytes,
  }).makeRoom();
  for (const passId of [fourth, fifth]) expect((await it.program(`/api/passes/${passId!}/trace`)).status).toBe(200);
  expect(new Set(await listArtefacts())).toEqual(new Set([...kept, hashOf(lie)]));
  expect(await readCapture(second!)).toMatchObject({ trace: { kind: 'kept', bytes: lie.length } });
});

test('a token uploads no more than all traces may have while no Capture reports it, at once or one after the other', async () => {
  await using small = await startTestController({ maximumTraceBytes: 10_000 });
  const send = async (token: string, contents: Buffer) => {
    const response = await small.anonymous(`/api/artefacts/${hashOf(contents)}`, {
      method: 'PUT',
      body: new Uint8Array(contents),
      headers: { authorization: `Bearer ${token}` },
    });
    return response.status;
  };
  const { token: one } = await issueToken(small.controller.pool, { name: 'one', scope: 'agent' });
  const first = randomBytes(6000);
  expect(await send(one, first)).toBe(204);
  expect(await send(one, randomBytes(6000))).toBe(429);
  expect(await send(one, first)).toBe(204);
  // Uploads that end at the same moment are the hard case: more than one try is needed to meet it.
  for (let round = 0; round < 10; round++) {
    const { token } = await issueToken(small.controller.pool, { name: `other-${round}`, scope: 'agent' });
    const statuses = await Promise.all(Array.from({ length: 16 }, () => send(token, randomBytes(4000))));
    expect(statuses.filter((status) => status === 204).length).toBeLessThanOrEqual(2);
  }
});

test('what uploads and Captures that never came have left is swept when it is old, and nothing else', async () => {
  const { pool } = it.controller;
  const archive = new TraceArchive(openFolder(it.artefactsFolder), { pool, maximumBytes: maximumTraceBytes });
  const nowEpochMs = Date.now();
  const dayMs = 24 * 3_600_000;
  const pathOf = (hash: string) => path.join(it.artefactsFolder, hash.slice(0, 2), hash.slice(2));
  const kept = await listArtefacts();
  const orphan = randomBytes(100);
  await upload(hashOf(orphan), orphan);
  // Of another database that has its files in the same folder.
  const foreign = hashOf(randomBytes(8));
  await mkdir(path.dirname(pathOf(foreign)), { recursive: true });
  await writeFile(pathOf(foreign), 'not ours');
  const incoming = path.join(it.artefactsFolder, 'incoming');
  for (const name of ['under-way', 'left-behind']) await writeFile(path.join(incoming, name), 'the first part');
  const age = (file: string) => utimes(file, nowEpochMs / 1000, (nowEpochMs - 2 * dayMs) / 1000);
  await age(path.join(incoming, 'left-behind'));

  await archive.sweep({ nowEpochMs, minimumAgeMs: dayMs });
  expect(await readdir(incoming)).toEqual(['under-way']);
  expect(await listArtefacts()).toEqual(expect.arrayContaining([...kept, hashOf(orphan), foreign]));

  for (const hash of [...kept, hashOf(orphan), foreign]) await age(pathOf(hash));
  await pool.query(`update unclaimed_trace set noted_at = now() - interval '2 days'`);
  await archive.sweep({ nowEpochMs, minimumAgeMs: dayMs });
  expect(new Set(await listArtefacts())).toEqual(new Set([...kept, foreign, 'incomingunder-way']));
});

/** A request whose body the test hands over piece by piece. `over`: the status of its answer, or that the line broke. */
function begin(
  url: string,
  { method, headers }: { method: string; headers: Record<string, string> },
): { sending: ClientRequest; over: Promise<number | 'broken'> } {
  const sending = request(url, { method, headers });
  const over = new Promise<number | 'broken'>((resolve) => {
    sending.on('response', (response) => resolve(response.resume().statusCode!));
    sending.on('error', () => resolve('broken'));
  });
  return { sending, over };
}

test('an upload may take longer than other requests may, as long as it flows', async () => {
  await using slow = await startTestController({ receiving: { wholeMs: 300, idleMs: 60_000 } });
  const { token } = await issueToken(slow.controller.pool, { name: 'agent', scope: 'agent' });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/octet-stream' };
  const contents = randomBytes(2000);
  const trace = begin(`${slow.controller.url}/api/artefacts/${hashOf(contents)}`, { method: 'PUT', headers });
  trace.sending.write(contents.subarray(0, 1000));
  const other = begin(`${slow.controller.url}/api/sign-in`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  });
  other.sending.write('{"name": ');
  expect(await other.over).toBe('broken');
  trace.sending.end(contents.subarray(1000));
  expect(await trace.over).toBe(204);
});

test('an upload that stands still is broken off and leaves nothing', async () => {
  await using impatient = await startTestController({ receiving: { wholeMs: 60_000, idleMs: 300 } });
  const { token } = await issueToken(impatient.controller.pool, { name: 'agent', scope: 'agent' });
  const trace = begin(`${impatient.controller.url}/api/artefacts/${hashOf(randomBytes(8))}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}` },
  });
  trace.sending.write(randomBytes(1000));
  expect(await trace.over).toBe('broken');
  await expect
    .poll(
      async () =>
        (await readdir(impatient.artefactsFolder, { recursive: true, withFileTypes: true })).filter(
          (entry) => entry.isFile() && entry.name !== 'store-id',
        ),
      { timeout: 30_000 },
    )
    .toEqual([]);
});
