import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { issueToken } from '#controller/access/issue-token.ts';
import { PictureArchive } from '#controller/artefacts/picture-archive.ts';
import { storeVisits } from '#controller/db/visits.ts';
import type { Har } from '#core/har/har.ts';
import type { Screenshot } from '#core/protocol/screenshot.ts';
import type { Visit } from '#core/protocol/visit.ts';
import { sendWith, startTestController, type Send, type TestController } from '../support/controller.ts';
import { findHarFaults } from '../support/har/find-har-faults.ts';
import { makeEvaluation } from '../support/evaluation.ts';
import { storeCompletedRun } from '../support/stored-run.ts';

let it: TestController;
let agent: Send;
let visits: Visit[];
beforeAll(async () => {
  it = await startTestController();
  const { token } = await issueToken(it.controller.pool, { name: 'agent', scope: 'agent' });
  agent = sendWith(it.anonymous, { authorization: `Bearer ${token}` });
  ({ visits } = await storeCompletedRun(it.controller.pool, { evaluation: makeEvaluation(), failingUrl: 'http://origin.test/plain' }));
});
afterAll(() => it[Symbol.asyncDispose]());

const hashOf = (contents: Buffer) => createHash('sha256').update(contents).digest('hex');
const upload = (contents: Buffer, sha256 = hashOf(contents)) => agent(`/api/pictures/${sha256}`, { method: 'PUT', body: new Uint8Array(contents) });
const messageOf = async (response: Response) => ((await response.json()) as { message: string }).message;

/** A Visit like the first, with this screenshot. */
async function storeVisit(screenshot?: Screenshot): Promise<string> {
  const visit: Visit = { ...visits[0]!, id: randomUUID(), ...(screenshot && { screenshot }) };
  await storeVisits(it.controller.pool, [{ visit, readings: [] }]);
  return visit.id;
}

test('every Visit of which something was seen has a HAR, and one that failed before says why it has none', async () => {
  const seen = visits.find(({ outcome }) => outcome.snapshot)!;
  const response = await it.program(`/api/visits/${seen.id}/har`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename=visit-${seen.id}.har`);
  const har = (await response.json()) as Har;
  expect(findHarFaults(har)).toEqual([]);
  expect(har.log.pages[0]).toMatchObject({ title: seen.url, comment: expect.stringMatching(/^Run \d+, Block 0, Scenario ".+", User Agent "alice"$/) as string, pageTimings: { _totalMs: 1000 } });

  const failed = visits.find(({ outcome }) => !outcome.snapshot)!;
  const none = await it.program(`/api/visits/${failed.id}/har`);
  expect([none.status, await messageOf(none)]).toEqual([404, `There is no HAR of the Visit ${failed.id}: it failed (timeout) before anything of a page was seen`]);
});

test('a screenshot is shown as an image that can do nothing, once its file has come', async () => {
  const contents = randomBytes(2000);
  const id = await storeVisit({ kind: 'kept', sha256: hashOf(contents), bytes: contents.length });
  expect((await it.program(`/api/visits/${id}/screenshot`)).status).toBe(404);
  expect((await upload(contents)).status).toBe(204);
  expect((await upload(contents)).status).toBe(204);

  const response = await it.program(`/api/visits/${id}/screenshot`);
  expect(response.status).toBe(200);
  expect(Object.fromEntries(['content-type', 'x-content-type-options', 'content-security-policy', 'content-disposition'].map((name) => [name, response.headers.get(name)]))).toEqual({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; sandbox`,
    'content-disposition': `inline; filename="visit-${id}.jpg"`,
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(contents);
});

test('why there is no screenshot is told', async () => {
  const unasked = await it.program(`/api/visits/${await storeVisit()}/screenshot`);
  expect([unasked.status, await messageOf(unasked)]).toMatchObject([404, expect.stringContaining('did not ask for one with "artefacts: { screenshot: true }"')]);
  const absent = await it.program(`/api/visits/${await storeVisit({ kind: 'absent', reason: 'the page was lost' })}/screenshot`);
  expect([absent.status, await messageOf(absent)]).toMatchObject([404, expect.stringContaining('the page was lost')]);
});

test('only Agents upload, only what its hash says, and no more than 1 MiB', async () => {
  const contents = randomBytes(10);
  const put = { method: 'PUT', body: new Uint8Array(contents) };
  expect((await it.program(`/api/pictures/${hashOf(contents)}`, put)).status).toBe(401);
  expect((await upload(contents, hashOf(randomBytes(10)))).status).toBe(400);
  expect((await upload(randomBytes(1024 * 1024 + 1))).status).toBe(413);
  expect((await upload(contents, '..%2Fx')).status).toBe(404);
  expect((await agent(`/api/visits/${visits[0]!.id}/screenshot`)).status).toBe(401);
});

test('the oldest pictures make room for newer ones', async () => {
  const { pool } = it.controller;
  await pool.query('delete from picture_file');
  const archive = new PictureArchive(it.artefactsFolder, { pool, maximumBytes: 1000 });
  const contents = [1, 2, 3].map(() => randomBytes(400));
  const receive = (each: Buffer) => archive.receive(hashOf(each), (async function* () { yield await Promise.resolve(each); })());
  for (const each of contents) await receive(each);
  expect(await Promise.all(contents.map((each) => archive.files.has(hashOf(each))))).toEqual([false, true, true]);
  // Seen again, it is as new as any.
  await receive(contents[1]!);
  await receive(randomBytes(400));
  expect(await Promise.all(contents.map((each) => archive.files.has(hashOf(each))))).toEqual([false, true, false]);
});
