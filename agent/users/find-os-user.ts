import { readFileSync } from 'node:fs';
import { AppError } from '#core/app-error.ts';
import { CommandError, runCommand } from './run-command.ts';

/** Who a process runs as. */
export interface OsUser {
  uid: number;
  gid: number;
}

/**
 * Looks an OS user up by name or number. A number without an account is a user all the same, with the group of that number.
 * Throws `user-refused` when there is no such user, and for root.
 */
export async function findOsUser(user: string | number): Promise<OsUser> {
  const entry = await findAccount(String(user));
  if (entry === null && typeof user === 'string') {
    throw new AppError(
      'user-refused',
      `osUser: this host has no user "${user}": make it with "sudo useradd --system ${user}", or write a number, which needs no account`,
    );
  }
  const [, , uid, gid] = entry?.split(':') ?? ['', '', user, user];
  if (Number(uid) === 0)
    throw new AppError(
      'user-refused',
      `osUser: "${user}" is root on this host, as the Agent itself: write another OS user`,
    );
  if (!hasUserId(Number(uid)))
    throw new AppError(
      'user-refused',
      `osUser: the Agent is root in a user namespace only, where there is no user ${uid}: start it as root of the machine (sudo)`,
    );
  return { uid: Number(uid), gid: Number(gid) };
}

/** The line of passwd(5), from wherever this host keeps its users. */
async function findAccount(user: string): Promise<string | null> {
  try {
    return (await runCommand('getent', 'passwd', user)).trim();
  } catch (error) {
    if (error instanceof CommandError && error.exitCode === 2) return null; // not found, getent(1)
    throw error;
  }
}

/** Whether this process can be such a user: a user namespace has only the users that are mapped into it, user_namespaces(7). */
function hasUserId(uid: number): boolean {
  const ranges = readFileSync('/proc/self/uid_map', 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number));
  return ranges.some(([first, , count]) => uid >= first! && uid < first! + count!);
}
