import { randomBytes } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { buffer } from 'node:stream/consumers';
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import pino from 'pino';
import { expect, test } from 'vitest';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { restoreBackup } from '#controller/operating/restore-backup.ts';
import { formatTarHeader, readTar, tarEnd, tarPadding } from '#controller/operating/tar.ts';
import { writeBackup } from '#controller/operating/write-backup.ts';
import { createEvaluator } from '#controller/people/evaluators.ts';
import { createSession } from '#controller/people/sessions.ts';
import { createTestDatabase } from '../support/database.ts';
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

test('a backup whose rows the database refuses is refused in a sentence', async () => {
  await using folder = await makeTemporaryFolder();
  await using database = await createTestDatabase();
  await using other = await createTestDatabase();
  const log = pino({ level: 'silent' });
  const signal = AbortSignal.timeout(50_000);
  const evaluatorId = (await createEvaluator(database.pool, { name: 'Ada', passwordHash: 'a hash', role: 'admin' }))!;
  const session = { hash: randomBytes(32), who: { evaluatorId }, csrfToken: 'a token', browser: null };
  await createSession(database.pool, session);
  const file = path.join(folder.path, 'right.tar');
  const place = openFolder(path.join(folder.path, 'artefacts'));
  await using handle = await open(file, 'w');
  await writeBackup({ pool: database.pool, place, file: handle, nowEpochMs: 0, signal });

  const changed = path.join(folder.path, 'changed.tar');
  for (const [name, change, problem] of [
    [
      /evaluator/,
      (text: string) => text.replace('"admin"', '"king"'),
      'the database refuses the rows of tables/evaluator',
    ],
    [/evaluator/, () => '['.repeat(100_000), 'the database refuses the rows of tables/evaluator'],
    [
      /session/,
      (text: string) => text.replace(/"evaluator_id":"?[^,}]+/, '"evaluator_id":"4096"'),
      'the database refuses rows that other rows refer to',
    ],
    [
      /manifest/,
      (text: string) => text.replace(/"lastValue": "\d+"/, '"lastValue": "many"'),
      'the database refuses the next id of',
    ],
    [/store-id/, () => 'none', 'artefacts/store-id has no id'],
  ] as const) {
    await writeFile(changed, await rewrite(file, name, change));
    const restored = restoreBackup({ pool: other.pool, place, file: changed, replaces: true, log, signal });
    await expect(restored).rejects.toThrow(`The backup is damaged: ${problem}`);
    await expect(restored).rejects.toMatchObject({ code: 'invalid-input' });
    expect((await other.pool.query('select from evaluator')).rowCount).toBe(0);
  }
});
