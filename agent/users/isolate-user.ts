import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { AppError } from '#core/app-error.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { findOsUser, type OsUser } from './find-os-user.ts';
import { readInterfaceAddresses } from './interface-addresses.ts';
import { addPortRules, listPortRules, removePortRules, type PortRange } from './port-rule.ts';
import { type IpVersion, isGone, readOwnOwner } from './source-rule.ts';

/** What one isolated User Agent has: an OS user without an account, and source ports. */
interface IsolationSlot {
  uid: number;
  ports: PortRange;
}

/** Between what systemd gives containers and the ids of which half of the programs would make negative numbers (systemd, UIDS-GIDS). */
const firstUid = 2_000_000_000;
/** Below the ports that Linux gives by itself, and above those that services mostly listen at. */
const firstPort = 10_768;
/** A page of 640 objects may open a connection for each, and a port is not free again for two minutes. */
const portsPerUser = 2000;
const slotCount = 11;

export const slots: readonly IsolationSlot[] = Array.from({ length: slotCount }, (_, index) => ({
  uid: firstUid + index,
  ports: { first: firstPort + index * portsPerUser, last: firstPort + (index + 1) * portsPerUser - 1 },
}));

/** Those of this process that are taken, as two Passes are prepared at the same time. */
const takenHere = new Set<number>();

/** By what the packets of an isolated User Agent are known. */
export interface IsolatedTraffic {
  interface: string;
  /** Of the host, by that interface. */
  addresses: readonly string[];
  ports: PortRange;
}

/** An OS user without an account, whose packets leave from ports of its own. Disposing of it takes these back. */
export interface IsolatedUser extends AsyncDisposable {
  readonly osUser: OsUser;
  readonly traffic: IsolatedTraffic;
}

/** Isolates one User Agent from all others of the host. Throws `user-refused`, before anything was changed, when this host cannot do that. */
export async function isolateUser(order: Pick<PassOrder, 'interface'>): Promise<IsolatedUser> {
  if (process.platform !== 'linux' || process.getuid?.() !== 0)
    throw new AppError(
      'user-refused',
      'capture.isolate: only an Agent on Linux that is root can isolate its User Agents: start it with sudo, or remove "isolate" from "capture"',
    );
  refuseSharedPorts();
  const name = order.interface ?? findDefaultInterface();
  const addresses = readInterfaceAddresses().get(name);
  if (!addresses)
    throw new AppError('user-refused', `interface: this host has no interface "${name}" that is up and has an address`);

  const versions = listVersions(addresses);
  const rules = (await Promise.all(versions.map(listPortRules))).flat();
  const slot = takeSlot(new Set(rules.filter(({ owner }) => !isGone(owner)).map(({ uid }) => uid)));
  await using undo = new AsyncDisposableStack();
  undo.use(slot);
  const osUser = await findOsUser(slot.uid);
  const rule = { interface: name, uid: slot.uid, ports: slot.ports, owner: readOwnOwner() };
  for (const version of versions) {
    await addPortRules(rule, version);
    undo.defer(() => removePortRules(rule, version));
  }
  const taken = undo.move();
  return {
    osUser,
    traffic: { interface: name, addresses, ports: slot.ports },
    [Symbol.asyncDispose]: () => taken.disposeAsync(),
  };
}

/** IPv6 only where a packet could leave by it. */
function listVersions(addresses: readonly string[]): IpVersion[] {
  const hasIpv6 = addresses.some((address) => isIPv6(address) && !address.startsWith('fe80:'));
  return hasIpv6 ? [4, 6] : [4];
}

/** The interface of the default route with the lowest metric. */
function findDefaultInterface(): string {
  const table = existsSync('/proc/net/route') ? readFileSync('/proc/net/route', 'utf8') : '';
  const [first] = readDefaultRoutes(table);
  if (first === undefined)
    throw new AppError(
      'user-refused',
      'capture.isolate: this host has no default route, so each of its User Agents needs an "interface": write the one by which its pages are reached',
    );
  return first;
}

/** The interfaces of the default routes in /proc/net/route, that of the lowest metric first. */
export function readDefaultRoutes(table: string): string[] {
  return table
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/))
    .filter((words) => words[1] === '00000000' && words[7] === '00000000')
    .toSorted((one, other) => Number(one[6]) - Number(other[6]))
    .map(([name]) => name!);
}

/** The first slot whose OS user has no rule in `takenUids` and no process. Throws `user-refused` where there is none. */
function takeSlot(takenUids: ReadonlySet<number>): IsolationSlot & Disposable {
  const running = listRunningUids();
  const free = slots.find(({ uid }) => !takenUids.has(uid) && !takenHere.has(uid) && !running.has(uid));
  if (!free)
    throw new AppError(
      'user-refused',
      `capture.isolate: this host has room for ${slotCount} User Agents, and all of it is taken. Spread them over more hosts, or give each an osUser and a sourceAddress`,
    );
  takenHere.add(free.uid);
  return { ...free, [Symbol.dispose]: () => void takenHere.delete(free.uid) };
}

/** Throws `user-refused` where Linux gives these ports to programs by itself. */
function refuseSharedPorts(): void {
  const [low] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number);
  const last = slots.at(-1)!.ports.last;
  if (low! > last) return;
  throw new AppError(
    'user-refused',
    `capture.isolate: this host gives programs the ports from ${low}, which its User Agents need: run "sudo sysctl net.ipv4.ip_local_port_range='${last + 1} 60999'"`,
  );
}

function listRunningUids(): Set<number> {
  const uids = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [statSync(`/proc/${name}`).uid];
    } catch (error) {
      if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []; // it has ended
      throw error;
    }
  });
  return new Set(uids);
}
