import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { pipeline as pipeStreams, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { createGunzip, gunzip, type ZlibOptions } from 'node:zlib';
import { fromFdPromise, type Entry, type ZipFile } from 'yauzl';
import type { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { decodeText } from '#core/input/decode-text.ts';
import { describeIssues, formatPath } from '#core/input/describe-issues.ts';
import { findExcess } from '#core/input/scan-json.ts';
import { findSiteFault } from '#core/site/find-site-fault.ts';
import {
  mostIndexBytes,
  SiteExchangeSchema,
  SiteOutlineSchema,
  type Site,
  type SiteExchange,
} from '#core/site/site.ts';
import { readBodyOfRecord } from './warc-record.ts';
import { archivePath, indexPath } from './wacz-files.ts';

/** Those of HTTP-AE have six. */
const mostFiles = 1000;
const mostDepth = 20;
/** Of 20,000 exchanges, 300 each. */
const mostValues = 6_000_000;
const partBytes = 64 * 1024;
/** Of a zip that has a file. */
const zipSignature = 'PK\x03\x04';
const howToMakeOne = 'Record the pages with "site record", or import a HAR that has their bodies with "site import"';

const inflate = promisify<Buffer, ZlibOptions, Buffer>(gunzip);

/** A Site whose index is in memory, and whose bodies are read as they are asked for. */
export interface OpenSite extends AsyncDisposable {
  readonly site: Site;
  /**
   * The wire bytes of an answer's body; none where it has no body. Fails with `invalid-input` where the archive does not have what the index says, by length or by SHA-256; the last
   * part comes after both were checked.
   */
  readBody(exchange: SiteExchange): Readable;
}

/** Opens a WACZ that HTTP-AE wrote. Throws `invalid-input` for any other file, and for one that is damaged or exceeds a limit. Bodies are checked as they are read. */
export async function openSite(file: string): Promise<OpenSite> {
  const name = path.basename(file);
  const handle = await openFile(file);
  try {
    const { site, archive } = await readIndex(handle, name);
    return {
      site,
      readBody: ({ body }) =>
        Readable.from(body ? readBodyAt({ handle, start: archive.start + body.offset, body, name }) : [], {
          objectMode: false,
        }),
      [Symbol.asyncDispose]: () => handle.close(),
    };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

/** Reads every body once, to know that the archive is whole. Throws `invalid-input` where it is not. */
export async function checkBodies(opened: OpenSite, signal?: AbortSignal): Promise<void> {
  const byOffset = new Map(opened.site.exchanges.map((exchange) => [exchange.body?.offset, exchange]));
  for (const exchange of byOffset.values()) {
    const nowhere = new Writable({ write: (_part, _encoding, done) => done() });
    await pipeline(opened.readBody(exchange), nowhere, { signal });
  }
}

async function openFile(file: string): Promise<FileHandle> {
  try {
    return await open(file, 'r');
  } catch (cause) {
    throw new AppError('invalid-input', `${file} cannot be read: ${(cause as Error).message}`, { cause });
  }
}

interface Place {
  start: number;
  length: number;
}

async function readIndex(handle: FileHandle, name: string): Promise<{ site: Site; archive: Place }> {
  const refuse = (how: string, cause?: unknown) => new AppError('invalid-input', `${name} ${how}`, { cause });
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(zipSignature.length), 0, zipSignature.length, 0);
    if (bytesRead === zipSignature.length && buffer.toString('latin1') !== zipSignature)
      throw refuse(`is no WACZ, which is a zip file. ${howToMakeOne}`);
    const zip = await fromFdPromise(handle.fd, { autoClose: false, lazyEntries: true });
    const { index, archive } = await findEntries(zip, refuse);
    const site = parseIndex(await readEntry(zip, index), name);
    const place = await placeArchive(zip, archive, refuse);
    const outside = site.exchanges.find(({ body }) => body && body.offset + body.length > place.length);
    if (outside) throw refuse(`is damaged: the body of ${outside.url} is beyond the end of its archive`);
    return { site, archive: place };
  } catch (cause) {
    if (cause instanceof AppError) throw cause;
    const reason = (cause as Error).message.replace(/\.$/, '');
    throw refuse(`is no whole WACZ: ${reason}. Get the file again`, cause);
  }
}

type Refuse = (how: string) => AppError;

async function findEntries(zip: ZipFile, refuse: Refuse): Promise<{ index: Entry; archive: Entry }> {
  if (zip.entryCount > mostFiles) throw refuse(`has ${zip.entryCount} files, more than the limit of ${mostFiles}`);
  const entries = new Map<string, Entry>();
  for await (const entry of zip.eachEntry()) {
    if (entries.has(entry.fileName)) throw refuse(`has ${entry.fileName} twice`);
    entries.set(entry.fileName, entry);
  }
  const index = entries.get(indexPath);
  const archive = entries.get(archivePath);
  if (!index) throw refuse(`was not written by HTTP-AE: it has no ${indexPath}. ${howToMakeOne}`);
  if (!archive) throw refuse(`is damaged: it has no ${archivePath}`);
  if (index.uncompressedSize > mostIndexBytes)
    throw refuse(`has an index of ${index.uncompressedSize} bytes, more than the limit of ${mostIndexBytes}`);
  if (archive.compressionMethod !== 0 || archive.isEncrypted())
    throw refuse(`has a compressed ${archivePath}, so its bodies cannot be found: a WACZ stores it as it is`);
  return { index, archive };
}

/** The zip's reader ends where more bytes come than the entry says. */
async function readEntry(zip: ZipFile, entry: Entry): Promise<Buffer> {
  const stream = await zip.openReadStreamPromise(entry);
  return Buffer.concat((await stream.toArray()) as Buffer[]);
}

async function placeArchive(zip: ZipFile, entry: Entry, refuse: Refuse): Promise<Place> {
  const { fileDataStart } = await zip.readLocalFileHeaderPromise(entry, { minimal: true });
  if (fileDataStart + entry.compressedSize > zip.fileSize) throw refuse(`is damaged: ${archivePath} has no end`);
  return { start: fileDataStart, length: entry.compressedSize };
}

function parseIndex(bytes: Buffer, name: string): Site {
  const what = `${indexPath} of ${name}`;
  const refuse = (how: string, cause?: unknown) => new AppError('invalid-input', `${what} ${how}`, { cause });
  const json = decodeText(bytes, what);
  const excess = findExcess(json, { mostDepth, mostValues });
  if (excess !== null) throw refuse(excess);
  let input: unknown;
  try {
    input = JSON.parse(json);
  } catch (cause) {
    throw refuse(`is no JSON: ${(cause as Error).message}`, cause);
  }
  // One after the other: what is wrong with all of them at once would take a hundred times their text.
  const read = <Schema extends z.ZodType>(schema: Schema, value: unknown, at: PropertyKey[] = []): z.output<Schema> => {
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [first] = describeIssues(parsed.error, { schema, input: value });
    throw refuse(`has a mistake: ${formatPath([...at, ...first!.path])} ${first!.message}`, parsed.error);
  };
  const outline = read(SiteOutlineSchema, input);
  const exchanges = outline.exchanges.map((each, index) => read(SiteExchangeSchema, each, ['exchanges', index]));
  const site: Site = { ...outline, exchanges };
  const fault = findSiteFault(site);
  if (fault !== null) throw refuse(fault);
  return site;
}

interface BodyPlace {
  handle: FileHandle;
  start: number;
  body: NonNullable<SiteExchange['body']>;
  name: string;
}

async function* readBodyAt({ handle, start, body, name }: BodyPlace): AsyncGenerator<Buffer> {
  const refuse = (how: string, cause?: unknown) =>
    new AppError('invalid-input', `${name} is damaged: ${how}. Get the file again`, { cause });
  const record = readRecord(handle, { start, length: body.length, bytes: body.bytes });
  const hash = createHash('sha256');
  let held: Buffer | null = null;
  try {
    for await (const part of readBodyOfRecord(record, { bytes: body.bytes, name })) {
      hash.update(part);
      if (held) yield held;
      held = part;
    }
  } catch (cause) {
    throw cause instanceof AppError ? cause : refuse((cause as Error).message, cause);
  }
  if (hash.digest('hex') !== body.sha256) throw refuse('a body is not what its index says');
  if (held) yield held;
}

/** A small one at once: streams take about twice as long. */
async function* readRecord(
  handle: FileHandle,
  { start, length, bytes }: Place & { bytes: number },
): AsyncGenerator<Buffer> {
  const whole = length <= partBytes && bytes <= partBytes ? await inflateAtOnce(handle, { start, length }) : null;
  if (whole) {
    yield whole;
    return;
  }
  const source = Readable.from(readRange(handle, { start, length }));
  // What fails is thrown by the loop: a pipeline ends its last stream with it.
  yield* pipeStreams(source, createGunzip(), () => {}) as AsyncIterable<Buffer>;
}

/** Null where it is damaged, or larger than that: read in parts, it shows what is wrong. */
async function inflateAtOnce(handle: FileHandle, place: Place): Promise<Buffer | null> {
  for await (const record of readRange(handle, place))
    return inflate(record, { maxOutputLength: 2 * partBytes }).catch(() => null);
  return null;
}

async function* readRange(handle: FileHandle, { start, length }: Place): AsyncGenerator<Buffer> {
  for (let at = 0; at < length;) {
    const buffer = Buffer.allocUnsafe(Math.min(partBytes, length - at));
    const { bytesRead } = await handle.read(buffer, 0, buffer.length, start + at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
}
