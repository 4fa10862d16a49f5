/** How many bytes of a document may hold its `<meta charset>`. https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding */
export const prescanBytes = 1024;

/** Decoder of a document's text: by its byte order mark, its Content-Type, its `<meta>`, else windows-1252, as in browsers. */
export function chooseDecoder(contentType: string, start: Uint8Array): TextDecoder {
  const mark = Buffer.from(start.subarray(0, 3)).toString('hex');
  const byMark =
    mark === 'efbbbf' ? 'utf-8' : mark.startsWith('feff') ? 'utf-16be' : mark.startsWith('fffe') ? 'utf-16le' : null;
  const byHeader = /charset\s*=\s*["']?([^\s;"']+)/i.exec(contentType)?.[1];
  const byMeta = /<meta[^>]*?charset\s*=[\s"']*([\w-]+)/i.exec(Buffer.from(start).toString('latin1'))?.[1];
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
