/** Whether a host name, an address, or an address as a socket reports it, is of the machine itself. */
export function isLoopback(host: string): boolean {
  return /^(?:::ffff:)?127\.|^\[?::1\]?$|^(?:.+\.)?localhost\.?$/i.test(host);
}
