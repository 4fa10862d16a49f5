/** A longer payload is read no further. */
const maximumBytes = 16 * 1024;
const decoder = new TextDecoder('latin1');
const methods = 'GET|HEAD|POST|PUT|DELETE|OPTIONS|PATCH|CONNECT|TRACE';
/** At the start of a segment, or right after the head of the request before it, as pipelined requests are. */
const requestStart = new RegExp(`(?:^|\\r\\n\\r\\n)(?:${methods}) [!-~]`, 'g');
/** The first letter of a method: most segments begin with another byte. */
const firstLetters = new Set(new TextEncoder().encode('GHPDOCT'));

/**
 * Requests of HTTP/1.x that begin in the captured payload of a segment. It begins with one, or it has none: browsers begin a request
 * with a segment. Encrypted requests and those of HTTP/2 are not seen.
 */
export function countRequests(captured: Uint8Array): number {
  if (captured.length === 0 || !firstLetters.has(captured[0]!)) return 0;
  const text = decoder.decode(captured.subarray(0, maximumBytes));
  const starts = [...text.matchAll(requestStart)];
  return starts[0]?.index === 0 ? starts.length : 0;
}
