import { findHeader, listValues, withoutHeaders, type HeaderList } from '../exchange/header-list.ts';
import type { ByteReader } from './byte-reader.ts';
import {
  MessageError,
  parseAnswerTrailers,
  parseRequestTrailers,
  readLines,
  type RequestLine,
  type StatusLine,
} from './message-head.ts';

/** How it is known where a body ends: RFC 9112, 6.3. */
export type Framing =
  | { kind: 'none' }
  | { kind: 'length'; bytes: number }
  | { kind: 'chunked' }
  /** It ends with the connection. */
  | { kind: 'until-close' };

/** The line before a chunk may have extensions. Browsers read lines of 16 kB. */
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

/** Lenient as browsers: chunks count more than a length. Throws MessageError for what must not be passed on as it is. */
export function frameAnswer({ status, version, headers }: StatusLine, method: string): Framing {
  if (method === 'HEAD' || status < 200 || status === 204 || status === 304) return { kind: 'none' };
  const codings = listCodings({ version, headers });
  const others = codings.filter((each) => each !== 'chunked');
  if (codings.includes('chunked')) {
    if (others.length > 0 && codings.at(-1) !== 'chunked')
      throw new MessageError(400, `its Transfer-Encoding is ${codings.join(', ')}, whose end nobody can know`);
    return { kind: 'chunked' };
  }
  if (others.length > 0) return { kind: 'until-close' };
  const lengths = listValues(headers, 'content-length');
  const bytes = readLength(lengths);
  if (bytes === 'invalid' && new Set(lengths).size > 1)
    throw new MessageError(400, `it states several lengths: ${lengths.join(', ')}`);
  return typeof bytes === 'number' ? { kind: 'length', bytes } : { kind: 'until-close' };
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

/** Digits alone, and not more than a number holds. */
function isNumber(text: string): boolean {
  return /^\d{1,15}$/.test(text);
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
  readonly #reader: ByteReader;
  readonly #framing: Framing;
  readonly #isStrict: boolean;

  constructor(reader: ByteReader, { framing, isStrict }: { framing: Framing; isStrict: boolean }) {
    this.#reader = reader;
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
          if (this.#reader.bytes.length > 0) yield this.#reader.take(this.#reader.bytes.length);
          else if (!(await this.#reader.fill())) return;
        }
    }
  }

  async *#readLength(length: number): AsyncGenerator<Buffer> {
    for (let left = length; left > 0;) {
      if (this.#reader.bytes.length === 0) await this.#fill();
      const bytes = this.#reader.take(left);
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
    await this.#readTrailers();
  }

  async #readTrailers(): Promise<void> {
    // An empty line at once: there are none.
    while (this.#reader.bytes.length < 2 && this.#reader.bytes[0] !== lineFeed) await this.#fill();
    const start = this.#reader.bytes.toString('latin1', 0, 2);
    if (this.#isStrict && /^(\n|\r[^\n])/.test(start)) throw new MessageError(400, 'the body does not end with CR LF');
    const end = start.startsWith('\n') ? 1 : start === '\r\n' ? 2 : 0;
    this.#reader.take(end);
    if (end > 0) return;
    const lines = await readLines(this.#reader, 'the fields behind a body', { isStrict: this.#isStrict });
    if (lines === null) throw new MessageError(400, 'the body broke off');
    this.trailers = (this.#isStrict ? parseRequestTrailers : parseAnswerTrailers)(lines);
  }

  /** Without what ends it. */
  async #readLine(): Promise<string> {
    for (;;) {
      const at = this.#reader.bytes.indexOf(lineFeed);
      if (at > maxChunkLineBytes || (at === -1 && this.#reader.bytes.length > maxChunkLineBytes))
        throw new MessageError(400, 'the line of a chunk is too long');
      if (at === -1) {
        await this.#fill();
        continue;
      }
      const line = this.#reader.take(at + 1).toString('latin1', 0, at);
      if (line.endsWith('\r')) return line.slice(0, -1);
      if (this.#isStrict) throw new MessageError(400, 'the line of a chunk does not end with CR LF');
      return line;
    }
  }

  async #fill(): Promise<void> {
    if (!(await this.#reader.fill())) throw new MessageError(400, 'the body broke off');
  }
}
