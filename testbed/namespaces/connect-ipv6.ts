import { existsSync } from 'node:fs';
import { AppError } from '#core/app-error.ts';
import {
  groundIpv6Address,
  linkIpv6PrefixLength,
  macAddresses,
  remoteIpv6Address,
  userIpv6Network,
  userMacAddresses,
} from './addresses.ts';
import type { Place } from './namespace-name.ts';
import { runTool } from './run-tool.ts';
import { knowNeighbour, linkInterface, writeSettings } from './connect-nodes.ts';

/** Throws `testbed-refused`, before anything was changed, where the kernel has no IPv6. */
export function refuseWithoutIpv6(): void {
  if (existsSync('/proc/sys/net/ipv6')) return;
  throw new AppError('testbed-refused', 'This kernel has no IPv6: start the testbed without --ipv6');
}

/** Gives both ends of the link their IPv6 addresses, and `ground` its way to the users. */
export async function connectIpv6(namespaces: Record<Place, string>): Promise<void> {
  for (const [place, other] of [
    ['ground', 'remote'],
    ['remote', 'ground'],
  ] as const) {
    const namespace = namespaces[place];
    const [address, otherAddress] =
      place === 'ground' ? [groundIpv6Address, remoteIpv6Address] : [remoteIpv6Address, groundIpv6Address];
    await enableIpv6(namespace, linkInterface);
    await addAddress(namespace, `${address}/${linkIpv6PrefixLength}`, 'dev', linkInterface);
    await knowNeighbour({ namespace, name: linkInterface }, { address: otherAddress, mac: macAddresses[other] });
  }
  await runTool('ip', '-n', namespaces.ground, 'route', 'add', userIpv6Network, 'via', remoteIpv6Address);
}

/** Connects the namespace of one user, which IPv4 has connected already. */
export async function connectUserIpv6(
  { place, namespace, number, ipv6Address }: { place: string; namespace: string; number: number; ipv6Address: string },
  remote: string,
): Promise<void> {
  const macs = userMacAddresses(number);
  await writeSettings(remote, { 'net/ipv6/conf/all/forwarding': 1 });
  await enableIpv6(namespace, linkInterface);
  await enableIpv6(remote, place);
  await addAddress(namespace, ipv6Address, 'peer', remoteIpv6Address, 'dev', linkInterface);
  // `remote` has its address on the link, and for IPv6 would not answer for it here.
  await knowNeighbour({ namespace, name: linkInterface }, { address: remoteIpv6Address, mac: macs.remote });
  await runTool('ip', '-n', namespace, 'route', 'add', userIpv6Network, 'via', remoteIpv6Address, 'dev', linkInterface);
  const route = [`${ipv6Address}/128`, 'dev', place, 'src', remoteIpv6Address] as const;
  await runTool('ip', '-n', remote, 'route', 'add', ...route);
  await knowNeighbour({ namespace: remote, name: place }, { address: ipv6Address, mac: macs.user });
}

/** What an interface sends of its own: no addresses of its own making, no search for routers or duplicates, and reports to routers at once, before there is a link. */
export async function enableIpv6(namespace: string, name: string): Promise<void> {
  const own = `net/ipv6/conf/${name}`;
  await writeSettings(namespace, {
    [`${own}/addr_gen_mode`]: 1,
    [`${own}/accept_ra`]: 0,
    [`${own}/router_solicitations`]: 0,
    [`${own}/dad_transmits`]: 0,
    [`${own}/mldv2_unsolicited_report_interval`]: 1,
    'net/ipv6/conf/lo/disable_ipv6': 0,
    [`${own}/disable_ipv6`]: 0,
  });
}

async function addAddress(namespace: string, ...address: string[]): Promise<void> {
  await runTool('ip', '-n', namespace, 'address', 'add', ...address, 'nodad');
}
