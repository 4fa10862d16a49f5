import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createWriteStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { zstdCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ZipFile } from 'yazl';
import { prepareSite } from '#controller/sites/site-index.ts';
import { SiteReader } from '#controller/sites/site-reader.ts';
import { compressSnapshot } from '#controller/visits/compressed-snapshot.ts';
import { RecordedVisitSchema } from '#core/protocol/api/stored-site.ts';
import { compareReplay } from '#core/site/compare-replay.ts';
import { mostIndexBytes } from '#core/site/site.ts';
import { outlineSite } from '#core/site/compose-hosts.ts';
import { summariseSite } from '#core/site/summarise-site.ts';
import { writeSite } from '#site/write-site.ts';
import { makeRecordedSite, recordedEpochMs } from '#tests/support/make-recorded-site.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { makeTemporaryFolder } from '#tests/support/temporary-folder.ts';
import { makeSite } from '../../core/site/support/make-site.ts';

const siteOf = (count: number) =>
  makeSite(Array.from({ length: count }, (_, index) => ({ url: `https://a.test/${index}`, visit: 1 + (index % 2) })));
const small = siteOf(4);
const large = siteOf(2000);
const snapshot = makePageSnapshot({ url: 'https://a.test/', totalMs: 900 }, 10);

test.for([
  { name: 'small', site: small },
  { name: 'large', site: large },
])('a $name index answers each question, here or in another process', async ({ site }) => {
  await using reader = new SiteReader();
  const { index } = prepareSite(site);
  expect(await reader.outline(index)).toEqual(outlineSite(site));
  expect(await reader.summarise(index)).toEqual(summariseSite(site));
  const visit = RecordedVisitSchema.parse(JSON.parse(await reader.writeVisit(index, { page: 1, visit: 2 })));
  expect(visit.exchanges).toEqual(site.exchanges.filter((exchange) => exchange.visit === 2));
  for (const stored of [compressSnapshot(snapshot), JSON.stringify(snapshot)])
    expect(await reader.compare(index, { page: 1, snapshot: stored })).toEqual(
      compareReplay(snapshot, { site, page: 1, visit: 1 }),
    );
});

test('other work is done while a large index is read', async () => {
  await using reader = new SiteReader();
  const order: string[] = [];
  const read = reader.outline(prepareSite(large).index).then(() => order.push('read'));
  const other = new Promise<void>((resolve) => {
    setImmediate(() => setImmediate(() => resolve(void order.push('other work'))));
  });
  await Promise.all([read, other]);
  expect(order).toEqual(['other work', 'read']);
});

test('a file is read whole in another process, and what is wrong with it names no file', async () => {
  await using folder = await makeTemporaryFolder();
  await using reader = new SiteReader();
  const file = path.join(folder.path, 'incoming');
  const site = await writeSite(file, makeRecordedSite(), { nowEpochMs: recordedEpochMs });
  const { index, ...about } = await reader.check(file);
  const { title, summary } = prepareSite(site);
  expect(about).toEqual({ title, summary });
  expect(await reader.outline(index)).toEqual(outlineSite(site));
  await writeFile(file, 'no archive');
  await expect(reader.check(file)).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(/^The file is no WACZ, which is a zip file/) as string,
  });
});

/** Many objects in little text. */
const bomb = `{"exchanges":[${'{},'.repeat(2e6)}{}]}`;

test('a file whose index needs more memory than there is is refused in a sentence', async () => {
  await using folder = await makeTemporaryFolder();
  await using reader = new SiteReader({ mostHeapMegabytes: 64 });
  expect(bomb.length).toBeLessThan(mostIndexBytes);
  const file = path.join(folder.path, 'bomb');
  const zip = new ZipFile();
  zip.addBuffer(Buffer.from(bomb), 'http-ae/site.json');
  zip.addBuffer(Buffer.alloc(0), 'archive/data.warc.gz', { compress: false });
  zip.end();
  await pipeline(zip.outputStream as Readable, createWriteStream(file));
  await expect(reader.check(file)).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringMatching(
      /^The file cannot be read as a recording\. The process that read it ended/,
    ) as string,
  });
});

test('a stored index that needs more memory than there is costs a question, and no other', async () => {
  await using reader = new SiteReader({ mostHeapMegabytes: 64 });
  await expect(reader.outline(zstdCompressSync(bomb))).rejects.toMatchObject({
    code: 'internal',
    message: expect.stringContaining('The recording cannot be read: The process that read it ended') as string,
  });
  expect(await reader.outline(prepareSite(small).index)).toEqual(outlineSite(small));
});
