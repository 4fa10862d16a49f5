import { findHeader, listValues, withoutHeaders, type HeaderList } from './header-list.ts';
import {
  maxHeadBytes,
  MessageError,
  parseAnswerTrailers,
  parseRequestTrailers,
  type RequestLine,
  type StatusLine,
  type ByteSource,
} from './message-head.ts';

/** How it is known where a body ends: RFC 9112, 6.3. */
export type Framing =
  | { kind: 'none' }
  | { kind: 'length'; bytes: number }
  | { kind: 'chunked' }
  /** It ends with the connection. */
  | { kind: 'until-close' };

/** The line before a chunk may have extensions. Chrome reads lines of 16 KiB, those behind the body too. */
const maxChunkLineBytes = 16_384;
const lineFeed = 0x0a;

/** Strict: with two ways to read a length, one request could hide another. Throws MessageError. */
export function frameRequest({ version, headers }: Pick<RequestLine, 'version' | 'headers'>): Framing {
  const lengths = listValues(headers, 'content-length');
  const codings = listValues(headers, 'transfer-encoding');
  if (codings.length > 0) {
    if (version === '1.0') throw new MessageError(400, 'HTTP/1.0 has no Transfer-Encoding');
    if (lengths.length > 0) throw new MessageError(400, 'the request has Content-Length and Transfer-Encoding');
    if (codings.some((each) => each.toLowerCase() !== 'chunked'))
      throw new MessageError(501, `Transfer-Encoding: ${codings.join(', ')} cannot be passed on`);
    if (codings.length > 1) throw new MessageError(400, 'the request is chunked twice');
    return { kind: 'chunked' };
  }
  const bytes = readLength(lengths);
  if (bytes === 'none') return { kind: 'none' };
  if (bytes === 'invalid') throw new MessageError(400, 'Content-Length is no number, or two different ones');
  return { kind: 'length', bytes };
}

/** Of answers that have no body, though some web servers send one with 205: RFC 9110, 15.3.6. */
const withoutBody = [204, 205, 304];

/** Lenient as browsers: chunks count more than a length, and no other coding counts. Throws MessageError for two lengths. */
export function frameAnswer({ status, version, headers }: StatusLine, method: string): Framing {
  if (method === 'HEAD' || isInformational(status) || withoutBody.includes(status)) return { kind: 'none' };
  if (listCodings({ version, headers }).includes('chunked')) return { kind: 'chunked' };
  const lengths = listValues(headers, 'content-length');
  const bytes = readLength(lengths);
  if (bytes === 'invalid' && new Set(lengths).size > 1)
    throw new MessageError(400, `it states several lengths: ${lengths.join(', ')}`);
  return typeof bytes === 'number' ? { kind: 'length', bytes } : { kind: 'until-close' };
}

/** Another answer to the same request follows. */
export function isInformational(status: number): boolean {
  return status >= 100 && status < 200;
}

/** The codings of a body on its way, in lower case. HTTP/1.0 has none, and `identity` does nothing. */
export function listCodings({ version, headers }: Pick<StatusLine, 'version' | 'headers'>): string[] {
  const codings = version === '1.0' ? [] : listValues(headers, 'transfer-encoding').map((each) => each.toLowerCase());
  return codings.filter((each) => each !== '' && each !== 'identity');
}

/** The length is stated once where the body has one, or would have: in an answer to HEAD, and in 304. It is stated nowhere else. */
export function stateLength(headers: HeaderList, { kind }: Framing): string[] {
  const lengths = listValues(headers, 'content-length');
  const [length] = lengths;
  if (length === undefined) return [...headers];
  const rest = withoutHeaders(headers, ['content-length']);
  if (kind !== 'length' && (kind !== 'none' || readLength(lengths) === 'invalid')) return rest;
  return findHeader(headers, 'content-length') === length && rest.length === headers.length - 2
    ? [...headers]
    : [...rest, 'Content-Length', length];
}

function readLength(values: readonly string[]): number | 'none' | 'invalid' {
  const [first] = values;
  if (first === undefined) return 'none';
  return isNumber(first) && values.every((each) => each === first) ? Number(first) : 'invalid';
}

/** Digits alone, and not more than browsers read. */
function isNumber(text: string): boolean {
  return /^0*\d{1,18}$/.test(text);
}

/** The body of a message, as it comes. Throws MessageError for one that breaks off or cannot be read. It is read once. */
export class MessageBody implements AsyncIterable<Buffer> {
  /** Known when the body has been read. */
  trailers: string[] = [];
  isComplete = false;
  /** Something of it has come. */
  hasBegun = false;
  /** Resolves when the body has been read, or is read no more. */
  readonly read: Promise<void>;
  readonly #isRead = Promise.withResolvers<void>();
  readonly #source: ByteSource;
  readonly #framing: Framing;
  readonly #isStrict: boolean;

  constructor(source: ByteSource, { framing, isStrict }: { framing: Framing; isStrict: boolean }) {
    this.#source = source;
    this.#framing = framing;
    this.#isStrict = isStrict;
    this.read = this.#isRead.promise;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    try {
      for await (const bytes of this.#readAll()) {
        this.hasBegun = true;
        yield bytes;
      }
      this.isComplete = true;
    } finally {
      this.#isRead.resolve();
    }
  }

  async *#readAll(): AsyncGenerator<Buffer> {
    switch (this.#framing.kind) {
      case 'none':
        return;
      case 'length':
        yield* this.#readLength(this.#framing.bytes);
        return;
      case 'chunked':
        yield* this.#readChunks();
        return;
      case 'until-close':
        for (;;) {
          if (this.#source.bytes.length > 0) yield this.#source.take(this.#source.bytes.length);
          else if (!(await this.#source.fill())) return;
        }
    }
  }

  async *#readLength(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (this.#source.bytes.length === 0) await this.#fill();
      const bytes = this.#source.take(left);
      left -= bytes.length;
      if (bytes.length > 0) yield bytes;
    }
  }

  async *#readChunks(): AsyncGenerator<Buffer> {
    for (;;) {
      const line = await this.#readLine();
      const size = (this.#isStrict ? /^0*([\da-f]{1,12})[ \t]*(?:;.*)?$/i : /^\s*0*([\da-f]{1,12})(?![\da-z])/i).exec(
        line,
      );
      if (!size) throw new MessageError(400, 'a chunk of the body has no length');
      const length = Number.parseInt(size[1]!, 16);
      if (length === 0) break;
      yield* this.#readLength(length);
      if ((await this.#readLine()) !== '') throw new MessageError(400, 'a chunk of the body is longer than it says');
    }
    this.trailers = await this.#readTrailers();
  }

  async #readTrailers(): Promise<string[]> {
    const lines: string[] = [];
    let bytes = 0;
    for (let line = await this.#readLine(); line !== ''; line = await this.#readLine()) {
      bytes += line.length + 2;
      if (bytes <= maxHeadBytes) lines.push(line);
      // Chrome reads any number of them.
      else if (this.#isStrict) throw new MessageError(431, `the fields behind a body have over ${maxHeadBytes} bytes`);
    }
    return (this.#isStrict ? parseRequestTrailers : parseAnswerTrailers)(lines);
  }

  /** Without what ends it. */
  async #readLine(): Promise<string> {
    for (;;) {
      const at = this.#source.bytes.indexOf(lineFeed);
      if (at > maxChunkLineBytes || (at === -1 && this.#source.bytes.length > maxChunkLineBytes))
        throw new MessageError(400, 'the line of a chunk is too long');
      if (at === -1) {
        await this.#fill();
        continue;
      }
      const line = this.#source.take(at + 1).toString('latin1', 0, at);
      if (line.endsWith('\r')) return line.slice(0, -1);
      if (this.#isStrict) throw new MessageError(400, 'the line of a chunk does not end with CR LF');
      return line;
    }
  }

  async #fill(): Promise<void> {
    if (!(await this.#source.fill())) throw new MessageError(400, 'the body broke off');
  }
}

/**
 * Whether bytes begin as zlib does (RFC 1950, 2.2). The content coding `deflate` is zlib by the standard (RFC 9110, 8.4.1.2), and without its header from many servers: browsers take both.
 */
export function isZlib(start: Uint8Array): boolean {
  return start.length >= 2 && (start[0]! & 0x0f) === 8 && ((start[0]! << 8) | start[1]!) % 31 === 0;
}
