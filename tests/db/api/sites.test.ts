import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rmdir } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { Readable } from 'node:stream';
import { Pool } from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { inTransaction } from '#controller/database/transaction.ts';
import { deleteSite, listEvaluationsOf, lockSiteFile, storeSite } from '#controller/sites/sites.ts';
import { SiteArchive } from '#controller/sites/site-archive.ts';
import { SiteReader } from '#controller/sites/site-reader.ts';
import { AuditPageSchema } from '#core/protocol/api/audit-entry.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import {
  SiteDetailSchema,
  RecordedVisitSchema,
  ListedSiteSchema,
  type ListedSite,
} from '#core/protocol/api/stored-site.ts';
import { writeSite, type RecordedSite } from '#site/write-site.ts';
import { sendWith, startTestController, type Send, type TestController } from '../../support/controller.ts';
import { makeRecordedBody, makeRecordedExchange, makeRecordedSite } from '../../support/make-recorded-site.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

let it: TestController;
let folder: Awaited<ReturnType<typeof makeTemporaryFolder>>;
let agent: Send;
beforeAll(async () => {
  it = await startTestController();
  folder = await makeTemporaryFolder();
  const { token } = await issueToken(it.controller.pool, { name: 'agent', scope: 'agent' });
  agent = sendWith(it.anonymous, { authorization: `Bearer ${token}` });
});
afterAll(async () => {
  await it[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

async function makeFile(change: Partial<RecordedSite> = {}): Promise<Buffer> {
  const file = path.join(folder.path, 'site.wacz');
  await writeSite(file, makeRecordedSite(change), { nowEpochMs: 1_764_000_000_000 });
  return readFile(file);
}

const upload = (contents: Buffer, { name, send = it.program }: { name?: string; send?: Send } = {}) =>
  send(`/api/sites${name === undefined ? '' : `?name=${encodeURIComponent(name)}`}`, {
    method: 'POST',
    body: new Uint8Array(contents),
  });
const keep = async (...given: Parameters<typeof upload>): Promise<ListedSite> => {
  const response = await upload(...given);
  expect(response.status).toBe(201);
  return ListedSiteSchema.parse(await response.json());
};
/** With settings of PostgreSQL of its own. */
const openPool = (connectionString: string, options: string) => {
  const pool = new Pool({ connectionString, options });
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.end() });
};
const refusalOf = async (response: Response) => {
  const { code, message } = ProblemSchema.parse(await response.json());
  return `${response.status} ${code}: ${message}`;
};
const list = async () => z.array(ListedSiteSchema).parse(await (await it.program('/api/sites')).json());
const listFiles = async () =>
  (await readdir(path.join(it.artefactsFolder, 'sites'), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.basename(parentPath) + name);
const remove = (idOrName: string, send = it.program) =>
  send(`/api/sites/${encodeURIComponent(idOrName)}`, { method: 'DELETE' });

test('an uploaded recording is listed, shown, downloaded as it came, and deleted with its file', async () => {
  const contents = await makeFile({
    title: 'A shop\nwith <signs>',
    exchanges: [
      makeRecordedExchange(),
      makeRecordedExchange({
        url: 'https://shop.test/a.js?x=1',
        headers: [['Content-Type', 'text/javascript']],
        body: makeRecordedBody('x'.repeat(500)),
      }),
      makeRecordedExchange({ visit: 2 }),
    ],
  });
  const sha256 = createHash('sha256').update(contents).digest('hex');
  const site = await keep(contents);
  expect(site).toMatchObject({
    ...{ name: 'A shop with <signs>', sha256, bytes: contents.length, uploadedBy: 'API token "test"' },
    recordedAt: '2025-11-24T16:00:00.000Z',
    pages: [{ number: 1, url: 'https://shop.test/', title: 'Shop' }],
    ...{ hosts: 1, objects: 2, bodyBytes: 508 },
  });
  expect(await list()).toEqual([site]);

  for (const of of [site.id, site.name]) {
    const detail = SiteDetailSchema.parse(await (await it.program(`/api/sites/${encodeURIComponent(of)}`)).json());
    expect(detail).toMatchObject({
      ...site,
      evaluations: [],
      contents: {
        hosts: [{ name: 'shop.test', connectMs: 20, thinkMs: 5, requests: 3, bytes: 516 }],
        pages: [{ number: 1, objects: 2, bytes: 508, visits: 2, totalMs: 300 }],
        types: [
          { type: 'script', requests: 1, bytes: 500 },
          { type: 'document', requests: 2, bytes: 16 },
        ],
      },
    });
    const file = await it.program(`/api/sites/${encodeURIComponent(of)}/file`);
    expect(Buffer.from(await file.arrayBuffer())).toEqual(contents);
  }
  expect(await listFiles()).toEqual([sha256]);
  const visited = await it.program(`/api/sites/${site.id}/visit?page=1&visit=1`);
  const { exchanges, latencies } = RecordedVisitSchema.parse(await visited.json());
  expect(exchanges.map(({ number, url }) => [number, url])).toEqual([
    [0, 'https://shop.test/'],
    [1, 'https://shop.test/a.js?x=1'],
  ]);
  expect(latencies).toEqual({ baseMs: 100, viewportMs: 200, totalMs: 300 });

  expect((await remove(site.id)).status).toBe(204);
  expect([await list(), await listFiles()]).toEqual([[], []]);
  expect(await refusalOf(await it.program(`/api/sites/${site.id}/file`))).toBe(
    `404 not-found: There is no Site "${site.id}"`,
  );
  const { entries } = AuditPageSchema.parse(await (await (await it.signIn()).browser('/api/audit')).json());
  expect(entries.slice(0, 3).map(({ action, subject }) => `${action} ${subject}`)).toEqual([
    expect.stringContaining('signed-in') as string,
    `site-deleted ${site.name}`,
    `site-uploaded ${site.name}`,
  ]);
});

test('a name and a recording are there once, and a refused upload keeps nothing', async () => {
  const [one, other] = [await makeFile(), await makeFile({ title: 'Another' })];
  const site = await keep(one, { name: 'shop' });
  expect(await refusalOf(await upload(one, { name: 'again' }))).toBe(
    '409 conflict: This recording is here already, as the Site "shop"',
  );
  const taken = '409 conflict: Another Site is named "shop": give this one another name, or delete that one';
  expect(await refusalOf(await upload(other, { name: 'shop' }))).toBe(taken);
  const named = await makeFile({ title: 'shop', software: 'HTTP-AE 2' });
  expect(await refusalOf(await upload(named))).toBe(taken);
  expect(await listFiles()).toEqual([site.sha256]);

  const both = await Promise.all([upload(other, { name: 'first' }), upload(other, { name: 'second' })]);
  expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
  expect((await listFiles()).sort()).toEqual((await list()).map(({ sha256 }) => sha256).sort());
  for (const { id } of await list()) await remove(id);
  expect(await listFiles()).toEqual([]);
});

test('of two recordings that are given one name at the same time one is stored, and the other is refused', async () => {
  const contents = await makeFile({ title: 'Late' });
  const { pool } = it.controller;
  let late: Promise<string> | undefined;
  await inTransaction(pool, async (client) => {
    const of = { sha256: 'a'.repeat(64), bytes: 1, index: new Uint8Array(), uploadedBy: 'another' };
    const counts = { pages: [], hosts: 0, objects: 0, bodyBytes: 0 };
    const summary = { title: 'Early', recordedAt: '2026-11-24T16:00:00.000Z', ...counts };
    await storeSite(client, { name: 'once', ...of, summary: JSON.stringify(summary) });
    late = upload(contents, { name: 'once' }).then(refusalOf);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    await expect.poll(async () => (await pool.query(waiting)).rowCount, { timeout: 20_000 }).toBe(1);
  });
  expect(await late).toBe('409 conflict: Another Site is named "once": give this one another name, or delete that one');
  expect(await listFiles()).toEqual([]);
  expect((await remove('once')).status).toBe(204);
});

test('what is no whole recording is refused, and nothing is kept', async () => {
  const whole = await makeFile();
  const damaged = Buffer.from(whole);
  damaged[whole.indexOf('archive/data.warc.gz') + 400]! ^= 1;
  for (const [contents, said] of [
    [Buffer.alloc(0), 'The file is no whole WACZ'],
    [Buffer.from('PK\u0003\u0004 but no archive'), 'The file is no whole WACZ'],
    [whole.subarray(0, whole.length - 30), 'The file is no whole WACZ'],
    [damaged, 'the file'],
  ] as const) {
    const refusal = await refusalOf(await upload(contents));
    expect(refusal).toContain('400 invalid-input');
    expect(refusal).toContain(said);
  }
  const id = '0195f0c4-3a4c-4a51-9a53-7d9c1a2b3c4d';
  for (const name of ['', id])
    expect(await refusalOf(await upload(whole, { name }))).toContain('400 invalid-input: The query is invalid: name');
  const untitled = 'The recording has no title that can be the name of a Site: give it a name';
  for (const title of ['\n', id])
    expect(await refusalOf(await upload(await makeFile({ title })))).toBe(`400 invalid-input: ${untitled}`);
  await using reader = new SiteReader();
  const place = openFolder(it.artefactsFolder);
  const small = new SiteArchive(place, { pool: it.controller.pool, reader, maximumBytes: 1000 });
  const options = { name: null, uploadedBy: 'test', signal: AbortSignal.timeout(20_000) };
  await expect(small.receive(Readable.from([whole.subarray(0, 500), whole.subarray(500)]), options)).rejects.toThrow(
    'The file has more than 1000 bytes',
  );
  expect([await list(), await listFiles()]).toEqual([[], []]);
});

test('a file that an upload stored before it failed is removed by the next sweep, and stays where a Site has it', async () => {
  await using reader = new SiteReader();
  await using pool = openPool(it.database.databaseUrl, '-c lock_timeout=200');
  const archive = new SiteArchive(openFolder(it.artefactsFolder), { pool, reader });
  const contents = await makeFile({ title: 'Held up' });
  const receive = () =>
    archive.receive(Readable.from([contents]), { name: null, uploadedBy: 'test', signal: AbortSignal.timeout(20_000) });
  const sha256 = createHash('sha256').update(contents).digest('hex');
  const holdUp = (work: () => Promise<void>) =>
    inTransaction(it.controller.pool, async (client) => {
      await lockSiteFile(client, sha256);
      await work();
    });
  await holdUp(async () => {
    await expect(receive()).rejects.toThrow('lock timeout');
    expect([await list(), await listFiles()]).toEqual([[], [sha256]]);
  });
  await archive.removeUnnamed();
  expect(await listFiles()).toEqual([]);

  await holdUp(() => expect(receive()).rejects.toThrow('lock timeout'));
  const { id } = await keep(contents);
  await archive.removeUnnamed();
  expect(await listFiles()).toEqual([sha256]);
  expect((await remove(id)).status).toBe(204);
});

test('a Site whose file cannot be removed stays, and can be deleted later', async () => {
  const { id, name, sha256 } = await keep(await makeFile());
  const file = path.join(it.artefactsFolder, 'sites', sha256.slice(0, 2), sha256.slice(2));
  await rename(file, `${file}.aside`);
  await mkdir(file); // no file that can be removed
  expect((await remove(id)).status).toBe(500);
  expect((await list()).map((site) => site.name)).toEqual([name]);
  await rmdir(file);
  await rename(`${file}.aside`, file);
  expect((await remove(id)).status).toBe(204);
  expect([await list(), await listFiles()]).toEqual([[], []]);
});

test('a Site shows the Evaluations that load it, and stays while a Run does', async () => {
  const { pool } = it.controller;
  const site = await keep(await makeFile(), { name: 'shop "24"' });
  const { runId } = await storeCompletedRun(pool, { evaluation: makeEvaluation({ name: 'Loads a Site' }) });
  await inTransaction(pool, async (client) => {
    const list = JSON.stringify([{ url: 'https://shop.test/', site: site.name, page: 1 }]);
    for (const table of ['evaluation', 'run'])
      await client.query(`update ${table} set document = jsonb_set(document, '{urlLists,shop}', $1)`, [list]);
    expect(await listEvaluationsOf(client, site.name)).toMatchObject([{ name: 'Loads a Site' }]);
    expect(await listEvaluationsOf(client, 'another')).toEqual([]);
    await client.query(`update run set state = 'running' where id = $1`, [runId]);
    await expect(deleteSite(client, site)).rejects.toThrow(
      `Run ${runId} loads the Site "shop "24"": stop the Run, or wait until it has ended`,
    );
    await client.query('rollback; begin'); // the Controller does not see this Run
  });
  expect((await remove(site.name)).status).toBe(204);
});

test('an upload that breaks off leaves nothing', async () => {
  const contents = await makeFile();
  const { cookie, csrfToken } = await it.signIn();
  const sending = request(`${it.controller.localUrl}/api/sites`, {
    method: 'POST',
    headers: { cookie, 'x-csrf-token': csrfToken, 'content-length': contents.length },
  });
  const closed = new Promise((resolve) => sending.once('close', resolve).once('error', resolve));
  const incoming = path.join(it.artefactsFolder, 'sites', 'incoming');
  sending.write(contents.subarray(0, 500));
  await expect.poll(async () => (await readdir(incoming)).length).toBe(1);
  sending.destroy();
  await closed;
  await expect.poll(() => readdir(incoming)).toEqual([]);
  expect(await list()).toEqual([]);
});

test('viewers read, evaluators change, and Agents download', async () => {
  const contents = await makeFile();
  const [{ browser: viewer }, { browser: evaluator }] = [await it.signIn('viewer'), await it.signIn('evaluator')];
  expect((await upload(contents, { send: viewer })).status).toBe(403);
  expect((await upload(contents, { send: agent })).status).toBe(401);
  const { name } = await keep(contents, { send: evaluator });
  const statusesOf = async (send: Send) => {
    const paths = ['/api/sites', `/api/sites/${name}`, `/api/sites/${name}/file`];
    return Promise.all(paths.map(async (each) => (await send(each)).status));
  };
  expect(await statusesOf(viewer)).toEqual([200, 200, 200]);
  expect(await statusesOf(agent)).toEqual([401, 401, 200]);
  expect(await statusesOf(it.anonymous)).toEqual([401, 401, 401]);
  expect([(await remove(name, viewer)).status, (await remove(name, agent)).status]).toEqual([403, 401]);
  expect((await remove(name, evaluator)).status).toBe(204);
});
