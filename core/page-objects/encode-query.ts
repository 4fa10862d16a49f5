/** Of each encoding that was asked for, the byte of each character that is not ASCII; null where a character may have several bytes. */
const known = new Map<string, ReadonlyMap<string, number> | null>();

/**
 * The address with its query in the encoding of the document that names it, as browsers send it: `?q=ü` of a page in windows-1252 is `?q=%FC`. In encodings of
 * several bytes, which are rare, it stays UTF-8. https://url.spec.whatwg.org/#query-state
 */
export function encodeQuery(address: string, encoding: string): string {
  const start = address.indexOf('?');
  if (start === -1 || encoding === 'utf-8' || encoding.startsWith('utf-16')) return address;
  const end = address.indexOf('#', start);
  const query = address.slice(start, end === -1 ? undefined : end);
  const bytes = bytesOf(encoding);
  // eslint-disable-next-line no-control-regex -- what is not ASCII
  if (!bytes || !/[^\u0000-\u007f]/.test(query)) return address;
  const encoded = Array.from(query, (sign) => {
    if (sign.codePointAt(0)! < 0x80) return sign;
    const byte = bytes.get(sign);
    return byte === undefined
      ? `%26%23${sign.codePointAt(0)}%3B`
      : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
  return address.slice(0, start) + encoded + (end === -1 ? '' : address.slice(end));
}

function bytesOf(encoding: string): ReadonlyMap<string, number> | null {
  const found = known.get(encoding);
  if (found !== undefined) return found;
  const isSingle = /^(windows-|iso-8859-|koi8-|macintosh|x-mac-|ibm866)/.test(encoding);
  const made = isSingle
    ? new Map(
        Array.from({ length: 128 }, (_, index) => 128 + index).map((byte) => [
          new TextDecoder(encoding).decode(Uint8Array.of(byte)),
          byte,
        ]),
      )
    : null;
  known.set(encoding, made);
  return made;
}
