import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { beforeAll, expect, test } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { PictureArchive } from '#controller/captures/artefacts/picture-archive.ts';
import { needVisit } from '#controller/visits/visit-detail.ts';
import { storeVisits } from '#controller/visits/store-visits.ts';
import { filmstripLimits, type Filmstrip } from '#core/protocol/filmstrip.ts';
import type { Har } from '#core/har/har.ts';
import { VisitSchema, type Visit } from '#core/protocol/visit.ts';
import { sendWith, startTestController, type Send } from '../support/controller.ts';
import { findHarFaults } from '../support/har/find-har-faults.ts';
import { makeEvaluation } from '../support/sample-evaluation.ts';
import { storeCompletedRun } from '../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

let agent: Send;
let visits: Visit[];
const it = holdForAll(() => startTestController());
beforeAll(async () => {
  const { token } = await issueToken(it.controller.pool, { name: 'agent', scope: 'agent' });
  agent = sendWith(it.anonymous, { authorization: `Bearer ${token}` });
  ({ visits } = await storeCompletedRun(it.controller.pool, {
    evaluation: makeEvaluation(),
    failingUrl: 'http://origin.test/plain',
  }));
});

const makeJpeg = (bytes: number) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(bytes - 3)]);
const hashOf = (contents: Buffer) => createHash('sha256').update(contents).digest('hex');
const upload = (contents: Buffer, sha256 = hashOf(contents)) =>
  agent(`/api/pictures/${sha256}`, { method: 'PUT', body: new Uint8Array(contents) });
const messageOf = async (response: Response) => ((await response.json()) as { message: string }).message;

/** A Visit like the first, with these pictures. */
async function storeVisit(pictures: Pick<Visit, 'screenshot' | 'filmstrip'> = {}): Promise<string> {
  const visit: Visit = { ...visits[0]!, id: randomUUID(), ...pictures };
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
  expect(har.log.pages[0]).toMatchObject({
    title: seen.url,
    comment: expect.stringMatching(/^Run \d+, Block 0, Scenario ".+", User Agent "alice"$/) as string,
    pageTimings: { _totalMs: 1000 },
  });

  const failed = visits.find(({ outcome }) => !outcome.snapshot)!;
  const none = await it.program(`/api/visits/${failed.id}/har`);
  expect([none.status, await messageOf(none)]).toEqual([
    404,
    `There is no HAR of the Visit ${failed.id}: it failed (timeout) without a Snapshot`,
  ]);
});

test('a screenshot is shown as an image that can do nothing, once its file has come', async () => {
  const contents = makeJpeg(2000);
  const id = await storeVisit({ screenshot: { kind: 'kept', sha256: hashOf(contents), bytes: contents.length } });
  expect((await it.program(`/api/visits/${id}/screenshot`)).status).toBe(404);
  expect((await upload(contents)).status).toBe(204);
  expect((await upload(contents)).status).toBe(204);

  const response = await it.program(`/api/visits/${id}/screenshot`);
  expect(response.status).toBe(200);
  expect(
    Object.fromEntries(
      ['content-type', 'x-content-type-options', 'content-security-policy', 'content-disposition'].map((name) => [
        name,
        response.headers.get(name),
      ]),
    ),
  ).toEqual({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; sandbox`,
    'content-disposition': `inline; filename="visit-${id}.jpg"`,
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(contents);
});

test('why there is no screenshot is reported', async () => {
  const unasked = await it.program(`/api/visits/${await storeVisit()}/screenshot`);
  expect([unasked.status, await messageOf(unasked)]).toMatchObject([
    404,
    expect.stringContaining('its Evaluation lacks "artefacts: { screenshot: true }"'),
  ]);
  const absent = await it.program(
    `/api/visits/${await storeVisit({ screenshot: { kind: 'absent', reason: 'the page was lost' } })}/screenshot`,
  );
  expect([absent.status, await messageOf(absent)]).toMatchObject([404, expect.stringContaining('the page was lost')]);
});

test('only Agents upload, only JPEG files, only what their hash says, and no more than 1 MiB', async () => {
  const contents = makeJpeg(10);
  const put = { method: 'PUT', body: new Uint8Array(contents) };
  expect((await it.program(`/api/pictures/${hashOf(contents)}`, put)).status).toBe(401);
  expect((await upload(contents, hashOf(makeJpeg(10)))).status).toBe(400);
  expect((await upload(makeJpeg(1024 * 1024 + 1))).status).toBe(413);
  for (const other of ['<!doctype html><script>alert(1)</script>', '\xff', '']) {
    const refused = await upload(Buffer.from(other, 'latin1'));
    expect([refused.status, await messageOf(refused)]).toEqual([
      400,
      'The contents are not a JPEG: only pictures of pages are stored here',
    ]);
    expect((await it.program(`/api/pictures/${hashOf(Buffer.from(other, 'latin1'))}`)).status).toBe(404);
  }
  expect((await upload(contents, '..%2Fx')).status).toBe(404);
  expect((await agent(`/api/visits/${visits[0]!.id}/screenshot`)).status).toBe(401);
});

test('a filmstrip comes back as it was reported, and each frame is shown once its file has come', async () => {
  const [white, page] = [makeJpeg(300), makeJpeg(500)];
  const frames = [white, page, white].map((contents, index) => ({
    sha256: hashOf(contents),
    bytes: contents.length,
    shownEpochMs: 1_800_000_000_000.25 + 100 * index,
  }));
  const filmstrip: Filmstrip = { kind: 'kept', frames, leftOut: 2, isLastLate: false };
  const id = await storeVisit({ filmstrip });
  expect((await needVisit(it.controller.pool, id)).visit.filmstrip).toEqual(filmstrip);
  expect((await needVisit(it.controller.pool, await storeVisit())).visit.filmstrip).toBeNull();

  const show = (contents: Buffer) => it.program(`/api/pictures/${hashOf(contents)}`);
  expect((await show(page)).status).toBe(404);
  for (const contents of [white, page]) expect((await upload(contents)).status).toBe(204);
  const response = await show(page);
  expect(
    Object.fromEntries(
      ['content-type', 'x-content-type-options', 'content-security-policy', 'cache-control'].map((name) => [
        name,
        response.headers.get(name),
      ]),
    ),
  ).toEqual({
    'content-type': 'image/jpeg',
    'x-content-type-options': 'nosniff',
    'content-security-policy': `default-src 'none'; sandbox`,
    'cache-control': 'no-store',
  });
  expect(Buffer.from(await response.arrayBuffer())).toEqual(page);
  expect((await it.anonymous(`/api/pictures/${hashOf(page)}`)).status).toBe(401);
  expect((await agent(`/api/pictures/${hashOf(page)}`)).status).toBe(401);
});

test('a filmstrip of more frames, of more bytes, or back in time is refused', () => {
  const frame = (index: number, bytes = 100) => ({
    sha256: 'a'.repeat(64),
    bytes,
    shownEpochMs: 1_800_000_000_000 + index,
  });
  const isTaken = (frames: ReturnType<typeof frame>[]) =>
    VisitSchema.safeParse({ ...visits[0]!, filmstrip: { kind: 'kept', frames, leftOut: 0, isLastLate: false } })
      .success;
  const many = (count: number, bytes?: number) => Array.from({ length: count }, (_, index) => frame(index, bytes));
  expect(isTaken(many(filmstripLimits.frames))).toBe(true);
  expect(isTaken(many(filmstripLimits.frames + 1))).toBe(false);
  expect(isTaken(many(2, filmstripLimits.bytes / 2))).toBe(true);
  expect(isTaken(many(2, filmstripLimits.bytes / 2 + 1))).toBe(false);
  expect(isTaken([frame(2), frame(1)])).toBe(false);
  expect(isTaken([])).toBe(false);
});

test('the oldest pictures make room for newer ones, and none goes while there is room', async () => {
  const { pool } = it.controller;
  const openArchive = async () => {
    await pool.query('delete from picture_file');
    const archive = new PictureArchive(openFolder(it.artefactsFolder), { pool, maximumBytes: 1000 });
    return {
      receive: (contents: Buffer) => archive.receive(hashOf(contents), Readable.from([contents])),
      has: (contents: Buffer[]) =>
        Promise.all(contents.map(async (each) => (await archive.files.sizeOf(hashOf(each))) !== null)),
    };
  };
  // Three have 1008 bytes.
  const contents = [1, 2, 3].map(() => makeJpeg(336));
  const full = await openArchive();
  for (const each of contents) await full.receive(each);
  expect(await full.has(contents)).toEqual([false, true, true]);
  // Seen again, it is as new as any.
  await full.receive(contents[1]!);
  await full.receive(makeJpeg(336));
  expect(await full.has(contents)).toEqual([false, true, false]);

  const few = [980, 12].map(makeJpeg);
  const roomy = await openArchive();
  for (const each of few) await roomy.receive(each);
  expect(await roomy.has(few)).toEqual([true, true]);
});
