import { groundAddress, hostNetwork, hostsAddress, macAddresses } from './addresses.ts';
import { localDnsRoute } from './connect-ends.ts';
import { addPair, knowNeighbour, linkInterface, writeSettings } from './connect-nodes.ts';
import type { HostsPlace, Place } from './namespace-name.ts';
import { runTool } from './run-tool.ts';

/** The interface of `ground` towards `hosts`. */
const groundInterface = 'hosts0';

/** In `satellite`, the interfaces that lead to `ground` and to `hosts`: what is between them is the distance of each host. */
export const hostsInterfaces = { ground: 'hosts-g', remote: 'hosts-h' } as const;

/**
 * Connects `hosts` with `ground`, by way of `satellite`. Every address of the network of hosts is local in `hosts`, without being given to an interface: two hundred cost as much
 * as one. Nobody asks for hardware addresses: that would cost the first packet of a Round the distance twice.
 */
export async function connectHosts({ hosts, ground, satellite }: Record<Place | HostsPlace, string>): Promise<void> {
  const inGround = { namespace: ground, name: groundInterface, mac: macAddresses.groundToHosts };
  const inHosts = { namespace: hosts, name: linkInterface, mac: macAddresses.hosts };
  for (const [inner, outer] of [
    [inGround, hostsInterfaces.ground],
    [inHosts, hostsInterfaces.remote],
  ] as const) {
    await addPair(inner, satellite, outer);
  }
  await writeSettings(ground, { 'net/ipv4/ip_forward': 1 });
  await knowNeighbour(inGround, { address: hostsAddress, mac: inHosts.mac });
  await knowNeighbour(inHosts, { address: groundAddress, mac: inGround.mac });
  await runTool('ip', '-n', ground, 'route', 'delete', ...localDnsRoute);
  await addRoute(inGround, hostNetwork, 'via', hostsAddress, 'onlink', 'src', groundAddress);
  await runTool('ip', '-n', hosts, 'route', 'add', 'local', hostNetwork, 'dev', 'lo');
  await addRoute(inHosts, 'default', 'via', groundAddress, 'onlink', 'src', hostsAddress);
}

interface Interface {
  namespace: string;
  name: string;
}

async function addRoute({ namespace, name }: Interface, ...words: string[]): Promise<void> {
  await runTool('ip', '-n', namespace, 'route', 'add', ...words, 'dev', name);
}
