import { z } from 'zod';

const shown = (input: unknown) => (input === undefined ? 'nothing' : JSON.stringify(input));

const notAnOsUser = {
  error: ({ input }: { input?: unknown }) =>
    `must be the name of an OS user or its number without quotes, such as "alice" or 20001, not ${shown(input)}`,
};

/** An OS user by name or number. Not root: that is the Agent itself, whose traffic is no user's. */
export const OsUserSchema = z
  .union(
    [z.string().regex(/^[A-Za-z_][\w.-]{0,31}$/, notAnOsUser), z.int(notAnOsUser).max(4_294_967_294, notAnOsUser)],
    notAnOsUser,
  )
  .refine(
    (user) => user !== 'root' && (typeof user === 'string' || user > 0),
    'must not be root, the user of the Agent: create another user with "useradd NAME"',
  );

/** An address that the requests of one User Agent come from. */
export const SourceAddressSchema = z.union([z.ipv4(), z.ipv6()], {
  error: (issue) =>
    `must be an IPv4 or IPv6 address without a prefix length, such as "10.9.1.1", not ${shown(issue.input)}`,
});

/** A network interface as Linux names them: iptables would take a "+" at the end as any name that begins so. */
export const InterfaceSchema = z
  .string({ error: 'must be the name of a network interface' })
  .regex(
    /^[A-Za-z0-9_][\w.-]{0,14}$/,
    'must be the name of a network interface, such as "eth0", of at most 15 letters, digits, ".", "_" and "-"',
  );

/** As whom, and from where, a User Agent loads its pages. */
export interface UserIdentity {
  host: string;
  osUser?: string | number | undefined;
  sourceAddress?: string | undefined;
}

/** Calls `refuse` for each that cannot have its `sourceAddress`. Traffic is distinguished by OS user: each OS user has one address, the Agent's own too. */
export function refuseUnclearUsers(
  users: readonly (UserIdentity & { name: string })[],
  refuse: (path: (string | number)[], message: string) => void,
): void {
  const firstOf = new Map<string, UserIdentity & { name: string }>();
  users.forEach((user, index) => {
    const key = JSON.stringify([user.host, user.osUser]);
    const other = firstOf.get(key);
    if (!other) firstOf.set(key, user);
    else if (other.sourceAddress !== user.sourceAddress) {
      const problem = `so the traffic cannot come from both ${describeAddress(other)} and ${describeAddress(user)}`;
      if (user.osUser === undefined)
        refuse(
          ['userAgents', index, 'sourceAddress'],
          `"${other.name}" is on "${user.host}" too, and neither has an "osUser", ${problem}: give each an "osUser" or its own host`,
        );
      else
        refuse(
          ['userAgents', index, 'osUser'],
          `${shown(user.osUser)} is the OS user of "${other.name}" on "${user.host}" too, ${problem}: use another OS user, or the same address`,
        );
    }
  });
}

function describeAddress({ sourceAddress }: UserIdentity): string {
  return sourceAddress ?? 'the address of the host';
}
