import { Tokenizer, TokenizerMode, type Token } from 'parse5';

/** How many bytes of a document may hold its `<meta charset>` wherever. https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding */
const prescanBytes = 1024;
/** What says nothing of its encoding, in browsers that are set to western languages. */
const usualEncoding = 'windows-1252';

/**
 * Finds the encoding of a document while its first bytes come, as in browsers: by its byte order mark, its Content-Type, and what it says of itself. What says
 * nothing is UTF-8 for XML, else as its parent, or windows-1252.
 * https://html.spec.whatwg.org/#determining-the-character-encoding, https://www.w3.org/TR/xml/#charencoding
 */
export class EncodingSearch {
  readonly #isXml: boolean;
  readonly #ofAnswer: TextDecoder | null;
  readonly #parentEncoding: string | undefined;
  readonly #meta = new MetaSearch();
  #start: Uint8Array = new Uint8Array();

  /** `parentEncoding`: of the document around it, if that has the same origin. */
  constructor(contentType: string, parentEncoding?: string) {
    this.#isXml = isXmlType(contentType);
    this.#ofAnswer = makeDecoder(readCharset(contentType));
    this.#parentEncoding = asAscii(parentEncoding) === parentEncoding ? parentEncoding : undefined;
  }

  /** Null while what is still to come may show it. */
  add(chunk: Uint8Array): TextDecoder | null {
    if (this.#start.length < prescanBytes) this.#start = joinBytes([this.#start, chunk.subarray(0, prescanBytes)]);
    if (!this.#isXml && !this.#ofAnswer) this.#meta.write(chunk);
    if (this.#start.length < 3) return null;
    const stated = makeDecoder(readMark(this.#start)) ?? this.#ofAnswer;
    if (stated) return stated;
    const isKnown = this.#isXml ? this.#start.length >= prescanBytes : this.#meta.isOver;
    return isKnown ? this.end() : null;
  }

  /** Where nothing more comes. */
  end(): TextDecoder {
    const declared = asAscii(/^<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(asLatin(this.#start))?.[1]);
    const decoder = makeDecoder(readMark(this.#start)) ?? this.#ofAnswer ?? this.#meta.decoder ?? makeDecoder(declared);
    if (decoder) return decoder;
    return new TextDecoder(this.#isXml ? 'utf-8' : (this.#parentEncoding ?? usualEncoding));
  }
}

/** Elements of a head, in which more of it may follow. https://source.chromium.org/chromium/chromium/src/+/main:third_party/blink/renderer/core/html/parser/html_meta_charset_parser.cc */
const headTags = new Set(['html', 'head', 'script', 'noscript', 'style', 'link', 'meta', 'object', 'title', 'base']);
const modes = new Map([
  ...['title', 'textarea'].map((name) => [name, TokenizerMode.RCDATA] as const),
  ...['style', 'noscript', 'iframe', 'noframes', 'xmp', 'noembed'].map(
    (name) => [name, TokenizerMode.RAWTEXT] as const,
  ),
  ['script', TokenizerMode.SCRIPT_DATA],
]);

/** Looks for a `<meta charset>`, as Chrome: wherever it is in the first bytes, and behind them within the head. */
class MetaSearch {
  decoder: TextDecoder | null = null;
  isOver = false;
  #isInHead = true;
  readonly #tokenizer: Tokenizer;

  constructor() {
    const ignore = () => undefined;
    this.#tokenizer = new Tokenizer(
      { sourceCodeLocationInfo: true },
      {
        onStartTag: (tag) => this.#noteTag(tag, true),
        onEndTag: (tag) => this.#noteTag(tag, false),
        onComment: ignore,
        onDoctype: ignore,
        onEof: ignore,
        onCharacter: ignore,
        onNullCharacter: ignore,
        onWhitespaceCharacter: ignore,
      },
    );
  }

  write(chunk: Uint8Array): void {
    if (!this.isOver) this.#tokenizer.write(asLatin(chunk), false);
  }

  #noteTag({ tagName, attrs, location }: Token.TagToken, isStart: boolean): void {
    if (isStart) this.#tokenizer.state = modes.get(tagName) ?? this.#tokenizer.state;
    const isPast = (offset: number) => !this.#isInHead && offset >= prescanBytes;
    this.isOver = isPast(location!.startOffset);
    if (isStart && tagName === 'meta' && !this.isOver) this.decoder = makeDecoder(asAscii(readMeta(attrs)));
    if (!headTags.has(tagName) || (!isStart && (tagName === 'html' || tagName === 'head'))) this.#isInHead = false;
    this.isOver ||= this.decoder !== null || isPast(location!.endOffset);
    if (this.isOver) this.#tokenizer.pause();
  }
}

/** What a `meta` element says of the encoding. https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding */
function readMeta(attributes: readonly Token.Attribute[]): string | undefined {
  const valueOf = (wanted: string) => attributes.find(({ name }) => name === wanted)?.value;
  const charset = valueOf('charset')?.trim();
  if (charset) return charset;
  if (valueOf('http-equiv')?.toLowerCase() !== 'content-type') return undefined;
  const [, double, single, bare] =
    /charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(valueOf('content') ?? '') ?? [];
  return double ?? single ?? bare;
}

/** Of a style sheet: its mark, its Content-Type, its `@charset`, else that of the document. https://drafts.csswg.org/css-syntax/#input-byte-stream */
export function decodeStyleSheet(contentType: string, bytes: Uint8Array, documentEncoding: string): string {
  const rule = /^@charset "([^"]+)";/.exec(asLatin(bytes.subarray(0, prescanBytes)))?.[1];
  const decoder = [readMark(bytes), readCharset(contentType), asAscii(rule), documentEncoding]
    .map(makeDecoder)
    .find((found) => found !== null);
  return (decoder ?? new TextDecoder()).decode(bytes);
}

export function isXmlType(contentType: string): boolean {
  return /^\s*((text|application)\/xml|[\w.-]+\/[\w.+-]+\+xml)\s*(;|$)/i.test(contentType);
}

export function joinBytes(chunks: readonly Uint8Array[]): Uint8Array {
  const joined = new Uint8Array(chunks.reduce((length, chunk) => length + chunk.length, 0));
  let place = 0;
  for (const chunk of chunks) {
    joined.set(chunk, place);
    place += chunk.length;
  }
  return joined;
}

/** Byte by byte: what is ASCII stays so. */
function asLatin(bytes: Uint8Array): string {
  return new TextDecoder('windows-1252').decode(bytes);
}

function readMark(start: Uint8Array): string | null {
  const isMark = (...bytes: number[]) => bytes.every((byte, index) => start[index] === byte);
  if (isMark(0xef, 0xbb, 0xbf)) return 'utf-8';
  if (isMark(0xfe, 0xff)) return 'utf-16be';
  return isMark(0xff, 0xfe) ? 'utf-16le' : null;
}

function readCharset(contentType: string): string | undefined {
  return /;\s*charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];
}

/** What was read byte by byte cannot be in two bytes a character. */
function asAscii(label: string | undefined): string | undefined {
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

/** Null for a name that is none. */
function makeDecoder(label: string | null | undefined): TextDecoder | null {
  if (!label) return null;
  try {
    return new TextDecoder(/^x-user-defined$/i.test(label) ? 'windows-1252' : label);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
