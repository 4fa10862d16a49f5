/** The WebSocket subprotocol of the line between Agent and Controller. */
export const lineSubprotocol = 'http-ae-agent';
const tokenPrefix = 'http-ae-token.';
const maximumTokenCharacters = 256;

/**
 * The subprotocols that an Agent offers when it connects. One of them carries its token: a browser can set no other header of a WebSocket, and a URL would
 * be logged. The Controller answers with the first.
 */
export function offerToken(token: string): string[] {
  // https://www.rfc-editor.org/rfc/rfc9110#section-5.6.2: a subprotocol is a token, which has no brackets.
  const encoded = encodeURIComponent(token.toWellFormed()).replace(/[()]/g, (bracket) =>
    bracket === '(' ? '%28' : '%29',
  );
  return [lineSubprotocol, tokenPrefix + encoded];
}

/** The token that `Sec-WebSocket-Protocol` carries; null when it carries none. */
export function readOfferedToken(header: string | undefined): string | null {
  const offered = (header ?? '').split(',').map((each) => each.trim());
  const encoded = offered.find((each) => each.startsWith(tokenPrefix))?.slice(tokenPrefix.length);
  if (encoded === undefined || encoded.length > maximumTokenCharacters * 9) return null;
  try {
    const token = decodeURIComponent(encoded);
    return token.length > maximumTokenCharacters ? null : token;
  } catch (error) {
    if (error instanceof URIError) return null;
    throw error;
  }
}

/** Where the Agents of a Controller connect to: `/agent` below its address, by WebSocket. Throws a TypeError when the address is none. */
export function agentEndpoint(controllerUrl: string): URL {
  const url = new URL('agent', controllerUrl.endsWith('/') ? controllerUrl : `${controllerUrl}/`);
  url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
  return url;
}
