import { createHash } from 'node:crypto';
import type { RecordedExchange, RecordedSite } from '#site/write-site.ts';
import type { RecordedBody } from '#site/warc-record.ts';

export const recordedEpochMs = 1_764_000_000_000;

export function makeRecordedBody(contents: Uint8Array | string): RecordedBody {
  const bytes = Buffer.from(contents);
  return {
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    read: () => [bytes],
  };
}

export function makeRecordedExchange(change: Partial<RecordedExchange> = {}): RecordedExchange {
  return {
    page: 1,
    visit: 1,
    url: 'https://shop.test/',
    method: 'GET',
    requestHeaders: [['accept', '*/*']],
    requestBodySha256: null,
    status: 200,
    headers: [['content-type', 'text/html; charset=utf-8']],
    trailers: [],
    protocol: 'h2',
    connection: 1,
    startMs: 0,
    connectMs: 20,
    tlsMs: 30,
    thinkMs: 5,
    receiveMs: 1,
    initiatorUrl: null,
    body: makeRecordedBody('<p>Hello'),
    ...change,
  };
}

/** A page of one host, unless `change` says otherwise. */
export function makeRecordedSite(change: Partial<RecordedSite> = {}): RecordedSite {
  return {
    title: 'Shop',
    software: 'HTTP-AE 1.0.0',
    recordedEpochMs,
    hosts: [
      {
        name: 'shop.test',
        address: '192.0.2.1',
        connectMs: 20,
        certificateNames: ['shop.test'],
        certificateChain: { count: 2, bytes: 2000 },
        protocols: ['h2'],
      },
    ],
    pages: [
      {
        number: 1,
        url: 'https://shop.test/',
        title: 'Shop',
        visits: [{ startEpochMs: recordedEpochMs, engine: 'Chrome/140.0', baseMs: 100, viewportMs: 200, totalMs: 300 }],
      },
    ],
    exchanges: [makeRecordedExchange()],
    ...change,
  };
}
