import { createHash } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { pipeline as pipeStreams, Readable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { ZipFile } from 'yazl';
import { AppError } from '#core/app-error.ts';
import { isSecretHeader } from '#core/har/redact-url.ts';
import { describeIssues, formatPath } from '#core/input/describe-issues.ts';
import { findSiteFault } from '#core/site/find-site-fault.ts';
import { mostIndexBytes, SiteSchema, type Site, type SiteExchange } from '#core/site/site.ts';
import { writeInfoRecord, writeResponseRecord, type EarlierRecord, type RecordedBody } from './warc-record.ts';
import {
  archivePath,
  indexPath,
  writeCdxj,
  writeDataPackage,
  writeDataPackageDigest,
  writePages,
  type PlacedRecord,
  type WaczFile,
} from './wacz-files.ts';

export type RecordedExchange = Omit<SiteExchange, 'number' | 'body'> & { body: RecordedBody | null };
/** A Site whose bodies are not yet in an archive. */
export type RecordedSite = Omit<Site, 'format' | 'exchanges' | 'dropped'> & { exchanges: RecordedExchange[] };

interface WriteOptions {
  /** Whether headers that let any reader act as the user are written, too. */
  keepsSecrets?: boolean;
  nowEpochMs: number;
  signal?: AbortSignal;
}

/**
 * Writes a Site as a WACZ, and replaces a file of that name once the new one is whole. Bodies are read one after the other; equal ones are stored once. Throws `invalid-input` for
 * what the format cannot hold and for a file that cannot be written, and leaves nothing behind.
 */
export async function writeSite(
  file: string,
  recorded: RecordedSite,
  { keepsSecrets = false, nowEpochMs, signal }: WriteOptions,
): Promise<Site> {
  const { exchanges, dropped } = keepsSecrets
    ? { exchanges: recorded.exchanges, dropped: [] }
    : dropSecrets(recorded.exchanges);
  const draft: RecordedSite = { ...recorded, exchanges };
  check({
    ...draft,
    format: 1,
    dropped,
    exchanges: exchanges.map((each, number) => ({ ...each, number, body: null })),
  });
  const part = `${file}.part`;
  const refuse = (cause: unknown) =>
    new AppError('invalid-input', `${file} cannot be written: ${(cause as Error).message}`, { cause });
  // Opened before anything can fail: a stream that is given up while it opens its file makes it all the same, after it was removed.
  await using handle = await open(part, 'w', 0o600).catch((cause: unknown) => {
    throw refuse(cause);
  });
  const zip = new ZipFile();
  const output = zip.outputStream as Readable;
  zip.once('error', (error: Error) => output.destroy(error));
  const written = pipeline(output, handle.createWriteStream(), { signal });
  try {
    const fill = async () => {
      const archive = new ArchiveWriter(draft, nowEpochMs);
      const stream = Readable.from(archive.write());
      zip.addReadStream(stream, archivePath, { compress: false });
      await finished(stream, { signal });
      const site = check({ ...draft, format: 1, dropped, exchanges: archive.exchanges });
      addFiles(zip, site, archive);
      zip.end();
      return site;
    };
    const [site] = await Promise.all([fill(), written]);
    await rename(part, file);
    return site;
  } catch (cause) {
    output.destroy();
    await written.catch(() => null); // `cause` says why
    await rm(part, { force: true });
    signal?.throwIfAborted();
    if (cause instanceof AppError) throw cause;
    throw refuse(cause);
  }
}

function check(site: Site): Site {
  const parsed = SiteSchema.safeParse(site);
  if (!parsed.success) {
    const [first] = describeIssues(parsed.error, { schema: SiteSchema, input: site });
    throw new AppError('invalid-input', `The recording cannot be a Site: ${formatPath(first!.path)} ${first!.message}`);
  }
  const fault = findSiteFault(site);
  if (fault !== null) throw new AppError('invalid-input', `The recording cannot be a Site: it ${fault}`);
  return site;
}

/** All but the archive itself. The index follows the archive, whose places it has. */
function addFiles(zip: ZipFile, site: Site, { records, file, nowEpochMs }: ArchiveWriter): void {
  const index = Buffer.from(JSON.stringify(site));
  if (index.length > mostIndexBytes)
    throw new AppError(
      'invalid-input',
      `The index of the Site has ${index.length} bytes, more than the limit of ${mostIndexBytes}: record fewer pages or visits`,
    );
  const texts: Record<string, Buffer> = {
    'indexes/index.cdx': Buffer.from(writeCdxj(records)),
    'pages/pages.jsonl': Buffer.from(writePages(site)),
    [indexPath]: index,
  };
  const files = Object.entries(texts).map(([path, bytes]) => ({ path, bytes: bytes.length, sha256: sha256Of(bytes) }));
  const dataPackage = writeDataPackage(site, [file, ...files], nowEpochMs);
  for (const [path, bytes] of Object.entries(texts)) zip.addBuffer(bytes, path);
  zip.addBuffer(Buffer.from(dataPackage), 'datapackage.json');
  zip.addBuffer(Buffer.from(writeDataPackageDigest(dataPackage)), 'datapackage-digest.json');
}

/** Makes the archive, one gzip member a record, and records where each is. */
class ArchiveWriter {
  readonly exchanges: SiteExchange[] = [];
  readonly records: PlacedRecord[] = [];
  readonly nowEpochMs: number;
  readonly #site: RecordedSite;
  readonly #hash = createHash('sha256');
  readonly #stored = new Map<string, EarlierRecord & { body: NonNullable<SiteExchange['body']> }>();
  #bytes = 0;

  constructor(site: RecordedSite, nowEpochMs: number) {
    this.#site = site;
    this.nowEpochMs = nowEpochMs;
  }

  /** Of the archive, once it is written. */
  get file(): WaczFile {
    return { path: archivePath, bytes: this.#bytes, sha256: this.#hash.copy().digest('hex') };
  }

  async *write(): AsyncGenerator<Buffer> {
    const { software, recordedEpochMs, exchanges } = this.#site;
    yield* this.#compress([writeInfoRecord({ software, epochMs: recordedEpochMs })]);
    for (const exchange of exchanges) yield* this.#writeExchange(exchange);
  }

  async *#writeExchange(exchange: RecordedExchange): AsyncGenerator<Buffer> {
    const { pages, hosts, recordedEpochMs } = this.#site;
    const { url, status, headers, body } = exchange;
    const epochMs =
      (pages[exchange.page - 1]!.visits[exchange.visit - 1]?.startEpochMs ?? recordedEpochMs) + exchange.startMs;
    const { hostname } = new URL(url);
    const address = hosts.find(({ name }) => name === hostname)!.address;
    const earlier = body ? (this.#stored.get(body.sha256) ?? null) : null;
    const offset = this.#bytes;
    yield* this.#compress(writeResponseRecord({ ...exchange, epochMs, address }, { body, earlier }));
    const length = this.#bytes - offset;
    const stored = body && (earlier?.body ?? { offset, length, bytes: body.bytes, sha256: body.sha256 });
    if (stored && !earlier) this.#stored.set(stored.sha256, { url, epochMs, body: stored });
    this.exchanges.push({ ...exchange, number: this.exchanges.length, body: stored });
    this.records.push({ url, status, headers, epochMs, offset, length, bodySha256: body?.sha256 ?? null });
  }

  async *#compress(record: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Buffer> {
    // What fails is thrown by the loop: a pipeline ends its last stream with it.
    const compressed = pipeStreams(Readable.from(record, { objectMode: false }), createGzip(), () => {});
    for await (const part of compressed as AsyncIterable<Buffer>) {
      this.#hash.update(part);
      this.#bytes += part.length;
      yield part;
    }
  }
}

function sha256Of(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

type Headers = SiteExchange['headers'];
type Heads = Pick<SiteExchange, 'requestHeaders' | 'headers' | 'trailers'>;

/** The same exchanges without headers that let any reader act as the user, and the list of what was left out, by name. docs/security.md lists the names. */
function dropSecrets<Exchange extends Heads>(
  exchanges: readonly Exchange[],
): { exchanges: Exchange[]; dropped: Site['dropped'] } {
  const times = new Map<string, number>();
  const keep = (headers: Headers) =>
    headers.filter(([name]) => {
      if (!isSecretHeader(name)) return true;
      const key = name.toLowerCase();
      times.set(key, (times.get(key) ?? 0) + 1);
      return false;
    });
  const kept = exchanges.map((exchange) => ({
    ...exchange,
    requestHeaders: keep(exchange.requestHeaders),
    headers: keep(exchange.headers),
    trailers: keep(exchange.trailers),
  }));
  const dropped = [...times].map(([header, count]) => ({ header, times: count }));
  return { exchanges: kept, dropped: dropped.sort((one, other) => (one.header < other.header ? -1 : 1)) };
}
