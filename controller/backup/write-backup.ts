import { createReadStream } from 'node:fs';
import { open, readdir, readFile, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { constants, zstdCompress } from 'node:zlib';
import type { Pool } from 'pg';
import packageJson from '../../package.json' with { type: 'json' };
import { listAppliedMigrations } from '../db/connection/migrate.ts';
import { withClient } from '../db/connection/with-client.ts';
import { listTables, readRows, readSequences } from '../db/backup-rows.ts';
import {
  artefactFile,
  chunkBytes,
  leftOutTables,
  storeIdFile,
  type BackupEnd,
  type BackupManifest,
} from './backup-format.ts';
import { formatTarHeader, tarEnd, tarPadding } from './tar.ts';

const compress = promisify(zstdCompress);
const compression = { params: { [constants.ZSTD_c_checksumFlag]: 1 } };

interface BackupOptions {
  pool: Pool;
  artefactsFolder: string;
  file: FileHandle;
  nowEpochMs: number;
  signal: AbortSignal;
}

/** Writes all that the database has at one moment, and then the artefacts, to a tar file. Controllers may work meanwhile. */
export async function writeBackup({
  pool,
  artefactsFolder,
  file,
  nowEpochMs,
  signal,
}: BackupOptions): Promise<BackupEnd> {
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

  for (const name of await listArtefacts(artefactsFolder)) {
    signal.throwIfAborted();
    if (await writeArtefact(name)) end.artefacts++;
  }
  const storeId = await readFile(path.join(artefactsFolder, 'store-id')).catch(nullWhenMissing);
  if (storeId) await write(storeIdFile, storeId);
  await writeJson('end.json', end);
  await file.appendFile(tarEnd);
  await file.sync();
  return end;

  /** False for one that was removed since it was listed. */
  async function writeArtefact(name: string): Promise<boolean> {
    const source = await open(path.join(artefactsFolder, name)).catch(nullWhenMissing);
    if (!source) return false;
    try {
      const { size } = await source.stat(); // nobody writes to a file that has its name
      await file.appendFile(formatTarHeader({ name: `artefacts/${name}`, size, epochMs: nowEpochMs }));
      for await (const part of createReadStream('', { fd: source, autoClose: false, signal }))
        await file.appendFile(part as Buffer);
      await file.appendFile(tarPadding(size));
      return true;
    } finally {
      await source.close();
    }
  }
}

/** The names of all artefacts that are whole, in order. */
async function listArtefacts(folder: string): Promise<string[]> {
  const entries = (await readdir(folder, { recursive: true, withFileTypes: true }).catch(nullWhenMissing)) ?? [];
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => path.relative(folder, path.join(parentPath, name)))
    .filter((name) => artefactFile.test(`artefacts/${name}`))
    .sort();
}

function nullWhenMissing(error: NodeJS.ErrnoException): null {
  if (error.code === 'ENOENT') return null;
  throw error;
}
