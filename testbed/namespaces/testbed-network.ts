import { groundAddress, linkPrefixLength, macAddresses, remoteAddress, userNetwork } from './addresses.ts';
import { connectManagement, type ManagementLink } from './connect-management.ts';
import { formatNamespace, places, type Place } from './namespace-name.ts';
import { enterNamespace, removeNamespace } from './network-namespaces.ts';
import { readOwnProcess } from './owner.ts';
import { refuseUnprivileged } from './refuse-unprivileged.ts';
import { removeLeftovers } from './remove-leftovers.ts';
import { requireTools } from './require-tools.ts';
import { runTool } from './run-tool.ts';
import { writeSettings } from './write-settings.ts';

/** One end of the emulated link. */
export interface LinkEnd {
  /** On the emulated link. */
  address: string;
  /** The interface of that address. */
  interface: string;
  management: ManagementLink;
}

/** Three namespaces: `ground — satellite — remote`. Nothing crosses `satellite` until a link is opened there. */
export interface TestbedNetwork extends AsyncDisposable {
  namespaces: Readonly<Record<Place, string>>;
  ground: LinkEnd;
  remote: LinkEnd;
  /** The words before a command that let it run in that place, as the same process. */
  enter(place: Place): [string, ...string[]];
}

/** The interface of both ends, and those in `satellite` that lead to them. */
export const linkInterface = 'link0';
export const satelliteInterfaces = { ground: 'ground0', remote: 'remote0' } as const;

/** Distinguishes the testbeds of one process. */
let lastSerial = 0;

/**
 * Makes the namespaces and all interfaces, after removing what killed testbeds have left. Disposing of it ends every process in
 * them and removes all. Throws `testbed-refused`, before anything was changed, where the machine cannot have a testbed.
 */
export async function openTestbedNetwork(): Promise<TestbedNetwork> {
  requireTools(process.env.PATH ?? '');
  await refuseUnprivileged();
  await removeLeftovers();

  const owner = readOwnProcess();
  lastSerial += 1;
  const name = (place: Place) => formatNamespace({ owner, serial: lastSerial, place });
  const namespaces = { ground: name('ground'), satellite: name('satellite'), remote: name('remote') };
  const remove = async () => {
    for (const place of places) await removeNamespace(namespaces[place]);
  };
  try {
    for (const place of places) await addNamespace(namespaces[place]);
    await connect(namespaces);
    const management = await connectManagement(namespaces);
    return {
      namespaces,
      ground: { address: groundAddress, interface: linkInterface, management: management.ground },
      remote: { address: remoteAddress, interface: linkInterface, management: management.remote },
      enter: (place) => enterNamespace(namespaces[place]),
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function addNamespace(name: string): Promise<void> {
  await runTool('ip', 'netns', 'add', name);
  await writeSettings(name, {
    // No neighbour discovery and no routers' packets on a link that is measured.
    'net/ipv6/conf/all/disable_ipv6': 1,
    'net/ipv6/conf/default/disable_ipv6': 1,
    // No connection begins with what an earlier one learned, such as its slow-start threshold.
    'net/ipv4/tcp_no_metrics_save': 1,
  });
  await runTool('ip', '-n', name, 'link', 'set', 'lo', 'up');
}

async function connect(namespaces: Record<Place, string>): Promise<void> {
  for (const [place, other] of [['ground', 'remote'], ['remote', 'ground']] as const) {
    const inner = { namespace: namespaces[place], name: linkInterface };
    const outer = { namespace: namespaces.satellite, name: satelliteInterfaces[place] };
    await runTool('ip', 'link', 'add', inner.name, 'address', macAddresses[place], 'netns', inner.namespace, 'type', 'veth', 'peer', 'name', outer.name, 'netns', outer.namespace);
    for (const end of [inner, outer]) await bringUp(end);

    const [address, otherAddress] = place === 'ground' ? [groundAddress, remoteAddress] : [remoteAddress, groundAddress];
    await runTool('ip', '-n', inner.namespace, 'address', 'add', `${address}/${linkPrefixLength}`, 'dev', inner.name);
    // Nobody asks for an address across the link: that would cost the first packet a round trip.
    await runTool('ip', '-n', inner.namespace, 'neighbour', 'replace', otherAddress, 'lladdr', macAddresses[other], 'dev', inner.name, 'nud', 'permanent');
  }
  await runTool('ip', '-n', namespaces.ground, 'route', 'add', userNetwork, 'via', remoteAddress);
}

/** Without offloads, so that what passes are packets as on a wire, each with its checksum, and not heaps of them. */
export async function bringUp({ namespace, name }: { namespace: string; name: string }): Promise<void> {
  await runTool(...enterNamespace(namespace), 'ethtool', '-K', name, 'tso', 'off', 'gso', 'off', 'gro', 'off', 'tx', 'off', 'rx', 'off', 'sg', 'off');
  await runTool('ip', '-n', namespace, 'link', 'set', name, 'up');
}
