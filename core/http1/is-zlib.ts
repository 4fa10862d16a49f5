/**
 * Whether bytes begin as zlib does (RFC 1950, 2.2). The content coding `deflate` is zlib by the standard (RFC 9110, 8.4.1.2), and without its header from many servers: browsers take both.
 */
export function isZlib(start: Uint8Array): boolean {
  return start.length >= 2 && (start[0]! & 0x0f) === 8 && ((start[0]! << 8) | start[1]!) % 31 === 0;
}
