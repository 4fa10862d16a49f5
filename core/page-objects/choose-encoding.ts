/** How many bytes of a document may hold its `<meta charset>`. https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding */
export const prescanBytes = 1024;

/**
 * Decoder of a document's text, as in browsers: by its byte order mark, its Content-Type, and what it says of itself. What says nothing is windows-1252, or
 * UTF-8 for XML. https://html.spec.whatwg.org/#determining-the-character-encoding, https://www.w3.org/TR/xml/#charencoding
 */
export function chooseDecoder(contentType: string, start: Uint8Array): TextDecoder {
  const isXml = isXmlType(contentType);
  const text = String.fromCharCode(...start);
  const decoder = [
    readMark(start),
    readCharset(contentType),
    isXml ? undefined : readMeta(text),
    asAscii(/^<\?xml[^>]*?encoding\s*=\s*["']([\w.:-]+)/.exec(text)?.[1]),
  ]
    .map(makeDecoder)
    .find((found) => found !== null);
  return decoder ?? new TextDecoder(isXml ? 'utf-8' : 'windows-1252');
}

/** Of a style sheet: its mark, its Content-Type, its `@charset`, else that of the document. https://drafts.csswg.org/css-syntax/#input-byte-stream */
export function decodeStyleSheet(contentType: string, bytes: Uint8Array, documentEncoding: string): string {
  const start = String.fromCharCode(...bytes.subarray(0, prescanBytes));
  const rule = /^@charset "([^"]+)";/.exec(start)?.[1];
  const decoder = [readMark(bytes), readCharset(contentType), asAscii(rule), documentEncoding]
    .map(makeDecoder)
    .find((found) => found !== null);
  return (decoder ?? new TextDecoder()).decode(bytes);
}

export function isXmlType(contentType: string): boolean {
  return /^\s*((text|application)\/xml|[\w.-]+\/[\w.+-]+\+xml)\s*(;|$)/i.test(contentType);
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

/** What is in a comment is not read. */
function readMeta(text: string): string | undefined {
  const label = /<meta[\s/][^>]*?charset\s*=[\s"']*([\w:.-]+)/i.exec(text.replaceAll(/<!--[\s\S]*?(-->|$)/g, ''))?.[1];
  return asAscii(label);
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
