import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { WARCParser } from 'warcio';
import { expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { checkBodies, openSite } from '#site/open-site.ts';
import { writeSite, type RecordedSite } from '#site/write-site.ts';
import {
  makeRecordedBody,
  makeRecordedExchange,
  makeRecordedSite,
  recordedEpochMs,
} from '#tests/support/make-recorded-site.ts';
import { makeSeededBytes } from '#tests/support/seeded-bytes.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const nowEpochMs = recordedEpochMs + 60_000;
const large = makeSeededBytes(3_000_000);

/** Two answers with one body, one without a body, one with trailers, a large one. */
const varied: RecordedSite = makeRecordedSite({
  exchanges: [
    makeRecordedExchange({
      requestHeaders: [
        ['Accept', '*/*'],
        ['Cookie', 'id=SECRET'],
      ],
      headers: [
        ['Transfer-Encoding', 'chunked'],
        ['Set-Cookie', 'a=SECRET'],
        ['Content-Type', 'text/html'],
        ['set-cookie', 'b=SECRET'],
        ['X-Cafe', 'caf\u00e9'],
      ],
      trailers: [['server-timing', 'db;dur=53']],
      protocol: 'http/1.1',
    }),
    makeRecordedExchange({ url: 'https://shop.test/again?a=1#b' }),
    makeRecordedExchange({ url: 'https://shop.test/none', status: 204, body: null }),
    makeRecordedExchange({ url: 'https://shop.test/empty', body: makeRecordedBody('') }),
    makeRecordedExchange({ url: 'https://shop.test/large', body: makeRecordedBody(large) }),
    makeRecordedExchange({ url: 'https://shop.test/lines', body: makeRecordedBody('\r\n\r\nWARC/1.1\r\n\r\n') }),
  ],
});

async function write(recorded: RecordedSite, folder: string, keepsSecrets = false) {
  const file = path.join(folder, 'shop.wacz');
  return { file, site: await writeSite(file, recorded, { nowEpochMs, keepsSecrets }) };
}

async function readFiles(file: string): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(await readFile(file), { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  return files;
}

test('a Site is read as it was written, bodies as they crossed the network', async () => {
  await using folder = await makeTemporaryFolder();
  const { file, site } = await write(varied, folder.path);
  await using opened = await openSite(file);
  expect(opened.site).toEqual(site);
  const bodies = await Promise.all(site.exchanges.map((each) => buffer(opened.readBody(each))));
  const expected = await Promise.all(
    varied.exchanges.map(({ body }) => buffer(Readable.from(body?.read() ?? [], { objectMode: false }))),
  );
  expect(bodies.map((each, index) => each.equals(expected[index]!))).toEqual(varied.exchanges.map(() => true));
  await checkBodies(opened);
});

test('one body is stored once, for all answers that have it', async () => {
  await using folder = await makeTemporaryFolder();
  const { site } = await write(varied, folder.path);
  expect(site.exchanges[1]!.body).toEqual(site.exchanges[0]!.body);
  expect(site.exchanges[2]!.body).toBeNull();
});

test('headers with secrets are left out and listed, unless they are to be kept', async () => {
  await using folder = await makeTemporaryFolder();
  const { file, site } = await write(varied, folder.path);
  expect(site.dropped).toEqual([
    { header: 'cookie', times: 1 },
    { header: 'set-cookie', times: 2 },
  ]);
  const files = await readFiles(file);
  expect([...files.values()].some((each) => each.includes('SECRET'))).toBe(false);
  const kept = await write(varied, folder.path, true);
  expect(kept.site.dropped).toEqual([]);
  expect(kept.site.exchanges[0]!.headers).toEqual(varied.exchanges[0]!.headers);
});

test('what CORS allows is no secret: a replay without it would be blocked', async () => {
  await using folder = await makeTemporaryFolder();
  const headers: [string, string][] = [['Access-Control-Allow-Credentials', 'true']];
  const { site } = await write(makeRecordedSite({ exchanges: [makeRecordedExchange({ headers })] }), folder.path);
  expect(site.exchanges[0]!.headers).toEqual(headers);
  expect(site.dropped).toEqual([]);
});

test('other programs read its WARC, with places as the CDXJ index says', async () => {
  await using folder = await makeTemporaryFolder();
  const files = await readFiles((await write(varied, folder.path)).file);
  const archive = files.get('archive/data.warc.gz')!;
  const records = [];
  for await (const record of new WARCParser([archive])) {
    const payload = await record.readFully(false);
    records.push({
      type: record.warcType,
      url: record.warcTargetURI,
      status: record.httpHeaders?.statusCode,
      bytes: payload.length,
      isWhole: createHash('sha256').update(payload).digest('hex') === record.warcPayloadDigest?.slice('sha256:'.length),
    });
  }
  const response = { type: 'response', status: 200, isWhole: true };
  expect(records).toMatchObject([
    { type: 'warcinfo' },
    { ...response, url: 'https://shop.test/', bytes: 8 },
    { type: 'revisit', url: 'https://shop.test/again?a=1#b', bytes: 0 },
    { ...response, url: 'https://shop.test/none', status: 204, bytes: 0, isWhole: false },
    { ...response, url: 'https://shop.test/empty', bytes: 0 },
    { ...response, url: 'https://shop.test/large', bytes: large.length },
    { ...response, url: 'https://shop.test/lines', bytes: 16 },
  ]);
  const lines = files.get('indexes/index.cdx')!.toString().trimEnd().split('\n');
  expect(lines).toEqual(lines.toSorted());
  const line = lines.find((each) => each.startsWith('test,shop)/large 2025'))!;
  const { offset, length, ...fields } = JSON.parse(line.slice(line.indexOf('{'))) as Record<string, string>;
  expect(fields).toMatchObject({ mime: 'text/html', status: '200', filename: 'data.warc.gz' });
  const found = await WARCParser.parse([archive.subarray(Number(offset), Number(offset) + Number(length))]);
  expect(found?.warcTargetURI).toBe('https://shop.test/large');
});

test('the manifest lists all files with their hashes, as WACZ 1.1.1 wants', async () => {
  await using folder = await makeTemporaryFolder();
  const files = await readFiles((await write(varied, folder.path)).file);
  const manifest = JSON.parse(files.get('datapackage.json')!.toString()) as {
    resources: { path: string; hash: string; bytes: number }[];
  };
  expect(manifest).toMatchObject({ profile: 'data-package', wacz_version: '1.1.1', title: 'Shop' });
  const hash = (bytes: Buffer) => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
  const others = [...files].filter(([name]) => !name.startsWith('datapackage'));
  expect(manifest.resources.map(({ path: name, hash: own, bytes }) => [name, own, bytes])).toEqual(
    others.map(([name, bytes]) => [name, hash(bytes), bytes.length]),
  );
  expect(JSON.parse(files.get('datapackage-digest.json')!.toString())).toEqual({
    path: 'datapackage.json',
    hash: hash(files.get('datapackage.json')!),
  });
  expect(
    files
      .get('pages/pages.jsonl')!
      .toString()
      .split('\n')
      .slice(0, 2)
      .map((line) => JSON.parse(line) as unknown),
  ).toEqual([
    { format: 'json-pages-1.0', id: 'pages', title: 'All Pages' },
    { id: '1', url: 'https://shop.test/', ts: new Date(recordedEpochMs).toISOString(), title: 'Shop' },
  ]);
});

test.for<[string, RecordedSite, RegExp]>([
  [
    'a header with a line of its own',
    makeRecordedSite({ exchanges: [makeRecordedExchange({ headers: [['a', 'b\r\nc: d']] })] }),
    /exchanges\[0\]\.headers/,
  ],
  [
    'a header beyond a byte',
    makeRecordedSite({ exchanges: [makeRecordedExchange({ headers: [['a', '\u010a']] })] }),
    /exchanges\[0\]\.headers/,
  ],
  ['no exchange', makeRecordedSite({ exchanges: [] }), /exchanges/],
  [
    'a host that is not listed',
    makeRecordedSite({ exchanges: [makeRecordedExchange({ url: 'https://other.test/' })] }),
    /other\.test/,
  ],
  ['a page that is not listed', makeRecordedSite({ exchanges: [makeRecordedExchange({ page: 2 })] }), /page 2/],
])('%s is no Site, and leaves no file', async ([, recorded, message]) => {
  await using folder = await makeTemporaryFolder();
  await expect(write(recorded, folder.path)).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(message) as string,
  });
  expect(await readdir(folder.path)).toEqual([]);
});

test('a body that cannot be read, and an interrupt, leave the file that was there', async () => {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'shop.wacz');
  await writeFile(file, 'before');
  const body = {
    bytes: 5,
    sha256: '0'.repeat(64),
    read: (): Iterable<Uint8Array> => {
      throw new Error('the disk is gone');
    },
  };
  const recorded = makeRecordedSite({ exchanges: [makeRecordedExchange({ body })] });
  await expect(write(recorded, folder.path)).rejects.toThrow(/the disk is gone/);
  const stop = new AbortController();
  const waiting = {
    ...body,
    read: async function* () {
      stop.abort(new Error('Stopped'));
      yield await new Promise<Uint8Array>(() => {});
    },
  };
  const stopped = writeSite(file, makeRecordedSite({ exchanges: [makeRecordedExchange({ body: waiting })] }), {
    nowEpochMs,
    signal: stop.signal,
  });
  await expect(stopped).rejects.toThrow('Stopped');
  await expect(writeSite(path.join(folder.path, 'nowhere', 'a.wacz'), varied, { nowEpochMs })).rejects.toMatchObject({
    code: 'invalid-input',
  });
  expect(await readdir(folder.path)).toEqual(['shop.wacz']);
  expect(await readFile(file, 'utf8')).toBe('before');
});
