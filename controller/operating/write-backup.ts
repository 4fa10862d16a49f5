import type { FileHandle } from 'node:fs/promises';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type { Pool } from 'pg';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import packageJson from '../../package.json' with { type: 'json' };
import type { ArtefactPlace, ArtefactStore } from '../captures/artefacts/artefact-store.ts';
import { picturesName, sitesName } from '../captures/artefacts/open-folder.ts';
import { listAppliedMigrations, withClient } from '../database/migrate.ts';
import { listTables, readRows, readSequences } from './backup-rows.ts';
import { formatTarHeader, tarEnd, tarPadding } from './tar.ts';

const compress = promisify(zstdCompress);
const compression = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

interface BackupOptions {
  pool: Pool;
  place: ArtefactPlace;
  file: FileHandle;
  nowEpochMs: number;
  signal: AbortSignal;
}

/** Writes all that the database has at one moment, and then the artefacts, to a tar file. Controllers may work meanwhile. */
export async function writeBackup({ pool, place, file, nowEpochMs, signal }: BackupOptions): Promise<BackupEnd> {
  const write = async (name: string, contents: Buffer) => {
    signal.throwIfAborted();
    await file.appendFile(formatTarHeader({ name, size: contents.length, epochMs: nowEpochMs }));
    await file.appendFile(contents);
    await file.appendFile(tarPadding(contents.length));
  };
  const writeJson = (name: string, value: unknown) => write(name, Buffer.from(JSON.stringify(value, null, 1)));
  const end: BackupEnd = { rows: {}, artefacts: 0 };

  await withClient(pool, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const tables = await listTables(client, leftOutTables);
    const manifest: BackupManifest = {
      kind: 'http-ae backup',
      format: 1,
      httpAeVersion: packageJson.version,
      madeAt: new Date(nowEpochMs).toISOString(),
      migrations: await listAppliedMigrations(client),
      sequences: await readSequences(client, tables),
    };
    await writeJson('manifest.json', manifest);
    for (const table of tables) {
      let rows = 0;
      let chunk = 0;
      for await (const lines of readRows(client, table, chunkBytes)) {
        rows += lines.length;
        const name = `tables/${table}/${String(++chunk).padStart(6, '0')}.jsonl.zst`;
        await write(name, await compress(`${lines.join('\n')}\n`, compression));
      }
      end.rows[table] = rows;
    }
    await client.query('commit');
  });

  await writeArtefacts(place.traces, 'artefacts');
  await writeArtefacts(place.pictures, `artefacts/${picturesName}`);
  await writeArtefacts(place.sites, `artefacts/${sitesName}`);
  await write(storeIdFile, Buffer.from(`${await place.readId()}\n`));
  await writeJson('end.json', end);
  await file.appendFile(tarEnd);
  await file.sync();
  return end;

  async function writeArtefacts(files: ArtefactStore, folder: string): Promise<void> {
    for await (const sha256 of files.list()) {
      signal.throwIfAborted();
      await using source = await files.open(sha256);
      if (!source) continue; // removed since it was listed
      const { bytes } = source;
      const name = `${folder}/${sha256.slice(0, 2)}/${sha256.slice(2)}`;
      await file.appendFile(formatTarHeader({ name, size: bytes, epochMs: nowEpochMs }));
      let written = 0;
      for await (const part of source.read() as AsyncIterable<Buffer>) {
        signal.throwIfAborted();
        await file.appendFile(part);
        written += part.length;
      }
      if (written !== bytes)
        throw new AppError('internal', `${name} has ${written} bytes, not ${bytes}: back up again`);
      await file.appendFile(tarPadding(bytes));
      end.artefacts++;
    }
  }
}

/** What the first file of a backup says, `manifest.json`. */
export const BackupManifestSchema = z.object({
  kind: z.literal('http-ae backup'),
  format: z.literal(1),
  httpAeVersion: z.string(),
  madeAt: z.iso.datetime(),
  /** Of its database, in order. */
  migrations: z.array(z.string()),
  /** The next ids of tables: a Run does not get the id of one that was deleted. */
  sequences: z.array(z.object({ table: z.string(), column: z.string(), lastValue: z.string(), isCalled: z.boolean() })),
});
export type BackupManifest = z.infer<typeof BackupManifestSchema>;

/** What its last file says, `end.json`: without it, the backup was cut. */
export const BackupEndSchema = z.object({ rows: z.record(z.string(), z.int()), artefacts: z.int() });
export type BackupEnd = z.infer<typeof BackupEndSchema>;

/** Which Controllers and lines there are, and what they have for each other, is not kept. */
export const leftOutTables = ['migration', 'controller', 'agent_line', 'controller_message'];

/** `tables/visit/000007.jsonl.zst`: rows as JSON, a line each, compressed by zstd. */
export const tableFile = /^tables\/([a-z_]+)\/\d{6}\.jsonl\.zst$/;
/** A file of artefacts, named by its SHA-256, in one of their folders. */
export const artefactFile = /^artefacts\/(screenshots\/|sites\/)?([0-9a-f]{2})\/([0-9a-f]{62})$/;
/** By which the database knows the folder. */
export const storeIdFile = 'artefacts/store-id';

/** Of one file of rows before compression. One row may be longer. */
const chunkBytes = 4 * 1024 ** 2;
/** PostgreSQL reads a JSON text of at most this. */
export const mostChunkBytes = 512 * 1024 ** 2;
