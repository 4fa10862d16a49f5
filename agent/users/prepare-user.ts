import { AppError } from '#core/app-error.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { findOsUser, type OsUser } from './find-os-user.ts';
import { normaliseAddress, readInterfaceAddresses, type InterfaceAddresses } from './interface-addresses.ts';
import { isolateUser, type IsolatedTraffic } from './isolate-user.ts';
import {
  addSourceRule,
  listSourceRules,
  removeSourceRule,
  versionOf,
  type SourceRule,
  isGone,
  readOwnOwner,
} from './source-rule.ts';

export type UserSettings = Pick<PassOrder, 'osUser' | 'sourceAddress' | 'interface' | 'isIsolated'>;

/** Whom a User Agent's browser is to run as: null, as the Agent. Disposing of it takes its address back. */
export interface PreparedUser extends AsyncDisposable {
  readonly osUser: OsUser | null;
  /** What its packets are known by, where it is isolated. */
  readonly traffic?: IsolatedTraffic;
}

/**
 * Makes ready the OS user, the interface and the source address of a User Agent. Throws `user-refused`, before anything was
 * changed, when this host cannot have such a user. The interface must have the address already: one that came or went would
 * break off what other browsers are loading (net::ERR_NETWORK_CHANGED).
 */
export async function prepareUser(settings: UserSettings): Promise<PreparedUser> {
  if (settings.isIsolated) return isolateUser(settings);
  const addresses = readInterfaceAddresses();
  refuseMissingInterface(settings.interface, addresses);
  if (settings.osUser === undefined) {
    if (settings.sourceAddress !== undefined)
      refuseSharedInterface(normaliseAddress(settings.sourceAddress), { addresses, name: settings.interface });
    return { osUser: null, [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  refuseWithoutRoot();
  const osUser = await findOsUser(settings.osUser);
  if (settings.sourceAddress === undefined) return { osUser, [Symbol.asyncDispose]: () => Promise.resolve() };

  const address = normaliseAddress(settings.sourceAddress);
  const rule = {
    uid: osUser.uid,
    address,
    interface: findInterface(address, { addresses, name: settings.interface }),
    owner: readOwnOwner(),
  };
  await refuseOtherAddress(rule);
  await addSourceRule(rule);
  return { osUser, [Symbol.asyncDispose]: () => removeSourceRule(rule) };
}

function refuseMissingInterface(name: string | undefined, addresses: InterfaceAddresses): void {
  if (name === undefined || addresses.has(name)) return;
  throw new AppError(
    'user-refused',
    `interface: this host has no interface "${name}" that is up and has an address; those that are: ${[...addresses.keys()].join(', ')}`,
  );
}

/** Without an OS user nothing is rewritten: what leaves by the interface has this address only where there is no other. */
function refuseSharedInterface(
  address: string,
  where: { addresses: InterfaceAddresses; name: string | undefined },
): void {
  const name = findInterface(address, where);
  const others = where.addresses
    .get(name)!
    .filter((each) => each !== address && versionOf(each) === versionOf(address) && !each.startsWith('fe80:'));
  if (others.length === 0) return;
  throw new AppError(
    'user-refused',
    `sourceAddress: ${name} has ${others.join(', ')} beside ${address}, and requests might come from there: write an osUser, whose packets get that address`,
  );
}

function refuseWithoutRoot(): void {
  if (process.platform === 'linux' && process.getuid?.() === 0) return;
  throw new AppError(
    'user-refused',
    'osUser: only an Agent on Linux that is root can run browsers as other users: start it with sudo, or leave osUser and sourceAddress out',
  );
}

function findInterface(
  address: string,
  { addresses, name }: { addresses: InterfaceAddresses; name: string | undefined },
): string {
  const found = name ?? [...addresses].find(([, own]) => own.includes(address))?.[0];
  if (found === undefined) {
    throw new AppError(
      'user-refused',
      `sourceAddress: no interface of this host has ${address}: add it to one with "sudo ip address add ${address} dev INTERFACE"`,
    );
  }
  if (!addresses.get(found)?.includes(address)) {
    throw new AppError(
      'user-refused',
      `sourceAddress: ${found} does not have the address ${address}: add it with "sudo ip address add ${address} dev ${found}"`,
    );
  }
  return found;
}

async function refuseOtherAddress({ uid, address, interface: name }: SourceRule): Promise<void> {
  const rules = await listSourceRules(versionOf(address));
  // What a killed Agent has left comes after this rule, and has no effect.
  const other = rules.find(
    (rule) => rule.interface === name && rule.uid === uid && rule.address !== address && !isGone(rule.owner),
  );
  if (!other) return;
  throw new AppError(
    'user-refused',
    `sourceAddress: what OS user ${uid} sends by ${name} comes from ${other.address} already, for the Agent with process id ${other.owner.pid}: write another OS user`,
  );
}
