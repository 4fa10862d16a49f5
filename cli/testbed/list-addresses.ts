import type { LinkEnd } from '#testbed/namespaces/testbed-network.ts';

/** The addresses of an end of the link, or of a user, in a line. */
export function listAddresses({ address, ipv6Address }: LinkEnd): string {
  return ipv6Address === null ? address : `${address}, ${ipv6Address}`;
}
