import { listValues, trimBlanks, withoutHeaders, type HeaderList } from './header-list.ts';

/** Bytes that come in order, such as those of a connection. What is not taken stays. */
export interface ByteSource {
  /** What has come and was not taken. */
  readonly bytes: Buffer;
  /** Takes up to so many bytes of those that have come. */
  take(length: number): Buffer;
  /** Waits for more. False: no more will come. Rejects with what broke the connection. */
  fill(): Promise<boolean>;
}

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
 * alone. If it may be cut off, the connection may also end within it: what came of it stays. Throws MessageError.
 */
export async function readLines(
  source: ByteSource,
  what: string,
  { isStrict = false, mayBeCut = false }: { isStrict?: boolean; mayBeCut?: boolean } = {},
): Promise<string[] | null> {
  const maxBytes = isStrict ? maxHeadBytes : maxAnswerHeadBytes;
  let looked = 0;
  let isChecked = !isStrict;
  for (;;) {
    passOverEmptyLines(source);
    const length = findEnd(source.bytes, looked);
    if (length > maxBytes || (length === -1 && source.bytes.length > maxBytes)) {
      // RFC 9112, 3.
      const isLine = !source.bytes.subarray(0, maxBytes).includes(lineFeed);
      throw new MessageError(isLine ? 414 : 431, `the head of ${what} is longer than ${maxBytes} bytes`);
    }
    if (length !== -1) {
      const text = source.take(length).toString('latin1');
      if (isStrict && !text.endsWith('\r\n\r\n'))
        throw new MessageError(400, `the head of ${what} does not end with CR LF`);
      return text.split('\n').slice(0, -2);
    }
    if (!isChecked) isChecked = checkStart(source.bytes, looked);
    looked = Math.max(0, source.bytes.length - 2);
    if (await source.fill()) continue;
    if (source.bytes.length === 0 || mayBeCut) return null;
    throw new MessageError(400, `the connection ended in the head of ${what}`);
  }
}

/** Whether the first line of a request has come. Throws for one that cannot be right: what speaks otherwise may wait for its answer. */
function checkStart(bytes: Buffer, from: number): boolean {
  if (bytes.length > 0 && !token.test(String.fromCharCode(bytes[0]!))) throw noRequest();
  const end = bytes.indexOf(lineFeed, from);
  if (end !== -1) parseRequestLine(takeReturn(bytes.toString('latin1', 0, end)));
  return end !== -1;
}

function passOverEmptyLines(source: ByteSource): void {
  let length = 0;
  while (source.bytes[length] === lineFeed || source.bytes[length] === carriageReturn) length += 1;
  if (length > 0) source.take(length);
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
  return { ...parseRequestLine(first), headers: fields.flatMap(parseField) };
}

function parseRequestLine(line: string): Omit<RequestLine, 'headers'> {
  const parts = /^([!-~]+) ([!-~\x80-\xff]+) HTTP\/(\d)\.(\d)$/.exec(line);
  if (!parts || forbidden.test(line) || !token.test(parts[1]!)) throw noRequest();
  if (parts[3] !== '1') throw new MessageError(505, `HTTP/${parts[3]!}.${parts[4]!} is not spoken here`);
  return { method: parts[1]!, target: parts[2]!, version: parts[4] === '0' ? '1.0' : '1.1' };
}

function noRequest(): MessageError {
  return new MessageError(400, 'the first line is no request of HTTP/1.1');
}

/** The fields behind the body of a request, from lines without their ends. As strict. Throws MessageError. */
export function parseRequestTrailers(lines: readonly string[]): string[] {
  return lines.flatMap(parseField);
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
  return [name, trimBlanks(line.slice(colon + 1))];
}

/** How an answer begins. Chrome and Firefox pass over up to four bytes before it. Radio stations say ICY. */
const answerStart = /^([^]{0,4}?)(?:http|icy[ \t])/i;
/** So many bytes show whether it is there. */
const answerStartBytes = 8;

/**
 * The next head of an answer; null where the connection ends before one. Browsers read one that was cut off, but not over TLS (`mayBeCut`).
 * Throws MessageError.
 */
export async function readAnswerHead(
  source: ByteSource,
  { mayBeCut }: { mayBeCut: boolean },
): Promise<StatusLine | null> {
  for (;;) {
    passOverEmptyLines(source);
    const junk = answerStart.exec(source.bytes.toString('latin1', 0, answerStartBytes));
    if (junk) {
      source.take(junk[1]!.length);
      break;
    }
    if (source.bytes.length < answerStartBytes && (await source.fill())) continue;
    if (source.bytes.length === 0) return null;
    throw new MessageError(400, 'it does not speak HTTP/1.1');
  }
  const lines = await readLines(source, 'its answer', { mayBeCut });
  if (lines !== null) return parseAnswerHead(lines);
  const line = parseAnswerHead(source.take(source.bytes.length).toString('latin1').split('\n'));
  // The body that it may name is not missed.
  return { ...line, headers: withoutHeaders(line.headers, ['content-length', 'transfer-encoding']) };
}

/** As Chrome, which does not refuse any number (`ParseStatusLine` in net/http/http_response_headers.cc). */
const maxStatus = 2 ** 31 - 1;

/** As lenient as browsers, which read what web servers send: as Chrome, where they differ. Throws MessageError for what is no HTTP. */
export function parseAnswerHead(lines: readonly string[]): StatusLine {
  const [first = '', ...rest] = lines.flatMap(endAtReturns).filter((line) => line !== '');
  if (answerStart.exec(first)?.[1] !== '') throw new MessageError(400, 'it does not speak HTTP/1.1');
  const headers: string[] = [];
  let droppedCount = 0;
  let isField = false;
  for (const line of rest) {
    const colon = line.indexOf(':');
    const name = trimBlanks(line.slice(0, colon));
    if (line.startsWith(' ') || line.startsWith('\t')) {
      // A field that goes over several lines: RFC 9112, 5.2.
      const part = trimBlanks(line);
      if (isField && part !== '') headers.push([headers.pop()!, part].filter((each) => each !== '').join(' '));
      continue;
    }
    isField = colon !== -1 && token.test(name);
    if (isField) headers.push(name, trimBlanks(line.slice(colon + 1)));
    else droppedCount += 1;
  }
  const [, major = 0, minor = 0] = /^http\/(\d)[^.]*\.(\d)/i.exec(first) ?? [];
  const isOld = Number(major) + Number(minor) / 10 < 1.1;
  return { ...parseStatus(first), version: isOld ? '1.0' : '1.1', headers, droppedCount };
}

/** CR ends a line, as in Chrome. NUL is a space. */
function endAtReturns(line: string): string | string[] {
  const plain = line.endsWith('\r') ? line.slice(0, -1) : line;
  return /[\0\r]/.test(plain) ? plain.replaceAll('\0', ' ').split('\r') : plain;
}

/** A line without a status says 200. */
function parseStatus(line: string): { status: number; reason: string } {
  const space = line.indexOf(' ');
  if (space === -1) return { status: 200, reason: 'OK' };
  const [status] = /^ *\d+/.exec(line.slice(space)) ?? [];
  if (status === undefined) return { status: 200, reason: '' };
  return { status: Math.min(Number(status), maxStatus), reason: trimBlanks(line.slice(space + status.length)) };
}

/** Whether the connection stays open behind an answer. The first word about it counts, as in Chrome. RFC 9112, 9.3. */
export function keepsOpen({ version, headers }: Pick<StatusLine, 'version' | 'headers'>): boolean {
  const word = ['connection', 'proxy-connection']
    .flatMap((name) => listValues(headers, name))
    .map((value) => value.toLowerCase())
    .find((value) => value === 'close' || value === 'keep-alive');
  return word === undefined ? version === '1.1' : word === 'keep-alive';
}

/** The fields behind the body of an answer. Lines that are none are passed over. */
export function parseAnswerTrailers(lines: readonly string[]): string[] {
  return parseAnswerHead(['HTTP/1.1 200', ...lines]).headers;
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
