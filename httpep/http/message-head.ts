import type { HeaderList } from '../exchange/header-list.ts';
import type { ByteReader } from './byte-reader.ts';

/** Heads of requests up to so many bytes: no web server takes longer ones. */
export const maxHeadBytes = 64 * 1024;
/** Heads of answers up to so many, as in Chrome. */
export const maxAnswerHeadBytes = 256 * 1024;

export type HttpVersion = '1.0' | '1.1';

export interface RequestLine {
  method: string;
  /** As it came. */
  target: string;
  version: HttpVersion;
  headers: string[];
}

export interface StatusLine {
  status: number;
  reason: string;
  version: HttpVersion;
  headers: string[];
  /** Lines that are no field. Browsers pass over them, too. */
  droppedCount: number;
}

/** A message that cannot be passed on. `status` is what its sender gets, if that is a client. */
export class MessageError extends Error {
  readonly status: 400 | 408 | 414 | 431 | 501 | 505;

  constructor(status: MessageError['status'], text: string) {
    super(text);
    this.name = 'MessageError';
    this.status = status;
  }
}

const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const token = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/;
/** What may not be in a field: RFC 9110, 5.5. */
const forbidden = /[\0\r\n]/;

/**
 * The lines of the next head, each without its line feed; null where the connection ends before one. Empty lines before it are passed over. Strict: as for a request, it ends by CR LF
 * alone. Throws MessageError.
 */
export async function readLines(
  reader: ByteReader,
  what: string,
  { isStrict = false }: { isStrict?: boolean } = {},
): Promise<string[] | null> {
  const maxBytes = isStrict ? maxHeadBytes : maxAnswerHeadBytes;
  let looked = 0;
  for (;;) {
    while (reader.bytes[0] === lineFeed || reader.bytes[0] === carriageReturn) reader.take(1);
    const length = findEnd(reader.bytes, looked);
    if (length > maxBytes || (length === -1 && reader.bytes.length > maxBytes)) {
      // RFC 9112, 3.
      const isLine = !reader.bytes.subarray(0, maxBytes).includes(lineFeed);
      throw new MessageError(isLine ? 414 : 431, `the head of ${what} is longer than ${maxBytes} bytes`);
    }
    if (length !== -1) {
      const text = reader.take(length).toString('latin1');
      if (isStrict && !text.endsWith('\r\n\r\n'))
        throw new MessageError(400, `the head of ${what} does not end with CR LF`);
      return text.split('\n').slice(0, -2);
    }
    looked = Math.max(0, reader.bytes.length - 2);
    if (await reader.fill()) continue;
    if (reader.bytes.length === 0) return null;
    throw new MessageError(400, `the connection ended in the head of ${what}`);
  }
}

/** Behind the empty line; -1 where that has not come. `from`: where to look first. */
function findEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(lineFeed, from); at !== -1; at = bytes.indexOf(lineFeed, at + 1)) {
    if (bytes[at + 1] === lineFeed) return at + 2;
    if (bytes[at + 1] === carriageReturn && bytes[at + 2] === lineFeed) return at + 3;
  }
  return -1;
}

/** Strict: what is read otherwise by another one may be two messages. Throws MessageError. */
export function parseRequestHead(lines: readonly string[]): RequestLine {
  const [first = '', ...fields] = lines.map(takeReturn);
  const parts = /^([!-~]+) ([!-~\x80-\xff]+) HTTP\/(\d)\.(\d)$/.exec(first);
  if (!parts || forbidden.test(first) || !token.test(parts[1]!))
    throw new MessageError(400, 'the first line is no request of HTTP/1.1');
  if (parts[3] !== '1') throw new MessageError(505, `HTTP/${parts[3]!}.${parts[4]!} is not spoken here`);
  const headers = fields.flatMap(parseField);
  return { method: parts[1]!, target: parts[2]!, version: parts[4] === '0' ? '1.0' : '1.1', headers };
}

/** The fields behind the body of a request. As strict. Throws MessageError. */
export function parseRequestTrailers(lines: readonly string[]): string[] {
  return lines.map(takeReturn).flatMap(parseField);
}

function takeReturn(line: string): string {
  if (!line.endsWith('\r')) throw new MessageError(400, 'a line of the request does not end with CR LF');
  return line.slice(0, -1);
}

function parseField(line: string): [name: string, value: string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  if (colon === -1 || !token.test(name) || forbidden.test(line))
    throw new MessageError(400, 'a line of the request is no header field');
  return [name, trim(line.slice(colon + 1))];
}

/** Chrome and Firefox pass over so many characters before the first line. */
const maxJunk = 4;
/** Version, status and reason. The status may be left out, or stand without a space before the reason. Radio stations say ICY. */
const statusLine = /^.{0,4}?(?:HTTP\/(\d+)(?:\.(\d+))?|ICY(?=[ \t]))(?:[ \t]+([1-9]\d{2})(?!\d)(.*))?$/i;

/** As lenient as browsers, which read what web servers send. Throws MessageError for what is no HTTP. */
export function parseAnswerHead(lines: readonly string[]): StatusLine {
  const plain = lines.map((line) => line.replace(/\r$/, '').replaceAll(/[\0\r]/g, ' '));
  const [first = '', ...rest] = plain[0]!.length > maxJunk ? plain : plain.slice(1);
  const parts = statusLine.exec(trim(first));
  if (!parts) throw new MessageError(400, 'it does not speak HTTP/1.1');
  const headers: string[] = [];
  let droppedCount = 0;
  let isField = false;
  for (const line of rest) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).trimEnd();
    if (/^[ \t]/.test(line)) {
      // A field that goes over several lines: RFC 9112, 5.2.
      if (isField) headers.push(trim(`${headers.pop()!} ${trim(line)}`));
      continue;
    }
    isField = colon !== -1 && token.test(name);
    if (isField) headers.push(name, trim(line.slice(colon + 1)));
    else droppedCount += 1;
  }
  const [, major = '0', minor, status = '200', reason = ''] = parts;
  const isOld = major === '0' || (major === '1' && minor === '0');
  return {
    status: Number(status),
    reason: trim(reason),
    version: isOld ? '1.0' : '1.1',
    headers,
    droppedCount,
  };
}

/** The fields behind the body of an answer. Lines that are none are passed over. */
export function parseAnswerTrailers(lines: readonly string[]): string[] {
  return parseAnswerHead(['HTTP/1.1 200', ...lines]).headers;
}

/** Without white space around it. A trim of the language takes more, such as a byte that is a space in Latin-1. */
function trim(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && (text[start] === ' ' || text[start] === '\t')) start += 1;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\t')) end -= 1;
  return text.slice(start, end);
}

/** A head as it is on the wire, where each character is a byte: `latin1`. */
export function formatHead(firstLine: string, headers: HeaderList): string {
  let text = `${firstLine}\r\n`;
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]!}: ${headers[at + 1]!}\r\n`;
  return `${text}\r\n`;
}

export function formatAnswerHead({
  status,
  reason,
  headers,
}: Pick<StatusLine, 'status' | 'reason'> & { headers: HeaderList }): string {
  return formatHead(`HTTP/1.1 ${status} ${reason}`, headers);
}
