import { createHash } from 'node:crypto';
import { getSurt } from 'warcio/utils';
import type { Site, SiteExchange } from '#core/site/site.ts';

/** WACZ 1.1.1: https://specs.webrecorder.net/wacz/1.1.1/ */
const waczVersion = '1.1.1';

export const archivePath = 'archive/data.warc.gz';
export const indexPath = 'http-ae/site.json';

/** A file of a WACZ, by its path. */
export interface WaczFile {
  path: string;
  bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
}

/** Where the record of an answer is in the archive. */
export interface PlacedRecord extends Pick<SiteExchange, 'url' | 'status' | 'headers'> {
  epochMs: number;
  offset: number;
  length: number;
  bodySha256: string | null;
}

/** The list of pages, by which programs that show WACZ begin. */
export function writePages({ pages, recordedEpochMs }: Site): string {
  const lines = pages.map(({ number, url, title, visits }) => ({
    id: String(number),
    url,
    ts: new Date(visits[0]?.startEpochMs ?? recordedEpochMs).toISOString(),
    ...(title === '' ? {} : { title }),
  }));
  return writeLines([{ format: 'json-pages-1.0', id: 'pages', title: 'All Pages' }, ...lines]);
}

/** The index by URL, for programs that show WACZ: https://specs.webrecorder.net/cdxj/0.1.0/. In the order of its keys, byte by byte. */
export function writeCdxj(records: readonly PlacedRecord[]): string {
  const lines = records.map(({ url, epochMs, status, headers, bodySha256, offset, length }) => {
    const time = new Date(epochMs).toISOString().replaceAll(/\D/g, '').slice(0, 14);
    const mime = headers
      .find(([name]) => name.toLowerCase() === 'content-type')?.[1]
      .split(';')[0]!
      .trim();
    const fields = {
      url,
      ...(mime && { mime }),
      status: String(status),
      ...(bodySha256 && { digest: `sha256:${bodySha256}` }),
      length: String(length),
      offset: String(offset),
      filename: archivePath.split('/').at(-1),
    };
    return Buffer.from(`${getSurt(url)} ${time} ${JSON.stringify(fields)}\n`);
  });
  return Buffer.concat(lines.sort((one, other) => Buffer.compare(one, other))).toString();
}

/** The list of all files, with what each must be. */
export function writeDataPackage(
  { title, software, pages }: Site,
  files: readonly WaczFile[],
  epochMs: number,
): string {
  const [first] = pages;
  return JSON.stringify(
    {
      profile: 'data-package',
      wacz_version: waczVersion,
      title,
      software,
      created: new Date(epochMs).toISOString(),
      mainPageUrl: first!.url,
      resources: files.map(({ path, bytes, sha256 }) => ({
        name: path.split('/').at(-1),
        path,
        hash: `sha256:${sha256}`,
        bytes,
      })),
    },
    null,
    2,
  );
}

/** What the list of all files must be. */
export function writeDataPackageDigest(dataPackage: string): string {
  const hash = createHash('sha256').update(dataPackage).digest('hex');
  return JSON.stringify({ path: 'datapackage.json', hash: `sha256:${hash}` });
}

function writeLines(values: readonly unknown[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join('');
}
