import { spawn } from 'node:child_process';
import type { Socket } from 'node:net';
import path from 'node:path';
import {
  groundAddress,
  groundIpv6Address,
  nodeAddresses,
  remoteAddress,
  remoteIpv6Address,
  userAddress,
  userIpv6Address,
} from './addresses.ts';
import { addNamespace, connectEnds, connectUser, connectHosts } from './connect-ends.ts';
import { connectIpv6, connectUserIpv6, refuseWithoutIpv6 } from './connect-ipv6.ts';
import { connectManagement, type ManagementLink } from './connect-management.ts';
import { connectNode, linkInterface } from './connect-nodes.ts';
import {
  formatNamespace,
  nodePlaces,
  places,
  readOwnProcess,
  isAlive,
  type HostsPlace,
  type NodePlace,
  type Place,
  type UserPlace,
  type Owner,
} from './namespace-name.ts';
import { enterNamespace, removeNamespace, listNamespaces } from './network-namespaces.ts';
import { requireTools, refuseUnprivileged, nextSerial } from './require-tools.ts';

/** One end of the emulated link. */
export interface LinkEnd {
  /** On the emulated link. */
  address: string;
  /** The same of IPv6; null where the testbed has none. */
  ipv6Address: string | null;
  /** The interface of these addresses. */
  interface: string;
  management: ManagementLink;
}

/** A namespace of one user's own, behind `remote`: what is sent there crosses the link from this user's address, no matter which process sends it. */
export interface UserEnd extends LinkEnd {
  place: UserPlace;
  /** The words before a command that let it run there, as the same process. */
  enter: [string, ...string[]];
}

/** A node of a path that is reached without crossing it. */
export interface PathNode {
  place: NodePlace;
  address: string;
  management: ManagementLink;
  enter: [string, ...string[]];
}

/** Three namespaces: `ground — satellite — remote`, and two more once a path is used. Nothing crosses `satellite` until a link is opened there. */
export interface TestbedNetwork extends AsyncDisposable {
  namespaces: Readonly<Record<Place, string>>;
  /** Of the nodes of a path, which are there once they were required. */
  nodeNamespaces: Readonly<Record<NodePlace, string>>;
  ground: LinkEnd;
  remote: LinkEnd;
  /** Those that have a namespace of their own. */
  users: readonly UserEnd[];
  /** The nodes of a path; empty unless the testbed was opened with them. */
  nodes: readonly PathNode[];
  /** The words before a command that let it run in that place, as the same process. */
  enter(place: Place | NodePlace | HostsPlace): [string, ...string[]];
  /** Makes the nodes of a path, where they are not there yet. */
  requireNodes(): Promise<void>;
  /** Makes the namespace of hosts behind `ground`, where it is not there yet. */
  requireHosts(): Promise<void>;
}

export interface TestbedNetworkOptions {
  /** Users with a namespace of their own. */
  userCount?: number | undefined;
  /** Whether the link has IPv6 beside IPv4. */
  hasIpv6?: boolean | undefined;
  /** Whether the nodes of a path are made at once, with a management link each. */
  hasNodes?: boolean | undefined;
  /** Gives up opening; what was made is removed. To end an open one, dispose of it. */
  signal?: AbortSignal | undefined;
}

/**
 * Makes the namespaces and all interfaces, after removing what killed testbeds have left. Disposing of it ends every process in
 * them and removes all. So does a watch when this process is gone. Throws `testbed-refused`, before anything was changed, where the machine cannot have a testbed.
 */
export async function openTestbedNetwork({
  userCount = 0,
  hasIpv6 = false,
  hasNodes = false,
  signal,
}: TestbedNetworkOptions = {}): Promise<TestbedNetwork> {
  if (hasIpv6) refuseWithoutIpv6();
  requireTools(process.env.PATH ?? '');
  await refuseUnprivileged();
  await removeLeftovers();

  const owner = readOwnProcess();
  const serial = nextSerial();
  const name = (place: Place | NodePlace | HostsPlace | UserPlace) => formatNamespace({ owner, serial, place });
  const namespaces = { ground: name('ground'), satellite: name('satellite'), remote: name('remote') };
  const nodes = { terminal: name('terminal'), gateway: name('gateway') };
  const hosts = { hosts: name('hosts') };
  const users = Array.from({ length: userCount }, (_, index) => {
    const place: UserPlace = `user${index + 1}`;
    const number = index + 1;
    const ipv6Address = userIpv6Address(number);
    return { place, number, namespace: name(place), address: userAddress(number), ipv6Address };
  });
  const all = [...places.map((place) => namespaces[place]), ...users.map(({ namespace }) => namespace)];
  const watch = new OwnerWatch(owner);
  const remove = async () => {
    for (const namespace of [...all, ...Object.values(nodes), hosts.hosts]) await removeNamespace(namespace);
    watch[Symbol.dispose]();
  };
  let nodesMade: Promise<void> | null = null;
  const requireNodes = () => (nodesMade ??= makeNodes({ ...namespaces, ...nodes }));
  let hostsMade: Promise<void> | null = null;
  const requireHosts = () => (hostsMade ??= makeHosts({ ...namespaces, ...hosts }));
  try {
    for (const namespace of all) {
      signal?.throwIfAborted();
      await addNamespace(namespace);
    }
    await connectEnds(namespaces);
    for (const user of users) {
      signal?.throwIfAborted();
      await connectUser(user, namespaces.remote);
    }
    signal?.throwIfAborted();
    if (hasIpv6) {
      await connectIpv6(namespaces);
      for (const user of users) await connectUserIpv6(user, namespaces.remote);
    }
    const ipv6 = (address: string) => (hasIpv6 ? address : null);
    if (hasNodes) await requireNodes();
    const managedNodes = hasNodes ? nodePlaces.map((place) => ({ place, namespace: nodes[place] })) : [];
    const [ground, remote, ...others] = await connectManagement([
      { place: 'ground', namespace: namespaces.ground },
      { place: 'remote', namespace: namespaces.remote },
      ...users,
      ...managedNodes,
    ]);
    return {
      namespaces,
      nodeNamespaces: nodes,
      ground: {
        address: groundAddress,
        ipv6Address: ipv6(groundIpv6Address),
        interface: linkInterface,
        management: ground!,
      },
      remote: {
        address: remoteAddress,
        ipv6Address: ipv6(remoteIpv6Address),
        interface: linkInterface,
        management: remote!,
      },
      users: users.map(({ place, namespace, address, ipv6Address }, index) => ({
        place,
        address,
        ipv6Address: ipv6(ipv6Address),
        interface: linkInterface,
        management: others[index]!,
        enter: enterNamespace(namespace),
      })),
      nodes: managedNodes.map(({ place, namespace }, index) => ({
        place,
        address: nodeAddresses[place],
        management: others[users.length + index]!,
        enter: enterNamespace(namespace),
      })),
      enter: (place) => enterNamespace({ ...namespaces, ...nodes, ...hosts }[place]),
      requireNodes,
      requireHosts,
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

async function makeHosts(namespaces: Record<Place | HostsPlace, string>): Promise<void> {
  await addNamespace(namespaces.hosts);
  await connectHosts(namespaces);
}

async function makeNodes(namespaces: Record<Place | NodePlace, string>): Promise<void> {
  for (const place of nodePlaces) {
    await addNamespace(namespaces[place]);
    await connectNode(place, namespaces);
  }
}

/**
 * Removes what testbeds have left whose owner was killed: their processes and namespaces, and with these all interfaces,
 * the management link's end in the machine's own namespace too. Testbeds whose owner lives, and all that is not a testbed's,
 * are left alone. Returns the names of the namespaces that were removed.
 */
export async function removeLeftovers(): Promise<string[]> {
  const leftovers = listNamespaces().filter(({ owner }) => !isAlive(owner));
  for (const { name } of leftovers) await removeNamespace(name);
  return leftovers.map(({ name }) => name);
}

/** Waits for a line, or for the end of the process that could write one. A shell waits in a megabyte of memory, Node in fifty. */
const waitThenRun = 'trap "" HUP INT TERM; read -r line && exit 0; exec "$@"';

/**
 * Removes the testbeds of this process when it is gone, also after `kill -9`, which leaves it no time to. The kernel closes its end of a pipe then. The watch
 * is in a session of its own: what ends the whole group of a terminal does not end it.
 */
class OwnerWatch implements Disposable {
  readonly #input: Socket;

  constructor({ pid, startTicks }: Owner) {
    const program = path.join(import.meta.dirname, 'remove-after-owner.ts');
    const words = [process.execPath, '--disable-warning=ExperimentalWarning', program, `${pid}`, `${startTicks}`];
    const watch = spawn('/bin/sh', ['-c', waitThenRun, 'sh', ...words], {
      cwd: '/',
      detached: true,
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    this.#input = watch.stdin as Socket;
    // Without it, the next start removes them.
    watch.on('error', () => undefined);
    this.#input.on('error', () => undefined);
    watch.unref();
    this.#input.unref();
  }

  /** All was removed: there is nothing to do when this process ends. */
  [Symbol.dispose](): void {
    this.#input.end('\n');
  }
}
