import { createHash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import pino from 'pino';
import { expect, test } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { readRows } from '#controller/operating/backup-rows.ts';
import { restoreBackup } from '#controller/operating/restore-backup.ts';
import { storeCapture } from '#controller/captures/captures.ts';
import { createEvaluator } from '#controller/people/evaluators.ts';
import { makeCaptured } from '../support/captured-trace.ts';
import { writeSite } from '#site/write-site.ts';
import { postJson, sendWith, startTestController } from '../support/controller.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeRecordedSite } from '../support/make-recorded-site.ts';
import { makePageSnapshot } from '../support/page-snapshot.ts';
import { runCli } from '../support/run-cli.ts';
import { makeEvaluation } from '../support/sample-evaluation.ts';
import { storeCompletedRun } from '../support/stored-run.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

test('rows are read in chunks of a size, however much larger the next ones are', async () => {
  await using database = await createTestDatabase();
  const client = await database.pool.connect();
  try {
    await client.query('create temporary table sized (place int, text text)');
    const sizes = [...Array<number>(300).fill(10), ...Array<number>(20).fill(40_000), 1_000_000, 10];
    await client.query(
      `insert into sized select place, repeat('x', size) from unnest($1::int[]) with ordinality as of (size, place)`,
      [sizes],
    );
    await client.query('begin');
    const chunks: string[][] = [];
    for await (const chunk of readRows(client, 'sized', 100_000)) chunks.push(chunk);
    await client.query('rollback');
    expect(chunks.flat().map((line) => (JSON.parse(line) as { text: string }).text.length)).toEqual(sizes);
    const bytes = chunks.map((lines) => [lines.length, lines.join('').length] as const);
    expect(bytes.filter(([lines, total]) => lines > 1 && total > 100_000)).toEqual([]);
  } finally {
    client.release();
  }
});

test('a restored Run has the same report, bundle and files, and a damaged or unwanted restore changes nothing', async () => {
  await using home = await makeTemporaryFolder();
  const artefactsFolder = path.join(home.path, 'artefacts');
  await using it = await startTestController({ artefactsFolder });
  const { pool } = it.controller;
  const { visits, runId } = await storeCompletedRun(pool, {
    evaluation: makeEvaluation({ name: 'näme "with" <signs> \\ and \u2028' }),
    failingUrl: 'http://origin.test/plain',
    snapshotOf: (page) => makePageSnapshot(page, 12),
  });
  await createEvaluator(pool, { name: 'Ada', passwordHash: 'a hash', role: 'admin' });
  const { token } = await issueToken(pool, { name: 'agent', scope: 'agent' });
  const trace = randomBytes(70_000);
  const sha256 = createHash('sha256').update(trace).digest('hex');
  const agent = sendWith(it.anonymous, { authorization: `Bearer ${token}` });
  await agent(`/api/artefacts/${sha256}`, { method: 'PUT', body: new Uint8Array(trace) });
  const kept = makeCaptured({ trace: { kind: 'kept', sha256, bytes: trace.length } });
  await storeCapture(pool, { captureId: visits[0]!.passId, outcome: kept });
  const site = path.join(home.path, 'site.wacz');
  await writeSite(site, makeRecordedSite(), { nowEpochMs: 0 });
  await it.program('/api/sites', { method: 'POST', body: new Uint8Array(await readFile(site)) });
  const read = async (send: typeof it.program) => {
    const texts: string[] = [];
    for (const part of ['', '/comparison', '/visits?format=json', '/measurements'])
      texts.push(await (await send(`/api/runs/${runId}${part}`)).text());
    for (const path of [`/api/visits/${visits[1]!.id}`, '/api/sites', '/api/sites/Shop', '/api/sites/Shop/file'])
      texts.push(await (await send(path)).text());
    return texts;
  };
  await pool.query(`update picture_file set received_at = '-infinity'`);
  await it.program(`/api/runs/${runId}/comparison`); // which stores its outcome
  const before = await read(it.program);

  const run = (home: string, databaseUrl: string, ...args: string[]) =>
    runCli(args, { HTTP_AE_HOME: home, HOME: home, DATABASE_URL: databaseUrl });
  const file = path.join(home.path, 'saved.tar');
  const saved = await run(home.path, it.database.databaseUrl, 'backup', file);
  expect(saved).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('1 Run, ') as string });

  await using other = await createTestDatabase();
  await using otherHome = await makeTemporaryFolder();
  const restore = (from: string, { into = other, replaces = false } = {}) =>
    restoreBackup({
      pool: into.pool,
      place: openFolder(path.join(otherHome.path, 'artefacts')),
      file: from,
      replaces,
      log: pino({ level: 'silent' }),
      signal: AbortSignal.timeout(50_000),
    });
  await expect(restore(file, { into: it.database, replaces: true })).rejects.toThrow(
    'A Controller uses this database: stop it',
  );
  const damaged = path.join(home.path, 'damaged.tar');
  const contents = await readFile(file);
  await writeFile(damaged, contents.subarray(0, contents.length - 4096));
  await expect(restore(damaged)).rejects.toThrow('The backup is damaged: its end is missing. Nothing was restored');
  const changed = Buffer.from(contents);
  changed[changed.indexOf('tables/visit/') + 700]! ^= 1;
  await writeFile(damaged, changed);
  await expect(restore(damaged)).rejects.toThrow('The backup is damaged: tables/visit/000001.jsonl.zst cannot be');
  expect((await other.pool.query('select from visit')).rowCount).toBe(0);

  const restored = await run(otherHome.path, other.databaseUrl, 'restore', file);
  expect(restored).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringContaining('1 Run, ') as string });
  await expect(restore(file)).rejects.toThrow('The database is not empty: restore into another one');
  expect(await restore(file, { replaces: true })).toMatchObject({
    artefacts: 2,
    rows: { run: 1, evaluator: 1, site: 1 },
  });

  await using again = await startTestController({
    sharedDatabase: other,
    artefactsFolder: path.join(otherHome.path, 'artefacts'),
  });
  expect(await read(again.program)).toEqual(before);
  expect(await readFile(path.join(otherHome.path, 'artefacts', sha256.slice(0, 2), sha256.slice(2)))).toEqual(trace);
  const started = await again.program(`/api/runs/${runId}/again`, postJson({}));
  expect(await started.json()).toMatchObject({ id: String(Number(runId) + 1) });
});
