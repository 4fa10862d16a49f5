import { BlockList, isIPv4 } from 'node:net';
import { AppError } from '#core/app-error.ts';
import { linkPrefixLength, groundAddress, managementNetwork, remoteAddress } from './addresses.ts';
import { runTool } from './run-tool.ts';
import type { TestbedNetwork } from './testbed-network.ts';

/** What no user may have: the ends of the link, the management links, and what is never of one host on a network. */
const taken = new BlockList();
taken.addSubnet(groundAddress, linkPrefixLength);
for (const subnet of [managementNetwork, '0.0.0.0/8', '127.0.0.0/8', '224.0.0.0/3']) {
  const [address, prefixLength] = subnet.split('/') as [string, string];
  taken.addSubnet(address, Number(prefixLength));
}

/**
 * Gives `remote` a user's address, for as long as the testbed is up: one that came or went within a Round would have every browser there
 * break off its loads (net::ERR_NETWORK_CHANGED). `ground` reaches it by way of `remote`'s own, whose hardware address it knows: nobody asks
 * across the link, which would cost the first packet a round trip. Throws `invalid-input`, before anything was changed.
 */
export async function introduceUser({ namespaces, ground, remote }: TestbedNetwork, address: string): Promise<void> {
  if (!isIPv4(address))
    throw new AppError(
      'invalid-input',
      `sourceAddress ${address}: the testbed has IPv4 only. Use an address in 198.19.0.0/16, such as 198.19.1.1`,
    );
  if (taken.check(address))
    throw new AppError(
      'invalid-input',
      `sourceAddress ${address}: users of the testbed cannot have it. Use an address in 198.19.0.0/16 from 198.19.0.4 up, such as 198.19.1.1`,
    );
  await runTool(
    'ip',
    '-n',
    namespaces.ground,
    'route',
    'replace',
    `${address}/32`,
    'via',
    remoteAddress,
    'dev',
    ground.interface,
  );
  await runTool('ip', '-n', namespaces.remote, 'address', 'replace', `${address}/32`, 'dev', remote.interface);
}
