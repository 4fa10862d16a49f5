import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { storeAway } from '../store-away.ts';
import type { BucketClient } from './bucket-client.ts';
import { escapeXml, readText } from './read-xml.ts';

/** A file above this is sent in parts of it, each again where it fails. Parts are held in memory, one of each file. S3: from 5 MiB to 5 GiB, at most 10,000. */
export const partBytes = 16 * 1024 ** 2;
/** Parts that nobody joined by then are removed by sweeps, which look after a day. */
const joinLimitMs = 12 * 3_600_000;

export interface PutFile {
  key: string;
  file: string;
  sha256: string;
  bytes: number;
}

/** Stores a file of this machine under its key, all of it or nothing. */
export async function putFile(client: BucketClient, { key, file, sha256, bytes }: PutFile): Promise<void> {
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

interface Part {
  key: string;
  uploadId: string;
  number: number;
  part: Buffer;
  signal: AbortSignal;
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
