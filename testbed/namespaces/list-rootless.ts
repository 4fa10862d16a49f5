import { readdirSync, readFileSync, statSync } from 'node:fs';
import { userNamespaceMark } from './enter-user-namespace.ts';
import { readProcess, type Owner } from './namespace-name.ts';

/** A process of this user that started itself again in a user namespace. */
export interface RootlessProcess extends Owner {
  /** The words of its command line. */
  command: string[];
}

/**
 * The processes of this user that are at the head of a user namespace of theirs. The namespaces of a rootless testbed have no names outside of it, but its process is seen: so
 * there is no record of it that could outlive it.
 */
export function listRootless(): RootlessProcess[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    try {
      if (statSync(`/proc/${pid}`).uid !== process.getuid!()) return [];
      // Of the environment that it began with, which its children have from it too: in these the mark names another process.
      if (!readWords(pid, 'environ').includes(`${userNamespaceMark}=${pid}`)) return [];
      const found = readProcess(pid);
      return found ? [{ ...found, command: readWords(pid, 'cmdline') }] : [];
    } catch (error) {
      if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return []; // it is gone, or not to be looked into
      throw error;
    }
  });
}

function readWords(pid: number, file: 'environ' | 'cmdline'): string[] {
  return readFileSync(`/proc/${pid}/${file}`, 'utf8').split('\0');
}
