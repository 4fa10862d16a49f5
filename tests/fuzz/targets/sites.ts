import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import fc from 'fast-check';
import { fromBufferPromise } from 'yauzl';
import { ZipFile } from 'yazl';
import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import { findSiteFault } from '#core/site/find-site-fault.ts';
import { SiteSchema, type Site } from '#core/site/site.ts';
import { writeHarOfSite } from '#site/export-har.ts';
import { readSiteOfHar } from '#site/import-har.ts';
import { checkBodies, openSite } from '#site/open-site.ts';
import { writeSite } from '#site/write-site.ts';
import {
  makeRecordedBody,
  makeRecordedExchange,
  makeRecordedSite,
  recordedEpochMs,
} from '#tests/support/make-recorded-site.ts';
import { editBytes, editText, byteEdits, ByteEditSchema, textEdits, TextEditSchema } from '../support/edits.ts';
import type { FuzzTarget } from '../support/fuzz-target.ts';
import { must } from '../support/promises.ts';
import { arbitraryOf } from '../support/schema-arbitrary.ts';

const InputSchema = z.strictObject({
  site: z.json(),
  indexEdits: z.array(TextEditSchema).max(4),
  /** Of the whole file. */
  fileEdits: z.array(ByteEditSchema).max(4),
  harEdits: z.array(TextEditSchema).max(4),
});
type Input = z.infer<typeof InputSchema>;

const folder = mkdtempSync(path.join(tmpdir(), 'http-ae-fuzz-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const file = path.join(folder, 'a.wacz');

const indexPath = 'http-ae/site.json';
const urls = ['https://shop.test/', 'https://shop.test/a?b=1', 'http://[2001:db8::1]:8080/', 'https://other.test/'];
const hosts = ['shop.test', '[2001:db8::1]', 'other.test'];
const { archive, bodies } = await makeArchive();

/** A few bodies, where they are. */
async function makeArchive() {
  const contents = ['<p>Hello', 'p { color: green }', '\x89PNG'];
  const exchanges = contents.map((text) => makeRecordedExchange({ body: makeRecordedBody(text) }));
  const site = await writeSite(file, makeRecordedSite({ exchanges }), { nowEpochMs: recordedEpochMs });
  const zip = await fromBufferPromise(await readFile(file), { lazyEntries: true });
  for await (const entry of zip.eachEntry())
    if (entry.fileName === 'archive/data.warc.gz')
      return {
        archive: await buffer(await zip.openReadStreamPromise(entry)),
        bodies: site.exchanges.map(({ body }) => body),
      };
  throw new Error('The sample has no archive');
}

/** So that hosts, pages and bodies belong together. */
function relate(site: Site, choice: number): Site {
  const pages = site.pages.map((page, index) => ({ ...page, number: index + 1, url: urls[(choice + index) % 4]! }));
  return {
    ...site,
    hosts: hosts.map((name, index) => ({ ...site.hosts[index % site.hosts.length]!, name })),
    pages,
    exchanges: site.exchanges.map((exchange, number) => ({
      ...exchange,
      number,
      page: 1 + ((choice + number) % pages.length),
      url: urls[(choice >> (number % 6)) % 4]!,
      body: exchange.body && bodies[(choice + number) % bodies.length]!,
    })),
  };
}

const arbitrarySite = fc
  .tuple(arbitraryOf(SiteSchema) as fc.Arbitrary<Site>, fc.nat(255))
  .map(([site, choice]) =>
    site.hosts.length > 0 && site.pages.length > 0 && choice % 8 !== 0 ? relate(site, choice) : site,
  );

/** WACZ files and HARs, as they are after their way. */
export const target: FuzzTarget<Input> = {
  schema: InputSchema,
  arbitrary: fc.record({
    site: arbitrarySite as unknown as fc.Arbitrary<Input['site']>,
    indexEdits: textEdits,
    fileEdits: byteEdits,
    harEdits: textEdits,
  }),
  async run({ site, indexEdits, fileEdits, harEdits }) {
    const zip = new ZipFile();
    zip.addBuffer(archive, 'archive/data.warc.gz', { compress: false });
    zip.addBuffer(Buffer.from(editText(JSON.stringify(site), indexEdits)), indexPath);
    zip.end();
    await writeFile(file, editBytes(await buffer(zip.outputStream as Readable), fileEdits));
    try {
      await using opened = await openSite(file);
      SiteSchema.parse(JSON.parse(JSON.stringify(opened.site)));
      must(findSiteFault(opened.site) === null, 'a Site that opens does not contradict itself');
      await checkBodies(opened);
      const har = await text(Readable.from(writeHarOfSite(opened)));
      JSON.parse(har);
      const { recorded } = readSiteOfHar(Buffer.from(editText(har, harEdits)), 'a.har');
      const again = path.join(folder, 'again.wacz');
      await writeSite(again, recorded, { nowEpochMs: recordedEpochMs });
      return [`${recorded.exchanges.length} exchanges`, `${recorded.hosts.length} hosts`];
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'invalid-input') throw error;
      return [error.message.replaceAll(/[\d"]+/g, '').slice(0, 60)];
    }
  },
};
