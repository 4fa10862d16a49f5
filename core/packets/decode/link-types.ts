/** The link types that are decoded. https://www.tcpdump.org/linktypes.html */
export const linkTypes = {
  null: 0,
  ethernet: 1,
  ppp: 9,
  /** Raw IP as some systems number it in files: 12, and OpenBSD 14. */
  rawDlt: 12,
  rawOpenBsd: 14,
  raw: 101,
  loop: 108,
  linuxCooked: 113,
  ipv4: 228,
  ipv6: 229,
  linuxCookedV2: 276,
} as const;

const names = new Map<number, string>([
  [linkTypes.null, 'BSD loopback'],
  [linkTypes.ethernet, 'Ethernet'],
  [linkTypes.ppp, 'PPP'],
  [linkTypes.rawDlt, 'raw IP'],
  [linkTypes.rawOpenBsd, 'raw IP'],
  [linkTypes.raw, 'raw IP'],
  [linkTypes.loop, 'OpenBSD loopback'],
  [linkTypes.linuxCooked, 'Linux cooked v1'],
  [linkTypes.ipv4, 'raw IPv4'],
  [linkTypes.ipv6, 'raw IPv6'],
  [linkTypes.linuxCookedV2, 'Linux cooked v2'],
]);

export function isDecoded(linkType: number): boolean {
  return names.has(linkType);
}

export function nameLinkType(linkType: number): string {
  return names.get(linkType) ?? `link type ${linkType}`;
}
