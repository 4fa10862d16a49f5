import { createHash, randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import pino from 'pino';
import { expect, test } from 'vitest';
import type { ArtefactPlace } from '#controller/captures/artefacts/artefact-store.ts';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { findMigrationProblem, listMigrations, migrateWithin } from '#controller/database/migrate.ts';
import { inTransaction } from '#controller/database/transaction.ts';
import { createEvaluation } from '#controller/evaluations/evaluations.ts';
import { restoreBackup } from '#controller/operating/restore-backup.ts';
import { formatTarHeader, readTar, tarEnd, tarPadding } from '#controller/operating/tar.ts';
import { writeBackup } from '#controller/operating/write-backup.ts';
import { createEvaluator } from '#controller/people/evaluators.ts';
import { issueToken } from '#controller/people/tokens.ts';
import { createSession } from '#controller/people/sessions.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { makeEvaluation } from '../support/sample-evaluation.ts';
import { makeTemporaryFolder } from '../support/temporary-folder.ts';

/** The backup with other contents of the files whose names match. */
async function rewrite(file: string, name: RegExp, change: (text: string) => string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const entry of readTar(createReadStream(file) as AsyncIterable<Buffer>)) {
    let contents = await buffer(entry.contents);
    if (name.test(entry.name)) {
      const isCompressed = entry.name.endsWith('.zst');
      const text = change((isCompressed ? zstdDecompressSync(contents) : contents).toString());
      contents = isCompressed ? zstdCompressSync(text) : Buffer.from(text);
    }
    parts.push(
      formatTarHeader({ name: entry.name, size: contents.length, epochMs: 0 }),
      contents,
      tarPadding(contents.length),
    );
  }
  return Buffer.concat([...parts, tarEnd]);
}

async function storeFile(place: ArtefactPlace, contents: Buffer): Promise<string> {
  const sha256 = createHash('sha256').update(contents).digest('hex');
  await place.traces.receive(sha256, Readable.from([contents]), { maximumBytes: contents.length });
  return sha256;
}

async function listFiles({ traces }: ArtefactPlace): Promise<string[]> {
  const hashes: string[] = [];
  for await (const sha256 of traces.list()) hashes.push(sha256);
  return hashes;
}

/** What a person would miss. */
async function readKept({ pool }: TestDatabase, place: ArtefactPlace) {
  const read = async (table: string) => {
    const { rows } = await pool.query<{ row: object }>(`select to_jsonb(${table}) as row from ${table} order by 1`);
    return rows.map(({ row }) => row);
  };
  return {
    evaluations: await read('evaluation'),
    evaluators: await read('evaluator'),
    tokens: await read('token'),
    migrations: await read('migration'),
    instance: await read('instance'),
    files: await listFiles(place),
    place: await place.readId(),
  };
}

test('a backup that is damaged anywhere is refused in a sentence, and leaves what was there', async () => {
  await using folder = await makeTemporaryFolder();
  await using database = await createTestDatabase();
  await using other = await createTestDatabase();
  const log = pino({ level: 'silent' });
  const signal = AbortSignal.timeout(50_000);
  const evaluatorId = (await createEvaluator(database.pool, { name: 'Ada', passwordHash: 'a hash', role: 'admin' }))!;
  const session = {
    hash: randomBytes(32),
    who: { evaluatorId, passwordHash: 'a hash' },
    csrfToken: 'a token',
    browser: null,
  };
  await createSession(database.pool, session);
  await createSession(database.pool, { ...session, hash: randomBytes(32) });
  const file = path.join(folder.path, 'right.tar');
  const saved = openFolder(path.join(folder.path, 'saved'));
  const [both, savedOnly] = [randomBytes(3000), randomBytes(5000)];
  const sharedHash = await storeFile(saved, both);
  const savedHash = await storeFile(saved, savedOnly);
  await using handle = await open(file, 'w');
  await writeBackup({ pool: database.pool, place: saved, file: handle, nowEpochMs: 0, signal });

  const place = openFolder(path.join(folder.path, 'artefacts'));
  await storeFile(place, both);
  const ownHash = await storeFile(place, randomBytes(4000));
  await createEvaluator(other.pool, { name: 'Eve', passwordHash: 'another', role: 'admin' });
  await createEvaluation(other.pool, makeEvaluation({ name: 'of before' }));
  await issueToken(other.pool, { name: 'of before', scope: 'agent' });
  const before = await readKept(other, place);
  expect(before).toMatchObject({
    evaluations: [{}],
    evaluators: [{ name: 'Eve' }],
    tokens: [{}],
    files: { length: 2 },
  });

  const right = await readFile(file);
  const restore = (from: string) => restoreBackup({ pool: other.pool, place, file: from, replaces: true, log, signal });
  const changed = path.join(folder.path, 'changed.tar');
  const flipped = (at: number) => Buffer.from(right).fill(right[at]! ^ 1, at, at + 1);
  for (const [contents, problem] of [
    [right.subarray(0, right.length / 2), 'its end is missing'],
    [right.subarray(0, right.length - 2048), 'its end is missing'],
    [flipped(right.indexOf('tables/evaluator/') + 512 + 20), 'tables/evaluator/000001.jsonl.zst cannot be'],
    [flipped(right.indexOf(savedOnly) + 2500), `${savedHash.slice(2)} has other contents than its name says`],
    [flipped(right.indexOf('"artefacts": 2') + 13), 'rows or files are missing'],
    [
      await rewrite(file, /evaluator/, (text) => text.replace('"admin"', '"king"')),
      'the database refuses row 1 of tables/evaluator/000001.jsonl.zst (invalid input value for enum',
    ],
    [
      await rewrite(file, /\/session/, (text) => text.replace(/(\n.*"csrf_token":)"[^"]*"/, '$1null')),
      'the database refuses row 2 of tables/session/000001.jsonl.zst (null value in column "csrf_token"',
    ],
    [await rewrite(file, /evaluator/, () => '['.repeat(100_000)), 'the database refuses row 1 of tables/evaluator'],
    [
      await rewrite(file, /session/, (text) => text.replace(/"evaluator_id":"?[^,}]+/, '"evaluator_id":"4096"')),
      'the database refuses rows that other rows refer to (insert or update on table "session" violates foreign key constraint "session_evaluator_id_fkey". Key (evaluator_id)=(4096) is not present in table "evaluator")',
    ],
    [
      await rewrite(file, /manifest/, (text) => text.replace(/"lastValue": "\d+"/, '"lastValue": "many"')),
      'the database refuses the next id of',
    ],
    [await rewrite(file, /store-id/, () => 'none'), 'artefacts/store-id has no id'],
  ] as const) {
    await writeFile(changed, contents);
    const restored = restore(changed);
    await expect(restored, problem).rejects.toThrow('The backup is damaged: ');
    await expect(restored).rejects.toThrow(problem);
    await expect(restored).rejects.toMatchObject({ code: 'invalid-input' });
    expect(await readKept(other, place), problem).toEqual(before);
  }

  await restore(file);
  const after = await readKept(other, place);
  expect(after).toMatchObject({ evaluations: [], evaluators: [{ name: 'Ada' }], tokens: [] });
  expect(after.files).toEqual([sharedHash, savedHash].sort());
  expect(after.files).not.toContain(ownHash);
  expect(after.place).toBe(await saved.readId());
});

test('a backup of an earlier version is brought up to date, with all that belongs together', async () => {
  await using folder = await makeTemporaryFolder();
  await using early = await createTestDatabase();
  await using other = await createTestDatabase();
  const log = pino({ level: 'silent' });
  const signal = AbortSignal.timeout(50_000);
  const migrations = await listMigrations();
  await early.pool.query('drop schema public cascade; create schema public');
  await inTransaction(early.pool, (client) =>
    migrateWithin(client, log, { count: migrations.indexOf('0040_comparison-share') + 1 }),
  );
  const { rows } = await early.pool.query<{ id: string }>(
    `with stored as (insert into evaluation (document) values ($1) returning id)
     insert into run (evaluation_id, document, seed, rounds_planned, state) select id, $1, 7, 1, 'completed' from stored returning id`,
    [JSON.stringify(makeEvaluation({ name: 'early' }))],
  );
  const file = path.join(folder.path, 'early.tar');
  const place = openFolder(path.join(folder.path, 'artefacts'));
  await using handle = await open(file, 'w');
  await writeBackup({ pool: early.pool, place, file: handle, nowEpochMs: 0, signal });

  await restoreBackup({ pool: other.pool, place, file, replaces: true, log, signal });
  expect(await findMigrationProblem(other.pool)).toBeNull();
  const restored = await other.pool.query(
    `select run.id, evaluation.document ->> 'name' as name from run join evaluation on evaluation.id = evaluation_id`,
  );
  expect(restored.rows).toEqual([{ id: rows[0]!.id, name: 'early' }]);
});
