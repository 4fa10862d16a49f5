import { groundAddress, hostNetwork, macAddresses, nodeAddresses, remoteAddress } from './addresses.ts';
import type { NodePlace } from './namespace-name.ts';
import { runTool } from './run-tool.ts';
import { enterNamespace } from './network-namespaces.ts';

/** The interface by which both ends, and users, send into the link. */
export const linkInterface = 'link0';

const script = `while [ $# -gt 0 ]; do
  if [ -e "/proc/sys/$1" ]; then printf '%s' "$2" >"/proc/sys/$1"; fi
  shift 2
done`;

/** In the nodes of a path, by which they send into each segment. */
export const nodeInterfaces = { access: 'access0', satellite: 'satellite0', terrestrial: 'terrestrial0' } as const;

/** In `satellite`, the interfaces that lead to both sides of each node. */
export const nodeSides = {
  gateway: { ground: 'gateway-t', remote: 'gateway-s' },
  terminal: { ground: 'terminal-s', remote: 'terminal-a' },
} as const;

/** In each node, its interface towards `ground`, the one towards `remote`, and the node or end that it hands packets on to by each. */
const neighbours = {
  gateway: {
    ground: { name: nodeInterfaces.terrestrial, address: groundAddress },
    remote: { name: nodeInterfaces.satellite, address: nodeAddresses.terminal },
  },
  terminal: {
    ground: { name: nodeInterfaces.satellite, address: nodeAddresses.gateway },
    remote: { name: nodeInterfaces.access, address: remoteAddress },
  },
} as const;

/**
 * Connects a node of a path with `satellite`. On its side towards `ground` it has the hardware address of `remote`, and the other way round: so each end finds at its neighbour's address
 * what comes next, the other end or a node, and need not be changed for a path. All addresses but those of `ground`, the gateway and hosts are towards `remote`, as any may be a user's.
 */
export async function connectNode(place: NodePlace, namespaces: Record<NodePlace | 'satellite', string>) {
  const namespace = namespaces[place];
  await writeSettings(namespace, {
    'net/ipv4/ip_forward': 1,
    // What a proxy sends with the address of a user or an origin comes from where that one is not.
    'net/ipv4/conf/all/rp_filter': 0,
    'net/ipv4/conf/default/rp_filter': 0,
  });
  for (const [side, opposite] of [
    ['ground', 'remote'],
    ['remote', 'ground'],
  ] as const) {
    const { name, address } = neighbours[place][side];
    const outer = { namespace: namespaces.satellite, name: nodeSides[place][side] };
    await addPair({ namespace, name, mac: macAddresses[opposite] }, outer);
    await knowNeighbour({ namespace, name }, { address, mac: macAddresses[side] });
  }
  const own = nodeAddresses[place];
  const { ground, remote } = neighbours[place];
  await runTool('ip', '-n', namespace, 'address', 'add', `${own}/32`, 'dev', nodeInterfaces.satellite);
  for (const target of new Set([`${groundAddress}/32`, `${ground.address}/32`, hostNetwork])) {
    const hop = target === `${ground.address}/32` ? [] : ['via', ground.address, 'onlink'];
    await runTool('ip', '-n', namespace, 'route', 'add', target, ...hop, 'dev', ground.name, 'src', own);
  }
  const users = ['default', 'via', remote.address, 'dev', remote.name, 'onlink', 'src', own] as const;
  await runTool('ip', '-n', namespace, 'route', 'add', ...users);
}

export interface Interface {
  namespace: string;
  name: string;
}

/** A pair of interfaces between two namespaces. */
export async function addPair(inner: Interface & { mac: string }, outer: Interface & { mac?: string }): Promise<void> {
  const own = outer.mac === undefined ? [] : ['address', outer.mac];
  const peer = ['type', 'veth', 'peer', 'name', outer.name, ...own, 'netns', outer.namespace] as const;
  await runTool('ip', 'link', 'add', inner.name, 'address', inner.mac, 'netns', inner.namespace, ...peer);
  for (const end of [inner, outer]) await bringUp(end);
}

/** Nobody asks for an address across the link: that would cost the first packet a round trip. */
export async function knowNeighbour(
  { namespace, name }: Interface,
  { address, mac }: { address: string; mac: string },
): Promise<void> {
  const known = [address, 'lladdr', mac, 'dev', name, 'nud', 'permanent'] as const;
  await runTool('ip', '-n', namespace, 'neighbour', 'replace', ...known);
}

/** Writes kernel settings (sysctl) of a namespace. Those that this kernel does not have, such as IPv6's, are left out. */
export async function writeSettings(namespace: string, settings: Record<string, number | string>): Promise<void> {
  const args = Object.entries(settings).flatMap(([name, value]) => [name, String(value)]);
  await runTool(...enterNamespace(namespace), 'sh', '-ec', script, 'sh', ...args);
}

/** Without offloads, so that what passes are packets as on a wire, each with its checksum, and not heaps of them. */
export async function bringUp({ namespace, name }: Interface): Promise<void> {
  const offloads = ['tso', 'gso', 'gro', 'tx', 'rx', 'sg'].flatMap((each) => [each, 'off']);
  await runTool(...enterNamespace(namespace), 'ethtool', '-K', name, ...offloads);
  await runTool('ip', '-n', namespace, 'link', 'set', name, 'up');
}
