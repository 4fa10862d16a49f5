import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { ArtefactKind } from '../captures/artefacts/artefact-store.ts';
import { picturesName, sitesName } from '../captures/artefacts/open-folder.ts';
import type { TarEntry } from './tar.ts';
import {
  artefactFile,
  BackupEndSchema,
  BackupManifestSchema,
  mostChunkBytes,
  storeIdFile,
  tableFile,
  type BackupEnd,
  type BackupManifest,
} from './write-backup.ts';

const decompress = promisify(zstdDecompress);
/** Of a file that is read as a whole. */
const mostFileBytes = mostChunkBytes;

export interface CheckedBackup {
  manifest: BackupManifest;
  /** By which its database knows the place of its files; null where it does not say. */
  storeId: string | null;
  end: BackupEnd;
}

/** What a file of a backup is, but its first one. */
type BackupPart =
  | { kind: 'rows'; table: string }
  | { kind: 'artefact'; of: ArtefactKind; sha256: string }
  | { kind: 'store-id' }
  | { kind: 'end' };

/** By its name. Throws `invalid-input` for what no backup has. */
export function readPart({ name }: TarEntry): BackupPart {
  const [, table] = tableFile.exec(name) ?? [];
  if (table !== undefined) return { kind: 'rows', table };
  const [, folder, start, rest] = artefactFile.exec(name) ?? [];
  if (start !== undefined) return { kind: 'artefact', of: artefactsOf(folder), sha256: `${start}${rest!}` };
  if (name === storeIdFile) return { kind: 'store-id' };
  if (name === 'end.json') return { kind: 'end' };
  throw refusePart(name);
}

function artefactsOf(folder: string | undefined): ArtefactKind {
  switch (folder) {
    case `${picturesName}/`:
      return 'pictures';
    case `${sitesName}/`:
      return 'sites';
    default:
      return 'traces';
  }
}

export function refusePart(name: string): AppError {
  return damaged(`${JSON.stringify(name)} is no part of a backup`);
}

/** Reads all of a backup and keeps nothing: what only the database can judge of its rows is left. Throws `invalid-input` for one that is damaged. */
export async function checkBackup(entries: AsyncGenerator<TarEntry>, signal: AbortSignal): Promise<CheckedBackup> {
  const manifest = await readManifest(entries);
  const rows = new Map<string, number>();
  let artefacts = 0;
  let storeId: string | null = null;
  let end: BackupEnd | null = null;
  for await (const entry of entries) {
    signal.throwIfAborted();
    if (end !== null) throw damaged('something comes after its end');
    const part = readPart(entry);
    switch (part.kind) {
      case 'rows':
        rows.set(part.table, (rows.get(part.table) ?? 0) + (await readLines(entry)).length);
        break;
      case 'artefact':
        if ((await hashOf(entry)) !== part.sha256) throw damaged(`${entry.name} has other contents than its name says`);
        artefacts++;
        break;
      case 'store-id':
        storeId = await readStoreId(entry);
        break;
      case 'end':
        end = await readJson(entry, BackupEndSchema);
    }
  }
  if (end === null) throw damaged('its end is missing');
  if (end.artefacts !== artefacts || Object.entries(end.rows).some(([of, count]) => (rows.get(of) ?? 0) !== count))
    throw damaged('rows or files are missing');
  return { manifest, storeId, end };
}

export async function readManifest(entries: AsyncGenerator<TarEntry>): Promise<BackupManifest> {
  const first = await entries.next();
  if (first.done === true || first.value.name !== 'manifest.json') throw damaged('it does not begin as one');
  return readJson(first.value, BackupManifestSchema);
}

/** Rows as JSON. */
export async function readLines(entry: TarEntry): Promise<string[]> {
  const compressed = await readWhole(entry);
  try {
    const text = await decompress(compressed, { maxOutputLength: mostChunkBytes });
    return text.toString('utf8').trimEnd().split('\n');
  } catch (error) {
    throw damaged(`${entry.name} cannot be decompressed`, error);
  }
}

export function damaged(how: string, cause?: unknown): AppError {
  return new AppError('invalid-input', `The backup is damaged: ${how}. Nothing was restored`, { cause });
}

async function hashOf({ contents }: TarEntry): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of contents) hash.update(part);
  return hash.digest('hex');
}

async function readStoreId(entry: TarEntry): Promise<string> {
  const id = z.uuid().safeParse((await readWhole(entry)).toString().trim());
  if (!id.success) throw damaged(`${storeIdFile} has no id`, id.error);
  return id.data;
}

async function readWhole({ name, size, contents }: TarEntry): Promise<Buffer> {
  if (size > mostFileBytes) throw damaged(`${name} is too large`);
  const parts: Buffer[] = [];
  for await (const part of contents) parts.push(part);
  return Buffer.concat(parts);
}

async function readJson<Schema extends z.ZodType>(entry: TarEntry, schema: Schema): Promise<z.output<Schema>> {
  const whole = await readWhole(entry);
  try {
    return schema.parse(JSON.parse(whole.toString('utf8')));
  } catch (error) {
    throw damaged(`${entry.name} cannot be read`, error);
  }
}
