/** How many bytes of a document may hold its `<meta charset>`. https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding */
export const prescanBytes = 1024;

/** Decoder of a document's text: by its byte order mark, its Content-Type, its `<meta>`, else windows-1252, as in browsers. */
export function chooseDecoder(contentType: string, start: Uint8Array): TextDecoder {
  const isMark = (...bytes: number[]) => bytes.every((byte, index) => start[index] === byte);
  const byMark = isMark(0xef, 0xbb, 0xbf)
    ? 'utf-8'
    : isMark(0xfe, 0xff)
      ? 'utf-16be'
      : isMark(0xff, 0xfe)
        ? 'utf-16le'
        : null;
  const byHeader = /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];
  const byMeta = /<meta[^>]*?charset\s*=[\s"']*([\w-]+)/i.exec(String.fromCharCode(...start))?.[1];
  return (
    [byMark, byHeader, byMeta].map(makeDecoder).find((decoder) => decoder !== null) ?? new TextDecoder('windows-1252')
  );
}

/** Null for a name that is none. */
function makeDecoder(label: string | null | undefined): TextDecoder | null {
  if (!label) return null;
  try {
    return new TextDecoder(label);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
