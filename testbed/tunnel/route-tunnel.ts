import { isIPv6 } from 'node:net';
import type { TcpSettings } from '#core/evaluation/network/tcp-settings.ts';
import { tunnelInterface, type Tunnel } from '#core/evaluation/network/tunnel-settings.ts';
import { nodeNetwork, userIpv6Network, userNetwork } from '../namespaces/addresses.ts';
import { runIn } from '../namespaces/run-tool.ts';
import type { TestbedNetwork } from '../namespaces/testbed-network.ts';
import { tunnelMark, type TunnelEnd } from './tunnel-end.ts';

/** The routing table of a tunnel, which is looked up before the main one. */
const table = '26721';
const priority = '30000';
/** Above that of a route by an interface: it holds when the tunnel is gone, so that nothing passes beside it. */
const lastMetric = '4000';

interface TunnelRoutes {
  /** What is behind the other end: addresses and networks. */
  behind: readonly string[];
  /** What of them is not, and is reached as without the tunnel. */
  except: readonly string[];
}

/** What the end at the origin leads into the tunnel: the users, by IPv6 too where the network has it. What belongs to the way itself goes by the way. */
export function planRoutes({
  to,
  ground,
  addresses,
}: {
  to: Tunnel['to'];
  ground: Pick<TestbedNetwork['ground'], 'address' | 'ipv6Address'>;
  /** Of all users. */
  addresses: readonly string[];
}): { behindUser: string[]; except: string[] } {
  const networks = [userNetwork, ...(ground.ipv6Address === null ? [] : [userIpv6Network])];
  return {
    behindUser: [...new Set([...networks, ...addresses])],
    except: [nodeNetwork, ...(to === 'gateway' ? [ground.address] : [])],
  };
}

/** Leads what goes to these addresses into the tunnel, but for the tunnel's own packets. Disposing takes it back. */
export async function routeTunnel(end: TunnelEnd, { behind, except }: TunnelRoutes): Promise<AsyncDisposable> {
  await using undo = new AsyncDisposableStack();
  const change = async (action: 'add' | 'delete', to: string, { kind, words }: { kind: string[]; words: string[] }) => {
    await runIn(end.enter, 'ip', versionOf(to), 'route', action, ...kind, to, ...words, 'table', table);
  };
  const lastRoutes = [
    ...except.map((to) => ({ to, kind: ['throw'], words: [] })),
    ...behind.map((to) => ({ to, kind: ['unreachable'], words: ['metric', lastMetric] })),
  ];
  for (const { to, ...route } of lastRoutes) {
    await change('add', to, route);
    undo.defer(() => change('delete', to, route));
  }
  for (const to of behind) {
    const source = isVersion6(to) ? end.ipv6Address! : end.address;
    // It goes with the interface.
    await change('add', to, {
      kind: [],
      words: ['dev', tunnelInterface, 'src', source, ...attributesOf(end.tcp ?? {})],
    });
  }
  for (const version of new Set(behind.map(versionOf))) {
    const rule = ['priority', priority, 'not', 'fwmark', `${tunnelMark}`, 'lookup', table];
    await runIn(end.enter, 'ip', version, 'rule', 'add', ...rule);
    undo.defer(async () => {
      await runIn(end.enter, 'ip', version, 'rule', 'delete', ...rule);
    });
  }
  return undo.move();
}

/** What TCP settings write into the routes by the link. */
function attributesOf({ initialWindowSegments, receiveBufferBytes }: TcpSettings): string[] {
  const attributes = { initcwnd: initialWindowSegments, initrwnd: initialWindowSegments, window: receiveBufferBytes };
  return Object.entries(attributes).flatMap(([name, value]) => (value === undefined ? [] : [name, `${value}`]));
}

function isVersion6(network: string): boolean {
  return isIPv6(network.split('/')[0]!);
}

function versionOf(network: string): '-4' | '-6' {
  return isVersion6(network) ? '-6' : '-4';
}
