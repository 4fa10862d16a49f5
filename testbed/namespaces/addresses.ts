/**
 * All addresses are of 198.18.0.0/15, which is set aside for benchmarks and routed nowhere (RFC 2544, appendix C.2.2):
 * 198.19.0.0/16 across the emulated link, 198.18.SLOT.0/24 for the management links of one testbed.
 */
export const groundAddress = '198.19.0.1';
export const remoteAddress = '198.19.0.2';
/** The two ends only: all other addresses of 198.19.0.0/16 are those of users, whom `ground` reaches by way of `remote`. */
export const linkPrefixLength = 30;
export const userNetwork = '198.19.0.0/16';

/** Of the two nodes of a path. No user can have one of these. */
export const nodeAddresses = { gateway: '198.19.255.1', terminal: '198.19.255.2' } as const;
export const nodeNetwork = '198.19.255.0/30';

/** Of hosts with names, behind `ground`, and of the servers of DNS. No user can have one of these. */
export const hostNetwork = '198.19.254.0/24';
/** What every place asks for names: the server of `hosts`, or the cache in `remote`, which asks the other one. */
export const dnsAddress = '198.19.254.253';
export const dnsUpstreamAddress = '198.19.254.252';
/** Of `hosts` itself, by which it reaches others. */
export const hostsAddress = '198.19.254.254';

/** Of the host at that place of a list, from 0. */
export function hostAddress(index: number): string {
  return `198.19.254.${index + 1}`;
}

/** The same of IPv6, where a testbed has it: 2001:2::/48 is set aside for benchmarking (RFC 5180). */
export const groundIpv6Address = '2001:2:0:19::1';
export const remoteIpv6Address = '2001:2:0:19::2';
export const linkIpv6PrefixLength = 126;
export const userIpv6Network = '2001:2:0:19::/64';

/** The same in every testbed, as they never meet. `02` marks an address that no manufacturer gave. */
export const macAddresses = {
  ground: '02:68:61:65:00:01',
  remote: '02:68:61:65:00:02',
  /** Of `ground` towards `hosts`, and of `hosts`. */
  groundToHosts: '02:68:61:65:00:03',
  hosts: '02:68:61:65:00:04',
} as const;

/** Of a user that has a namespace of its own, counted from 1. */
export function userAddress(number: number): string {
  return `198.19.1.${number}`;
}

export function userIpv6Address(number: number): string {
  return `2001:2:0:19::1:${number.toString(16)}`;
}

/** Of both ends of the interface pair between a user's namespace and `remote`. */
export function userMacAddresses(number: number): { user: string; remote: string } {
  const last = number.toString(16).padStart(2, '0');
  return { user: `02:68:61:65:01:${last}`, remote: `02:68:61:65:02:${last}` };
}

/** As many as have room for their management links. */
export const maximumUserCount = 60;

/** Both ends of the management link of the place of that number in its testbed, counted from 0. */
export function managementAddresses(slot: number, index: number): { inside: string; outside: string } {
  const base = 4 * index;
  return { outside: `198.18.${slot}.${base + 1}`, inside: `198.18.${slot}.${base + 2}` };
}

export const managementPrefixLength = 30;
export const managementNetwork = '198.18.0.0/16';
/** As many testbeds as one machine can have at a time. */
export const slotCount = 256;
