import { createHash, randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runAgent } from '#agent/run-agent.ts';
import { PictureSpool } from '#agent/spool/picture-uploader.ts';
import { launcher } from '#cli/installation.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { openBucket, type Bucket } from '#controller/captures/artefacts/bucket/open-bucket.ts';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { writeBackup } from '#controller/operating/write-backup.ts';
import { restoreBackup } from '#controller/operating/restore-backup.ts';
import { inTransaction } from '#controller/database/transaction.ts';
import { takeUnclaimedTrace } from '#controller/captures/unclaimed-traces.ts';
import { writeSite } from '#site/write-site.ts';
import { makeCaptured } from '../../support/captured-trace.ts';
import { postJson, sendWith, startTestController, type TestController } from '../../support/controller.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';
import { joinAgent } from '../../support/join-agent.ts';
import { makeRecordedSite } from '../../support/make-recorded-site.ts';
import { makeS3Server, s3Program, type S3Server } from '../../support/s3-server.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { makeTemporaryFolder } from '../../support/temporary-folder.ts';

const log = pino({ level: 'silent' });
const mebibyte = 1024 ** 2;
const hashOf = (contents: Buffer) => createHash('sha256').update(contents).digest('hex');
const makeJpeg = (bytes: number) => Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(bytes - 3)]);
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

async function collect<T>(each: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of each) all.push(one);
  return all;
}

/** As an Agent uploads. */
async function upload(
  to: TestController,
  { kind, contents, sha256 = hashOf(contents) }: { kind: 'artefacts' | 'pictures'; contents: Buffer; sha256?: string },
): Promise<number> {
  const { token } = await issueToken(to.controller.pool, { name: 'agent', scope: 'agent' });
  const send = sendWith(to.anonymous, { authorization: `Bearer ${token}` });
  return (await send(`/api/${kind}/${sha256}`, { method: 'PUT', body: new Uint8Array(contents) })).status;
}

describe.skipIf(s3Program === null)('a bucket', () => {
  const maximumTraceBytes = 20 * mebibyte;
  let stack: AsyncDisposableStack;
  let server: S3Server;
  let database: TestDatabase;
  let one: TestController;
  let other: TestController;
  let bucket: Bucket;
  beforeAll(async () => {
    stack = new AsyncDisposableStack();
    server = stack.use(await makeS3Server());
    await server.start();
    database = stack.use(await createTestDatabase());
    const options = { sharedDatabase: database, bucket: server.address, maximumTraceBytes };
    one = stack.use(await startTestController(options));
    other = stack.use(await startTestController(options));
    const folder = stack.use(await makeTemporaryFolder());
    bucket = stack.use(openBucket(server.address, { folder: folder.path }));
  });
  afterAll(() => stack.disposeAsync());
  const listTraces = () => collect(bucket.traces.list());

  test('is one archive of two Controllers: each gives, counts and removes what another took', async () => {
    const { visits, runId } = await storeCompletedRun(database.pool);
    const passIds = [...new Set(visits.map(({ passId }) => passId))];
    // Larger than what is sent at a time: in parts.
    const contents = [randomBytes(17 * mebibyte + 7), randomBytes(3000), randomBytes(4 * mebibyte)];
    await using agent = await joinAgent(other.controller, { name: 'laptop' });
    const report = async (index: number) => {
      const trace = { kind: 'kept' as const, sha256: hashOf(contents[index]!), bytes: contents[index]!.length };
      agent.say({ type: 'capture', capture: { captureId: passIds[index]!, outcome: makeCaptured({ trace }) } });
      await expect.poll(() => agent.heard).toContainEqual({ type: 'capture-stored', captureId: passIds[index] });
    };
    for (const index of [0, 1]) {
      expect(await upload(one, { kind: 'artefacts', contents: contents[index]! })).toBe(204);
      await report(index);
    }
    for (const from of [one, other]) {
      const answer = await from.program(`/api/passes/${passIds[0]!}/trace`);
      expect(answer.headers.get('content-length')).toBe(String(contents[0]!.length));
      expect((await bytesOf(answer)).equals(contents[0]!)).toBe(true);
    }
    expect(await upload(other, { kind: 'artefacts', contents: contents[2]! })).toBe(204);
    await report(2);
    // Together they are above the limit.
    await expect.poll(listTraces).toEqual([contents[1]!, contents[2]!].map(hashOf).sort());
    expect((await one.program(`/api/passes/${passIds[0]!}/trace`)).status).toBe(404);

    expect((await one.program(`/api/runs/${runId}`, { method: 'DELETE' })).status).toBe(204);
    await expect.poll(listTraces).toEqual([]);
  });

  test('takes only what its hash says, and no more than it may', async () => {
    const contents = randomBytes(100);
    expect(await upload(one, { kind: 'artefacts', contents, sha256: hashOf(randomBytes(8)) })).toBe(400);
    expect(await upload(one, { kind: 'pictures', contents: Buffer.from('<script>') })).toBe(400);
    expect(await upload(one, { kind: 'pictures', contents: makeJpeg(mebibyte + 1) })).toBe(413);
    expect(await listTraces()).toEqual([]);
    expect(await collect(bucket.pictures.list())).toEqual([]);
    expect((await readdir(path.join(one.artefactsFolder, 'incoming'))).length).toBe(0);
  });

  test('loses nothing that one Controller removes while another takes it: the upload waits', async () => {
    const contents = randomBytes(500);
    const sha256 = hashOf(contents);
    const store = await bucket.readId();
    expect(await upload(one, { kind: 'artefacts', contents })).toBe(204);
    await database.pool.query('update unclaimed_trace set token_id = null where sha256 = $1', [sha256]);
    let uploading: Promise<number> | undefined;
    await inTransaction(database.pool, async (client) => {
      expect(await takeUnclaimedTrace(client, store)).toEqual({ sha256, isKept: false });
      uploading = upload(other, { kind: 'artefacts', contents });
      await expect
        .poll(async () => (await database.pool.query('select from pg_locks where not granted')).rowCount)
        .toBeGreaterThan(0);
      await bucket.traces.remove(sha256);
    });
    expect(await uploading).toBe(204);
    expect(await bucket.traces.sizeOf(sha256)).toBe(contents.length);
  });

  test('has the Sites of both Controllers', async () => {
    await using folder = await makeTemporaryFolder();
    const file = path.join(folder.path, 'site.wacz');
    await writeSite(file, makeRecordedSite(), { nowEpochMs: 0 });
    const contents = await readFile(file);
    const uploaded = await one.program('/api/sites', { method: 'POST', body: new Uint8Array(contents) });
    expect([uploaded.status, await collect(bucket.sites.list())]).toEqual([201, [hashOf(contents)]]);
    expect((await bytesOf(await other.program('/api/sites/Shop/file'))).equals(contents)).toBe(true);
    expect((await other.program('/api/sites/Shop', { method: 'DELETE' })).status).toBe(204);
    expect(await collect(bucket.sites.list())).toEqual([]);
  });

  test('is in a backup, which a folder or another part of a bucket takes', async () => {
    const [trace, picture] = [randomBytes(2000), makeJpeg(900)];
    await upload(one, { kind: 'artefacts', contents: trace });
    await upload(one, { kind: 'pictures', contents: picture });
    await using folder = await makeTemporaryFolder();
    const file = path.join(folder.path, 'saved.tar');
    const signal = AbortSignal.timeout(30_000);
    await using handle = await open(file, 'w');
    const place = bucket;
    const saved = await writeBackup({ pool: database.pool, place, file: handle, nowEpochMs: Date.now(), signal });
    expect(saved.artefacts).toBe(3);

    const part = { ...server.address, prefix: 'restored/', name: 'another part' };
    await using elsewhere = openBucket(part, { folder: folder.path });
    for (const to of [openFolder(path.join(folder.path, 'artefacts')), elsewhere]) {
      await using fresh = await createTestDatabase();
      const restore = (replaces: boolean) =>
        restoreBackup({ pool: fresh.pool, place: to, file, replaces, log, signal });
      expect((await restore(false)).artefacts).toBe(3);
      if (to === elsewhere) {
        await expect(restore(false)).rejects.toThrow('is not empty');
        await restore(true);
      }
      expect(await to.readId()).toBe(await bucket.readId());
      await using stored = (await to.pictures.open(hashOf(picture)))!;
      expect(Buffer.concat(await collect(stored.read() as AsyncIterable<Buffer>)).equals(picture)).toBe(true);
      expect(await to.traces.sizeOf(hashOf(trace))).toBe(trace.length);
    }
  });
});

test.skipIf(s3Program === null)(
  'while the bucket is away nothing is acknowledged or lost, and what Agents keep comes when it is back',
  { timeout: 120_000 },
  async () => {
    await using stack = new AsyncDisposableStack();
    const server = stack.use(await makeS3Server());
    const lines: { level: number; msg: string }[] = [];
    const it = stack.use(
      await startTestController({
        bucket: server.address,
        log: pino({ level: 'info' }, { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]) }),
      }),
    );
    const readProblem = async () => {
      const ready = await it.anonymous('/readyz');
      return [ready.status, ((await ready.json()) as { problem: string | null }).problem];
    };
    const away = `The store of traces and pictures, ${server.address.name}, does not answer (ECONNREFUSED). Start it, or correct ARTEFACTS_URL`;
    await expect.poll(readProblem).toEqual([200, away]);
    expect((await it.anonymous('/api/health')).status).toBe(200);
    expect(await upload(it, { kind: 'artefacts', contents: randomBytes(8) })).toBe(503);

    const home = stack.use(await makeTemporaryFolder());
    const kept = makeJpeg(700);
    const spool = path.join(home.path, 'spool', `laptop-${hashOf(Buffer.from('laptop')).slice(0, 8)}-screenshots`);
    await mkdir(spool, { recursive: true });
    const { sha256 } = await new PictureSpool(spool).keep(kept);
    const { token } = await issueToken(it.controller.pool, { name: 'laptop', scope: 'agent' });
    const stopping = new AbortController();
    const failed: string[] = [];
    const over = runAgent({
      controllerUrl: it.controller.url,
      token,
      name: 'laptop',
      allowScripts: false,
      chromePath: null,
      homeFolder: home.path,
      agentVersion: 'test',
      launcher,
      log: pino({ level: 'warn' }, { write: (line) => void failed.push(line) }),
      signal: stopping.signal,
    });
    stack.defer(async () => {
      stopping.abort();
      await over;
    });
    await expect.poll(() => failed.join('')).toContain('A picture could not be uploaded; it stays in the spool');
    expect(await readdir(spool)).toEqual([`${sha256}.jpg`]);

    // Only a Run that makes such files waits.
    const [waiting, other] = await Promise.all(
      [true, false].map(async (screenshot) => {
        const artefacts = { har: false, screenshot, filmstrip: false, mainThread: false };
        const evaluation = makeEvaluation({ name: `Screenshots: ${screenshot}`, artefacts });
        const { id } = (await (await it.program('/api/evaluations', postJson(evaluation))).json()) as { id: string };
        const started = await it.program(`/api/evaluations/${id}/runs`, { method: 'POST' });
        return `/api/runs/${((await started.json()) as { id: string }).id}`;
      }),
    );
    const problemOf = async (run: string) =>
      ((await (await it.program(run)).json()) as { diskProblem: string | null }).diskProblem;
    expect([await problemOf(waiting!), await problemOf(other!)]).toEqual([away, null]);

    await server.start();
    await expect.poll(readProblem).toEqual([200, null]);
    expect(await problemOf(waiting!)).toBeNull();
    await expect.poll(() => readdir(spool)).toEqual([]);
    const shown = await it.program(`/api/pictures/${sha256}`);
    expect((await bytesOf(shown)).equals(kept)).toBe(true);
    expect(await (await it.program('/metrics')).text()).toContain('\nhttp_ae_artefact_store_up 1\n');

    await server.kill();
    expect((await it.program(`/api/pictures/${sha256}`)).status).toBe(503);
    expect(await readProblem()).toEqual([200, away]);
    const changes = lines.filter(({ msg }) => msg.startsWith('The store of traces')).map(({ level }) => level);
    expect(changes).toEqual([40, 30, 40]);
    expect(JSON.stringify(lines) + failed.join('')).not.toContain(server.address.secretAccessKey);
  },
);
