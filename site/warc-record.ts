import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import { AppError } from '#core/app-error.ts';
import type { SiteExchange } from '#core/site/site.ts';

/** WARC 1.1, ISO 28500: https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/ */
const version = 'WARC/1.1';
const blankLine = Buffer.from('\r\n\r\n');
/** Of a record's own header and the HTTP header within it, each. */
const mostHeadBytes = 1024 * 1024;

export type RecordedHead = Pick<SiteExchange, 'url' | 'protocol' | 'status' | 'headers'>;
export interface RecordedBody {
  bytes: number;
  /** In hexadecimal digits. */
  sha256: string;
  read(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** An answer whose body an earlier record has. */
export interface EarlierRecord {
  url: string;
  epochMs: number;
}

/** The record of one answer, as bytes. With `earlier` it has no body, and refers to that record. */
export async function* writeResponseRecord(
  head: RecordedHead & { epochMs: number; address: string | null },
  { body, earlier }: { body: RecordedBody | null; earlier: EarlierRecord | null },
): AsyncGenerator<Uint8Array> {
  const httpHead = Buffer.from(writeHttpHead(head), 'latin1');
  const bodyBytes = earlier || !body ? 0 : body.bytes;
  yield writeHead([
    ['WARC-Type', earlier ? 'revisit' : 'response'],
    ['WARC-Record-ID', `<urn:uuid:${randomUUID()}>`],
    ['WARC-Date', new Date(head.epochMs).toISOString()],
    ['WARC-Target-URI', head.url],
    ...(head.address === null ? [] : [['WARC-IP-Address', head.address] as const]),
    ['WARC-Protocol', head.protocol],
    ...(body ? [['WARC-Payload-Digest', `sha256:${body.sha256}`] as const] : []),
    ...(earlier
      ? ([
          ['WARC-Profile', 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest'],
          ['WARC-Refers-To-Target-URI', earlier.url],
          ['WARC-Refers-To-Date', new Date(earlier.epochMs).toISOString()],
        ] as const)
      : []),
    ['Content-Type', 'application/http; msgtype=response'],
    ['Content-Length', String(httpHead.length + bodyBytes)],
  ]);
  yield httpHead;
  if (bodyBytes > 0) yield* body!.read();
  yield blankLine;
}

/** The first record of an archive: what wrote it. */
export function writeInfoRecord({ software, epochMs }: { software: string; epochMs: number }): Uint8Array {
  const fields = Buffer.from(`software: ${software}\r\nformat: WARC File Format 1.1\r\n`);
  const head = writeHead([
    ['WARC-Type', 'warcinfo'],
    ['WARC-Record-ID', `<urn:uuid:${randomUUID()}>`],
    ['WARC-Date', new Date(epochMs).toISOString()],
    ['Content-Type', 'application/warc-fields'],
    ['Content-Length', String(fields.length)],
  ]);
  return Buffer.concat([head, fields, blankLine]);
}

function writeHead(fields: readonly (readonly [name: string, value: string])[]): Buffer {
  return Buffer.from(`${version}\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`);
}

/** As HTTP/1.1 writes it. The body in the archive is not in chunks, so that header is left out; the index has it. */
function writeHttpHead({ status, headers }: RecordedHead): string {
  const lines = headers
    .filter(([name]) => name.toLowerCase() !== 'transfer-encoding')
    .map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}\r\n`;
}

/**
 * The body within an answer's record, which comes as bytes without compression. Throws `invalid-input` where the record is shorter or longer than that body, before it has
 * passed on more than `bytes`.
 */
export async function* readBodyOfRecord(
  record: AsyncIterable<Buffer>,
  { bytes, name }: { bytes: number; name: string },
): AsyncGenerator<Buffer> {
  const refuse = (how: string) => new AppError('invalid-input', `${name} is damaged: ${how}. Get the file again`);
  let head: Buffer = Buffer.alloc(0);
  let headsLeft = 2;
  let left = bytes;
  let end = '';
  for await (const part of record) {
    let rest = part;
    while (headsLeft > 0) {
      head = Buffer.concat([head, rest]);
      const at = head.indexOf(blankLine);
      if (at === -1 ? head.length > mostHeadBytes : at > mostHeadBytes) throw refuse('a header has no end');
      if (at === -1) break;
      rest = head.subarray(at + blankLine.length);
      head = Buffer.alloc(0);
      headsLeft--;
    }
    if (headsLeft > 0) continue;
    const own = rest.subarray(0, left);
    left -= own.length;
    if (own.length > 0) yield own;
    end += rest.toString('latin1', own.length, own.length + blankLine.length + 1);
    if (end.length > blankLine.length) throw refuse('a body is longer than its index says');
  }
  if (left > 0 || end !== '\r\n\r\n') throw refuse('a body is shorter than its index says');
}
