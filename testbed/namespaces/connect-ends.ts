import {
  dnsAddress,
  groundAddress,
  linkPrefixLength,
  macAddresses,
  nodeNetwork,
  remoteAddress,
  userMacAddresses,
  userNetwork,
  hostNetwork,
  hostsAddress,
} from './addresses.ts';
import { addPair, type Interface, knowNeighbour, linkInterface, writeSettings } from './connect-nodes.ts';
import type { Place, HostsPlace } from './namespace-name.ts';
import { runTool } from './run-tool.ts';

/** The interfaces in `satellite` that lead to the ends. */
export const satelliteInterfaces = { ground: 'ground0', remote: 'remote0' } as const;

/** What lets the address of the server of DNS be in a place, and not beyond it. */
export const localDnsRoute = ['local', `${dnsAddress}/32`, 'dev', 'lo'] as const;

/** A namespace without a packet of its own. */
export async function addNamespace(name: string): Promise<void> {
  await runTool('ip', 'netns', 'add', name);
  await writeSettings(name, {
    // No neighbour discovery and no routers' packets on a link that is measured, also where its ends get IPv6.
    'net/ipv6/conf/all/disable_ipv6': 1,
    'net/ipv6/conf/default/disable_ipv6': 1,
    // What a tunnel sends comes by another interface than an answer to its sender would leave by.
    'net/ipv4/conf/all/rp_filter': 0,
    'net/ipv4/conf/default/rp_filter': 0,
    // No connection begins with what an earlier one learned, such as its slow-start threshold.
    'net/ipv4/tcp_no_metrics_save': 1,
    // Each question for a name that nobody answers fails at once, however many there are.
    'net/ipv4/icmp_ratelimit': 0,
  });
  await runTool('ip', '-n', name, 'link', 'set', 'lo', 'up');
}

/** Gives both ends of the link their interface, and the address of the other. */
export async function connectEnds(namespaces: Record<Place, string>): Promise<void> {
  for (const [place, other] of [
    ['ground', 'remote'],
    ['remote', 'ground'],
  ] as const) {
    const inner = { namespace: namespaces[place], name: linkInterface, mac: macAddresses[place] };
    await addPair(inner, { namespace: namespaces.satellite, name: satelliteInterfaces[place] });
    const [address, otherAddress] =
      place === 'ground' ? [groundAddress, remoteAddress] : [remoteAddress, groundAddress];
    await runTool('ip', '-n', inner.namespace, 'address', 'add', `${address}/${linkPrefixLength}`, 'dev', inner.name);
    await knowNeighbour(inner, { address: otherAddress, mac: macAddresses[other] });
  }
  await runTool('ip', '-n', namespaces.ground, 'route', 'add', userNetwork, 'via', remoteAddress);
  await runTool('ip', '-n', namespaces.remote, 'route', 'add', nodeNetwork, 'via', groundAddress);
  // Without hosts, questions for names cross no link, and are refused at either end.
  for (const end of [namespaces.remote, namespaces.ground])
    await runTool('ip', '-n', end, 'route', 'add', ...localDnsRoute);
}

/** Connects the namespace of one user with `remote`, which hands on what passes between it and the link. `ground` reaches all users by way of `remote`. */
export async function connectUser(
  { place, number, namespace, address }: { place: string; number: number; namespace: string; address: string },
  remote: string,
): Promise<void> {
  const macs = userMacAddresses(number);
  await writeSettings(remote, { 'net/ipv4/ip_forward': 1 });
  await addPair(
    { namespace, name: linkInterface, mac: macs.user },
    { namespace: remote, name: place, mac: macs.remote },
  );
  await runTool('ip', '-n', namespace, 'address', 'add', address, 'peer', remoteAddress, 'dev', linkInterface);
  await runTool('ip', '-n', namespace, 'route', 'add', userNetwork, 'via', remoteAddress);
  await runTool('ip', '-n', remote, 'route', 'add', `${address}/32`, 'dev', place, 'src', remoteAddress);
}

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
    await addPair(inner, { namespace: satellite, name: outer });
  }
  await writeSettings(ground, { 'net/ipv4/ip_forward': 1 });
  await knowNeighbour(inGround, { address: hostsAddress, mac: inHosts.mac });
  await knowNeighbour(inHosts, { address: groundAddress, mac: inGround.mac });
  await runTool('ip', '-n', ground, 'route', 'delete', ...localDnsRoute);
  await addRoute(inGround, hostNetwork, 'via', hostsAddress, 'onlink', 'src', groundAddress);
  await runTool('ip', '-n', hosts, 'route', 'add', 'local', hostNetwork, 'dev', 'lo');
  await addRoute(inHosts, 'default', 'via', groundAddress, 'onlink', 'src', hostsAddress);
}

async function addRoute({ namespace, name }: Interface, ...words: string[]): Promise<void> {
  await runTool('ip', '-n', namespace, 'route', 'add', ...words, 'dev', name);
}
