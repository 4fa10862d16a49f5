import { BlockList, isIPv6 } from 'node:net';
import { AppError } from '#core/app-error.ts';
import {
  groundAddress,
  groundIpv6Address,
  hostNetwork,
  linkIpv6PrefixLength,
  linkPrefixLength,
  managementNetwork,
  nodeNetwork,
  remoteAddress,
  remoteIpv6Address,
} from './addresses.ts';
import { runTool } from './run-tool.ts';
import type { TestbedNetwork } from './testbed-network.ts';

/** What no user may have: the ends of the link, the nodes of a path, hosts with names, the management links, and what is never of one host on a network. */
const taken = new BlockList();
taken.addSubnet(groundAddress, linkPrefixLength);
for (const subnet of [managementNetwork, nodeNetwork, hostNetwork, '0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3']) {
  const [address, prefixLength] = subnet.split('/') as [string, string];
  taken.addSubnet(address, Number(prefixLength));
}
taken.addSubnet(groundIpv6Address, linkIpv6PrefixLength, 'ipv6');
for (const [address, prefixLength] of [
  ['::', 127],
  ['fe80::', 10],
  ['ff00::', 8],
] as const)
  taken.addSubnet(address, prefixLength, 'ipv6');

/**
 * Gives `remote` a user's address, for as long as the testbed is up: one that came or went within a Round would have every browser there
 * break off its loads (net::ERR_NETWORK_CHANGED). `ground` reaches it by way of `remote`'s own, whose hardware address it knows: nobody asks
 * across the link, which would cost the first packet a round trip. Throws `invalid-input`, before anything was changed.
 */
export async function introduceUser({ namespaces, ground, remote }: TestbedNetwork, address: string): Promise<void> {
  const isVersion6 = isIPv6(address);
  if (isVersion6 && ground.ipv6Address === null)
    throw new AppError(
      'invalid-input',
      `sourceAddress ${address}: the testbed has IPv4 only. Start it with --ipv6, or use an address in 198.19.0.0/16, such as 198.19.1.1`,
    );
  if (taken.check(address, isVersion6 ? 'ipv6' : 'ipv4'))
    throw new AppError(
      'invalid-input',
      `sourceAddress ${address}: users of the testbed cannot have it. ${isVersion6 ? 'Use an address in 2001:2:0:19::/64 from 2001:2:0:19::4 up, such as 2001:2:0:19::1:1' : 'Use an address in 198.19.0.0/16 from 198.19.0.4 up, such as 198.19.1.1'}`,
    );
  const host = `${address}/${isVersion6 ? 128 : 32}`;
  await runTool(
    'ip',
    '-n',
    namespaces.ground,
    'route',
    'replace',
    host,
    'via',
    isVersion6 ? remoteIpv6Address : remoteAddress,
    'dev',
    ground.interface,
  );
  // No packet looks for duplicates of the address, and what `remote` itself sends never comes from it.
  const quietly = isVersion6 ? ['nodad', 'preferred_lft', '0'] : [];
  await runTool('ip', '-n', namespaces.remote, 'address', 'replace', host, 'dev', remote.interface, ...quietly);
}
