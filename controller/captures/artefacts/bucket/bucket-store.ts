import type { Dispatcher } from 'undici';
import type { AppError } from '#core/app-error.ts';
import { Sha256Schema } from '#core/protocol/capture-outcome.ts';
import { storeAway, type AddedFile, type AddOptions, type ArtefactStore, type StoredFile } from '../artefact-store.ts';
import { IncomingFiles } from '../incoming-files.ts';
import { type BucketClient, readElements, readText, escapeXml } from './bucket-client.ts';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { Readable } from 'node:stream';

/** A file above this is sent in parts of it, each again where it fails. Parts are held in memory, one of each file. S3: from 5 MiB to 5 GiB, at most 10,000. */
const partBytes = 16 * 1024 ** 2;
/** Parts that nobody joined by then are removed by sweeps, which look after a day. */
const joinLimitMs = 12 * 3_600_000;

/** A file's name below its prefix. */
const isOwn = /^([0-9a-f]{2})\/([0-9a-f]{62})$/;

interface PutFile {
  key: string;
  file: string;
  sha256: string;
  bytes: number;
}

interface Part {
  key: string;
  uploadId: string;
  number: number;
  part: Buffer;
  signal: AbortSignal;
}

interface StoreOptions {
  /** Before each key: empty, or ends with a slash. */
  prefix: string;
  /** Of this machine: files are whole and checked before they are sent. */
  incomingFolder: string;
  /** For files that are sent: those of a Controller hold so many parts in memory. */
  turns: TurnKeeper;
}

/** Files of a bucket, with the names that they have in a folder: `ab/cdef…`. */
export class BucketStore implements ArtefactStore {
  readonly #client: BucketClient;
  readonly #prefix: string;
  readonly #incoming: IncomingFiles;
  readonly #turns: TurnKeeper;

  constructor(client: BucketClient, { prefix, incomingFolder, turns }: StoreOptions) {
    this.#client = client;
    this.#prefix = prefix;
    this.#incoming = new IncomingFiles(incomingFolder);
    this.#turns = turns;
  }

  async receive(
    sha256: string,
    contents: AsyncIterable<Buffer>,
    { maximumBytes }: { maximumBytes: number },
  ): Promise<number> {
    const key = this.#keyOf(sha256);
    this.#client.requireUp(); // before anything comes
    const { bytes } = await this.#incoming.receive({ sha256, contents, maximumBytes }, (file, found) =>
      this.#turns.take(() => putFile(this.#client, { key, file, ...found })),
    );
    return bytes;
  }

  add(contents: AsyncIterable<Buffer>, { maximumBytes, check }: AddOptions): Promise<AddedFile> {
    this.#client.requireUp(); // before anything comes
    return this.#incoming.receive({ sha256: null, contents, maximumBytes }, async (file, found) => {
      await check(file, found);
      await this.#turns.take(() => putFile(this.#client, { key: this.#keyOf(found.sha256), file, ...found }));
    });
  }

  async sizeOf(sha256: string): Promise<number | null> {
    const answer = await this.#client.send({ method: 'HEAD', key: this.#keyOf(sha256), accepts: [404] });
    await answer.body.dump();
    if (answer.statusCode === 404) return null;
    const bytes = readLength(answer.headers);
    if (bytes === null) throw this.#noLength();
    return bytes;
  }

  async open(sha256: string): Promise<StoredFile | null> {
    const { statusCode, headers, body } = await this.#client.send({
      method: 'GET',
      key: this.#keyOf(sha256),
      accepts: [404],
    });
    if (statusCode === 404) {
      await body.dump();
      return null;
    }
    body.on('error', () => undefined); // the reader of the stream gets it
    const bytes = readLength(headers);
    if (bytes === null) {
      body.destroy();
      throw this.#noLength();
    }
    return {
      bytes,
      read: () => Readable.from(verify(body, { sha256, store: this.#client.address.name })),
      [Symbol.asyncDispose]: () => Promise.resolve(void body.destroy()),
    };
  }

  async remove(sha256: string): Promise<void> {
    const answer = await this.#client.send({ method: 'DELETE', key: this.#keyOf(sha256), accepts: [404] });
    await answer.body.dump();
  }

  async *list(): AsyncGenerator<string> {
    const { prefix } = this.#client.address;
    const start = `${prefix}${this.#prefix}`;
    let token: string | null = null;
    do {
      const { text } = await this.#client.sendForText({
        method: 'GET',
        key: null,
        query: { 'list-type': '2', prefix: start, ...(token !== null && { 'continuation-token': token }) },
      });
      for (const contents of readElements(text, 'Contents')) {
        const [, head, rest] = isOwn.exec((readText(contents, 'Key') ?? '').slice(start.length)) ?? [];
        if (head !== undefined) yield `${head}${rest!}`;
      }
      const next = readText(text, 'IsTruncated') === 'true' ? readText(text, 'NextContinuationToken') : null;
      if (next !== null && next === token) throw this.#noEnd();
      token = next;
    } while (token !== null);
  }

  async removeIncomingBefore(epochMs: number): Promise<void> {
    await this.#incoming.removeBefore(epochMs);
    const { prefix } = this.#client.address;
    const start = `${prefix}${this.#prefix}`;
    let from: Record<string, string> | null = {};
    while (from !== null) {
      const { text } = await this.#client.sendForText({
        method: 'GET',
        key: null,
        query: { uploads: '', prefix: start, ...from },
      });
      for (const upload of readElements(text, 'Upload')) {
        const key = readText(upload, 'Key');
        const uploadId = readText(upload, 'UploadId');
        const begun = Date.parse(readText(upload, 'Initiated') ?? '');
        // Of others, nothing is given up.
        if (key === null || uploadId === null || !(begun < epochMs) || !isOwn.test(key.slice(start.length))) continue;
        if (!key.startsWith(start)) continue;
        await this.#client.sendForText({
          method: 'DELETE',
          key: key.slice(prefix.length),
          query: { uploadId },
          accepts: [404],
        });
      }
      const [keyMarker, idMarker] = [readText(text, 'NextKeyMarker'), readText(text, 'NextUploadIdMarker')];
      const hasMore = readText(text, 'IsTruncated') === 'true' && keyMarker !== null && idMarker !== null;
      if (hasMore && from['key-marker'] === keyMarker && from['upload-id-marker'] === idMarker) throw this.#noEnd();
      from = hasMore ? { 'key-marker': keyMarker, 'upload-id-marker': idMarker } : null;
    }
  }

  #noLength(): AppError {
    return storeAway(`${this.#client.address.name} does not say how many bytes a file has`);
  }

  #noEnd(): AppError {
    return storeAway(`${this.#client.address.name} lists the same files again and again`);
  }

  #keyOf(sha256: string): string {
    Sha256Schema.parse(sha256);
    return `${this.#prefix}${sha256.slice(0, 2)}/${sha256.slice(2)}`;
  }
}

/** Null where it is not said, or cannot be. */
function readLength(headers: Dispatcher.ResponseData['headers']): number | null {
  const length = Number(headers['content-length'] ?? Number.NaN);
  return Number.isSafeInteger(length) && length >= 0 ? length : null;
}

/** What comes, if it is what was stored. The last piece is kept back until that is known, so that nobody takes other contents for whole. */
async function* verify(
  contents: AsyncIterable<Buffer>,
  { sha256, store }: { sha256: string; store: string },
): AsyncGenerator<Buffer> {
  const hash = createHash('sha256');
  let last: Buffer | null = null;
  for await (const part of contents) {
    hash.update(part);
    if (last) yield last;
    last = part;
  }
  if (hash.digest('hex') !== sha256)
    throw storeAway(`${store} has other contents in the file ${sha256} than were stored`);
  if (last) yield last;
}

/** Stores a file of this machine under its key, all of it or nothing. */
async function putFile(client: BucketClient, { key, file, sha256, bytes }: PutFile): Promise<void> {
  if (bytes > partBytes) return putInParts(client, { key, file });
  const body = { sha256, bytes, open: () => createReadStream(file) };
  await (await client.send({ method: 'PUT', key, body })).body.dump();
}

async function putInParts(client: BucketClient, { key, file }: Pick<PutFile, 'key' | 'file'>): Promise<void> {
  const signal = AbortSignal.timeout(joinLimitMs);
  const begun = await client.sendForText({ method: 'POST', key, query: { uploads: '' } });
  const uploadId = readText(begun.text, 'UploadId');
  if (uploadId === null) throw storeAway(`${client.address.name} gives no id to an upload in parts`);
  try {
    await using handle = await open(file);
    const tags: string[] = [];
    const buffer = Buffer.allocUnsafe(partBytes);
    for (let part = await readPart(handle, buffer); part.length > 0; part = await readPart(handle, buffer))
      tags.push(await putPart(client, { key, uploadId, number: tags.length + 1, part, signal }));
    await join(client, { key, uploadId, tags, signal });
  } catch (error) {
    // What cannot be given up now, sweeps give up.
    await client.sendForText({ method: 'DELETE', key, query: { uploadId }, accepts: [404] }).catch(() => undefined);
    throw error;
  }
}

/** As much as there is, up to the length of the buffer. */
async function readPart(handle: FileHandle, buffer: Buffer): Promise<Buffer> {
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return buffer.subarray(0, length);
}

async function putPart(client: BucketClient, { key, uploadId, number, part, signal }: Part): Promise<string> {
  const sha256 = createHash('sha256').update(part).digest('hex');
  const answer = await client.send(
    {
      method: 'PUT',
      key,
      query: { partNumber: String(number), uploadId },
      body: { sha256, bytes: part.length, open: () => part },
    },
    signal,
  );
  await answer.body.dump();
  const { etag } = answer.headers;
  if (typeof etag !== 'string') throw storeAway(`${client.address.name} gives no tag to a part of a file`);
  return etag;
}

async function join(
  client: BucketClient,
  { key, uploadId, tags, signal }: { key: string; uploadId: string; tags: readonly string[]; signal: AbortSignal },
): Promise<void> {
  const parts = tags.map(
    (tag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
  );
  const document = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
  const sha256 = createHash('sha256').update(document).digest('hex');
  const { text } = await client.sendForText(
    {
      method: 'POST',
      key,
      query: { uploadId },
      body: { sha256, bytes: document.length, open: () => document },
      headers: { 'content-type': 'application/xml' },
    },
    signal,
  );
  // It may fail after its status was sent.
  if (/<Error[ >]/.test(text))
    throw storeAway(
      `${client.address.name} cannot join the parts of a file (${readText(text, 'Code') ?? 'no reason'})`,
    );
}

/** Lets so much work be under way at the same time, in the order in which it came. */
export class TurnKeeper {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.#free = atOnce;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }
}
