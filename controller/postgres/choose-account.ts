import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chown, cp, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '#core/app-error.ts';

const execute = promisify(execFile);
const nobodyId = 65534;
const nobodyFolder = '/var/lib/http-ae';

/** Under whom PostgreSQL runs: it refuses to run as root. */
export interface Account {
  /** The command, with arguments, that runs another command under the account, and ends it with this process where it can. */
  prefix: string[];
  /** The folder with `postgres` and `initdb`, where the account may read them. */
  binaries: string;
  /** Where the data of an installation in `folder` has to lie, so that the account can reach it. */
  dataFolderOf(folder: string): string;
  /** Gives a file or an empty folder to the account. */
  own(file: string): Promise<void>;
}

/**
 * Not root: ourselves. Root: nobody, by a user namespace, in which our files are nobody's, or, where the kernel or a
 * container forbids those, by a change of user with the binaries and the data where nobody can read them.
 */
export async function chooseAccount(binaries: string, { mayUnshare } = { mayUnshare: true }): Promise<Account> {
  // Innermost, because a change of user clears it. macOS has no setpriv.
  const endWithParent = ['setpriv', '--pdeathsig', 'INT'];
  const suffix = (await canRun([...endWithParent, 'true'])) ? endWithParent : [];
  const ourselves: Account = {
    prefix: suffix,
    binaries,
    dataFolderOf: (folder) => path.join(folder, 'data'),
    own: () => Promise.resolve(),
  };
  if (process.getuid?.() !== 0) return ourselves;

  const unshare = ['unshare', '-U', `--map-user=${nobodyId}`, `--map-group=${nobodyId}`];
  if (mayUnshare && (await canRun([...unshare, 'true']))) return { ...ourselves, prefix: [...unshare, ...suffix] };

  const setpriv = ['setpriv', '--reuid', String(nobodyId), '--regid', String(nobodyId), '--clear-groups'];
  if (!(await canRun([...setpriv, 'true']))) {
    throw new AppError(
      'postgres-failed',
      'PostgreSQL does not run as root, and neither "unshare" nor "setpriv" (package util-linux) can change the user: ' +
        'start HTTP-AE as another user, or set DATABASE_URL to a PostgreSQL server',
    );
  }
  const isReadable = await canRun([...setpriv, path.join(binaries, 'postgres'), '--version']);
  return {
    prefix: [...setpriv, ...suffix],
    binaries: isReadable ? binaries : await copyBinaries(binaries),
    dataFolderOf: (folder) => path.join(nobodyFolder, `data-${shortHash(path.resolve(folder))}`),
    own: (file) => chown(file, nobodyId, nobodyId),
  };
}

async function canRun([command, ...rest]: string[]): Promise<boolean> {
  try {
    await execute(command!, rest);
    return true;
  } catch {
    return false; // not installed, or not permitted: both mean no
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Copies the installation once; the last step is a rename, so that a copy is whole or not there. */
async function copyBinaries(binaries: string): Promise<string> {
  const installation = path.dirname(binaries);
  const { stdout: version } = await execute(path.join(binaries, 'postgres'), ['--version']);
  const copy = path.join(nobodyFolder, `postgresql-${shortHash(`${installation}\n${version}`)}`);
  if (!existsSync(copy)) {
    const unfinished = `${copy}.${process.pid}`;
    await mkdir(nobodyFolder, { recursive: true, mode: 0o755 });
    await cp(installation, unfinished, { recursive: true, verbatimSymlinks: true });
    await rename(unfinished, copy).catch(async (error: unknown) => {
      await rm(unfinished, { recursive: true, force: true });
      if (!existsSync(copy)) throw error; // another process made it in between
    });
  }
  return path.join(copy, path.basename(binaries));
}
