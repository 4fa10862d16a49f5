import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile, open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { AppError } from '#core/app-error.ts';
import { copyBinaries } from './copy-binaries.ts';
import { findAccountOwners, type Owner } from './find-account-owners.ts';

const execute = promisify(execFile);
const unmappedId = 65534;

/** Under whom PostgreSQL runs: it refuses to run as root. */
export interface Account {
  /** Whose the data is, and who runs the server. Null: we, and nothing is handed over. */
  owner: Owner | null;
  /** The command, with arguments, that runs another command under the account, and ends it with this process where it can. */
  prefix: string[];
  /** The folder with `postgres` and `initdb`, where the account may read them. */
  binaries: string;
  /** What to say where PostgreSQL keeps rights that it should not have; null where all is well. */
  warning: string | null;
}

/**
 * Not root: we ourselves. Root: an account of its own, which is made where it can be, else one that the system has. Where a container lets root
 * change to no other user, a user namespace satisfies PostgreSQL; it then has root's rights on files, which `warning` says.
 */
export async function chooseAccount(binaries: string, { mayChangeUser } = { mayChangeUser: true }): Promise<Account> {
  // macOS has no setpriv.
  const endWithParent = ['setpriv', '--pdeathsig', 'INT'];
  const suffix = (await canRun([...endWithParent, 'true'])) ? endWithParent : [];
  const ourselves: Account = { owner: null, prefix: suffix, binaries, warning: null };
  if (process.getuid?.() !== 0) return ourselves;

  if (mayChangeUser && process.platform === 'linux') {
    for await (const owner of findAccountOwners()) {
      if (!(await canRun(['true'], owner))) continue;
      const isReadable = await canRun([path.join(binaries, 'postgres'), '--version'], owner);
      return { ...ourselves, owner, binaries: isReadable ? binaries : await copyBinaries(binaries) };
    }
  }

  const unshare = ['unshare', '-U', `--map-user=${unmappedId}`, `--map-group=${unmappedId}`];
  if (await canRun([...unshare, 'true'])) {
    const warning = (await isRootOfHost())
      ? 'PostgreSQL runs with root’s rights on files, because root cannot change to another user here: start HTTP-AE as another user, or set DATABASE_URL'
      : null;
    return { ...ourselves, owner: { userId: 0, groupId: 0, name: 'root' }, prefix: [...unshare, ...suffix], warning };
  }
  throw new AppError(
    'postgres-failed',
    'PostgreSQL does not run as root, and root cannot change to another user here: start HTTP-AE as another user, or set DATABASE_URL',
  );
}

/** The user to start a command as; the command keeps ours where the account has none of its own. */
export function userOf({ owner }: Account): { uid?: number; gid?: number } {
  return owner === null || owner.userId === 0 ? {} : { uid: owner.userId, gid: owner.groupId };
}

async function canRun([command, ...rest]: string[], owner?: Owner): Promise<boolean> {
  try {
    await execute(command!, rest, { cwd: '/', ...(owner && { uid: owner.userId, gid: owner.groupId }) });
    return true;
  } catch {
    return false; // not installed, or not permitted: both mean no
  }
}

/** False in a user namespace whose root is an ordinary user outside. */
async function isRootOfHost(): Promise<boolean> {
  if (process.platform !== 'linux') return true;
  const map = await readFile('/proc/self/uid_map', 'utf8');
  return /^[ \t]*0[ \t]+0[ \t]/.test(map);
}

interface Work {
  program: 'initdb' | 'postgres';
  dataFolder: string;
  args: string[];
  /** A text, or an open file. */
  input: string | FileHandle;
  signal: AbortSignal;
}

/**
 * The name of the data folder for PostgreSQL, which has the open folder as file descriptor 3. An account of its own may not enter the folders
 * above it, and need not: through the descriptor it reaches what belongs to it.
 */
export function nameDataFolder({ owner }: Account, dataFolder: string): string {
  return owner === null ? dataFolder : '/proc/self/fd/3';
}

/** How long the processes of a program may take to end in order. */
const endWithinMs = 5000;

/** Runs a program of PostgreSQL on a data folder to its end. Throws with what it printed when it fails. When aborted, it and all that it started have ended. */
export async function runAsAccount(
  account: Account,
  { program, dataFolder, args, input, signal }: Work,
): Promise<void> {
  const [command, ...rest] = [...account.prefix, path.join(account.binaries, program), ...args];
  await using folder = await open(dataFolder);
  const child = spawn(command!, rest, {
    cwd: '/',
    env: { ...process.env, LC_ALL: 'C' },
    stdio: [typeof input === 'string' ? 'pipe' : input.fd, 'pipe', 'pipe', folder.fd],
    // A group of its own, as initdb starts other programs, which outlive it.
    detached: true,
    ...userOf(account),
  });
  const end = () => endGroup(child);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  // A program that ended before it read everything says why in its output.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  const [[exitCode], ...printed] = await Promise.all([
    once(child, 'close') as Promise<[number | null]>,
    text(child.stderr!),
    text(child.stdout!),
  ]).finally(() => signal.removeEventListener('abort', end));
  signal.throwIfAborted();
  if (exitCode !== 0) throw new Error(`${program} ended with ${exitCode ?? 'a signal'}: ${printed.join('\n').trim()}`);
}

function endGroup(child: ChildProcess): void {
  const kill = (signalName: 'SIGTERM' | 'SIGKILL') => {
    try {
      if (child.pid !== undefined) process.kill(-child.pid, signalName);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  };
  kill('SIGTERM');
  const force = setTimeout(() => kill('SIGKILL'), endWithinMs);
  child.once('close', () => clearTimeout(force));
}
