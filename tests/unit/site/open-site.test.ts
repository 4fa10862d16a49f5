import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { mostIndexBytes, type Site } from '#core/site/site.ts';
import { checkBodies, openSite } from '#site/open-site.ts';
import { writeSite } from '#site/write-site.ts';
import {
  makeRecordedBody,
  makeRecordedExchange,
  makeRecordedSite,
  recordedEpochMs,
} from '#tests/support/make-recorded-site.ts';
import { makeSeededBytes } from '#tests/support/seeded-bytes.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';

const archivePath = 'archive/data.warc.gz';
const indexPath = 'http-ae/site.json';

async function writeSample(folder: string): Promise<string> {
  const file = path.join(folder, 'shop.wacz');
  const exchanges = [
    makeRecordedExchange(),
    makeRecordedExchange({ url: 'https://shop.test/large', body: makeRecordedBody(makeSeededBytes(200_000)) }),
  ];
  await writeSite(file, makeRecordedSite({ exchanges }), { nowEpochMs: recordedEpochMs });
  return file;
}

/** The sample with other files in it; null leaves one out. */
async function rewrite(
  file: string,
  change: (files: Map<string, Buffer>) => void,
  { compressesArchive = false } = {},
): Promise<void> {
  const zip = await fromBufferPromise(await readFile(file), { lazyEntries: true });
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  change(files);
  const written = new ZipFile();
  for (const [name, bytes] of files)
    written.addBuffer(bytes, name, { compress: name !== archivePath || compressesArchive });
  written.end();
  await pipeline(written.outputStream as Readable, createWriteStream(file));
}

const editIndex = (files: Map<string, Buffer>, edit: (site: Site) => void) => {
  const site = JSON.parse(files.get(indexPath)!.toString()) as Site;
  edit(site);
  files.set(indexPath, Buffer.from(JSON.stringify(site)));
};
const refusal = (message: RegExp) => ({ code: 'invalid-input', message: expect.stringMatching(message) as string });

test.for<[string, (files: Map<string, Buffer>) => void, RegExp]>([
  [
    'a WACZ of another program',
    (files) => files.delete(indexPath),
    /shop\.wacz was not written by HTTP-AE.*"site record".*"site import"/,
  ],
  ['one without an archive', (files) => files.delete(archivePath), /has no archive\/data\.warc\.gz/],
  [
    'one with a thousand files',
    (files) => Array.from({ length: 1001 }, (_, index) => files.set(`more/${index}`, Buffer.alloc(0))),
    /files, more than the limit of 1000/,
  ],
  [
    'an index that unpacks to more than its limit',
    (files) => files.set(indexPath, Buffer.alloc(mostIndexBytes + 1, ' ')),
    /index of \d+ bytes, more than the limit/,
  ],
  [
    'an index that is no JSON',
    (files) => files.set(indexPath, Buffer.from('{"format":')),
    /site\.json of shop\.wacz is no JSON/,
  ],
  ['an index that is no text', (files) => files.set(indexPath, Buffer.from([0xff, 0x20])), /UTF-8/],
  [
    'an index of lists within lists',
    (files) => files.set(indexPath, Buffer.from('['.repeat(100_000))),
    /lists within each other/,
  ],
  ['an index of a later format', (files) => files.set(indexPath, Buffer.from('{"format":2}')), /has a mistake: format/],
  [
    'a body beyond the archive',
    (files) => editIndex(files, ({ exchanges }) => (exchanges[1]!.body!.offset = 1e9)),
    /the body of https:\/\/shop\.test\/large is beyond the end/,
  ],
  [
    'a body beyond the limit',
    (files) => editIndex(files, ({ exchanges }) => (exchanges[1]!.body!.bytes = 1024 ** 3)),
    /exchanges\[1\]\.body\.bytes/,
  ],
  [
    'an index of nothing but mistakes',
    (files) => {
      const wrong = Array.from({ length: 2000 }, () => ({ headers: Array<number[]>(300).fill([0, 0]) }));
      editIndex(files, (site) => Object.assign(site, { exchanges: wrong }));
    },
    /has a mistake: exchanges\[0\]/,
  ],
  [
    'two bodies at one place',
    (files) =>
      editIndex(files, ({ exchanges }) => {
        exchanges[1]!.body = { ...exchanges[0]!.body!, sha256: '0'.repeat(64) };
      }),
    /two bodies at the place \d+ of its archive/,
  ],
  [
    'a body within another',
    (files) => editIndex(files, ({ exchanges }) => exchanges[1]!.body!.offset--),
    /two bodies at the place \d+ of its archive/,
  ],
  [
    'a host that is not listed',
    (files) => editIndex(files, ({ hosts }) => (hosts[0]!.name = 'other.test')),
    /host shop\.test, which it does not list/,
  ],
  ['two hosts of one name', (files) => editIndex(files, ({ hosts }) => hosts.push(hosts[0]!)), /host shop\.test twice/],
  [
    'an exchange out of its place',
    (files) => editIndex(files, ({ exchanges }) => (exchanges[1]!.number = 0)),
    /number 0 at the exchange 1/,
  ],
])('%s is refused, with the reason', async ([, change, message]) => {
  await using folder = await makeTemporaryFolder();
  const file = await writeSample(folder.path);
  await rewrite(file, change);
  await expect(openSite(file)).rejects.toMatchObject(refusal(message));
});

test('an archive that the WACZ compresses is refused: bodies are read from their places', async () => {
  await using folder = await makeTemporaryFolder();
  const file = await writeSample(folder.path);
  await rewrite(file, () => {}, { compressesArchive: true });
  await expect(openSite(file)).rejects.toMatchObject(refusal(/compressed archive/));
});

test.for([0, 1, 100, 10_000, -1, -30, -300])('a file that ends at byte %d is refused', async (end) => {
  await using folder = await makeTemporaryFolder();
  const file = await writeSample(folder.path);
  await writeFile(file, (await readFile(file)).subarray(0, end));
  await expect(openSite(file)).rejects.toMatchObject(refusal(/shop\.wacz is no whole WACZ/));
});

test.for([
  ['a HAR', '{"log":{}}'],
  ['a WARC', 'WARC/1.1\r\nWARC-Type: warcinfo\r\n'],
  ['a compressed WARC', gzipSync('WARC/1.1\r\nWARC-Type: warcinfo\r\n')],
])('%s is refused with the way to a recording', async ([, contents]) => {
  await using folder = await makeTemporaryFolder();
  const file = path.join(folder.path, 'shop');
  await writeFile(file, contents!);
  await expect(openSite(file)).rejects.toMatchObject(
    refusal(/^shop is no WACZ, which is a zip file\. Record .* import a HAR .* with "site import"$/),
  );
});

test('a file that is not there, and a folder, are named', async () => {
  await using folder = await makeTemporaryFolder();
  await expect(openSite(path.join(folder.path, 'none.wacz'))).rejects.toMatchObject(
    refusal(/none\.wacz cannot be read/),
  );
  await expect(openSite(folder.path)).rejects.toMatchObject({ code: 'invalid-input' });
});

const record = (body: Uint8Array | string) =>
  gzipSync(
    Buffer.concat([Buffer.from('WARC/1.1\r\n\r\nHTTP/1.1 200 OK\r\n\r\n'), Buffer.from(body), Buffer.from('\r\n\r\n')]),
  );

test.for<[string, Buffer, RegExp]>([
  [
    'a body that unpacks to far more than its index says',
    record(Buffer.alloc(50_000_000)),
    /longer than its index says/,
  ],
  ['a header without an end', gzipSync(Buffer.alloc(50_000_000, 'a')), /a header has no end/],
  ['a body that is shorter', record('Hell'), /shorter than its index says/],
  ['another body of that length', record('Hullo'), /not what its index says/],
  ['a place without a gzip member', Buffer.from('WARC/1.1 '.repeat(10)), /damaged/],
  ['half a gzip member', record(makeSeededBytes(5)).subarray(0, 40), /damaged/],
])('%s fails as it is read, and as the file is checked', async ([, member, message]) => {
  await using folder = await makeTemporaryFolder();
  const file = await writeSample(folder.path);
  await rewrite(file, (files) => {
    files.set(archivePath, member);
    editIndex(files, (site) => {
      const { sha256 } = makeRecordedBody('Hello');
      site.exchanges = [{ ...site.exchanges[0]!, body: { offset: 0, length: member.length, bytes: 5, sha256 } }];
    });
  });
  await using opened = await openSite(file);
  await expect(buffer(opened.readBody(opened.site.exchanges[0]!))).rejects.toMatchObject(refusal(message));
  await expect(checkBodies(opened)).rejects.toMatchObject(refusal(message));
});

test('a body that nobody reads to its end holds nothing back', async () => {
  await using folder = await makeTemporaryFolder();
  await using opened = await openSite(await writeSample(folder.path));
  const [, large] = opened.site.exchanges;
  const stopped = opened.readBody(large!);
  await once(stopped, 'readable');
  stopped.destroy();
  await once(stopped, 'close');
  const many = await Promise.all(Array.from({ length: 50 }, () => buffer(opened.readBody(large!))));
  expect(new Set(many.map(({ length }) => length))).toEqual(new Set([200_000]));
});

test('a Site that was closed holds its file no longer: it gives no more bodies', async () => {
  await using folder = await makeTemporaryFolder();
  const opened = await openSite(await writeSample(folder.path));
  const [exchange] = opened.site.exchanges;
  expect((await buffer(opened.readBody(exchange!))).length).toBe(exchange!.body!.bytes);
  await opened[Symbol.asyncDispose]();
  await expect(buffer(opened.readBody(exchange!))).rejects.toThrow(/closed|EBADF/);
});
