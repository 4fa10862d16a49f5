import type { Network } from '#core/evaluation/network/network.ts';
import type { Tunnel } from '#core/evaluation/network/tunnel.ts';
import { nodeAddresses } from '../namespaces/addresses.ts';
import { nodeInterfaces } from '../namespaces/connect-nodes.ts';
import type { NodePlace } from '../namespaces/namespace-name.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { openOpenvpn } from './open-openvpn.ts';
import { openWireguard } from './open-wireguard.ts';
import { TestbedTunnel } from './testbed-tunnel.ts';
import type { TunnelEnd } from './tunnel-end.ts';

/**
 * Opens a tunnel, with keys of its own that are in no file, and exchanges them. Nothing passes it before `carry`. Only while the link is quick: over a satellite, the exchange
 * alone takes seconds. The nodes of the path must be there. Throws `testbed-refused` where its programs are missing, and `testbed-failed`.
 */
export async function openTunnel(
  network: TestbedNetwork,
  { tunnel, tcp }: { tunnel: Tunnel; tcp: Network['tcp'] },
): Promise<TestbedTunnel> {
  const ends = {
    origin: tunnel.to === 'gateway' ? nodeEnd(network, 'gateway') : hostEnd(network, { place: 'ground', tcp }),
    user: tunnel.from === 'terminal' ? nodeEnd(network, 'terminal') : hostEnd(network, { place: 'remote', tcp }),
  };
  const device = await (tunnel.kind === 'wireguard' ? openWireguard : openOpenvpn)(ends);
  return new TestbedTunnel({ tunnel, device, ends, network });
}

function hostEnd(
  network: TestbedNetwork,
  { place, tcp }: { place: 'ground' | 'remote'; tcp: Network['tcp'] },
): TunnelEnd {
  const enter = network.enter(place);
  return { ...network[place], namespace: network.namespaces[place], enter, tcp: tcp[place] ?? {} };
}

/** Both nodes have their address on the satellite segment, towards each other. */
function nodeEnd(network: TestbedNetwork, place: NodePlace): TunnelEnd {
  return {
    namespace: network.nodeNamespaces[place],
    enter: network.enter(place),
    address: nodeAddresses[place],
    ipv6Address: null,
    interface: nodeInterfaces.satellite,
    tcp: null,
  };
}
