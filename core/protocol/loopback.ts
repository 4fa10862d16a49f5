/** Whether a host name is of the machine itself: browsers ask no resolver for it. https://www.rfc-editor.org/rfc/rfc6761#section-6.3 */
export function isLocalhost(host: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(host);
}

/** Whether a host name, an address, or an address as a socket reports it, is of the machine itself. */
export function isLoopback(host: string): boolean {
  return isLocalhost(host) || /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^\[?::1\]?$/i.test(host);
}
