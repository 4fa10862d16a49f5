import { existsSync, readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { AppError } from '#core/app-error.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { findOsUser, type OsUser } from './find-os-user.ts';
import { readInterfaceAddresses } from './interface-addresses.ts';
import { refuseSharedPorts, takeSlot } from './isolation-slot.ts';
import { addPortRules, listPortRules, removePortRules, type PortRange } from './port-rule.ts';
import { isGone, readOwnOwner } from './rule-owner.ts';
import type { IpVersion } from './source-rule.ts';

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
