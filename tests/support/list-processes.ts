import { readdirSync, readFileSync } from 'node:fs';

/** The ids of the running processes that are wanted, as /proc lists them. */
export function listProcesses(isWanted: (pid: string) => boolean): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter(isWanted)
    .filter((pid) => !readOfProcess(pid, 'stat').includes(') Z '));
}

export function commandOf(pid: string): string {
  return readOfProcess(pid, 'cmdline').replaceAll('\0', ' ');
}

/** Whether a variable of the environment that it was started with ends so, such as `NAME=value`. */
export function hasVariable(pid: string, end: string): boolean {
  return readOfProcess(pid, 'environ')
    .split('\0')
    .some((variable) => variable.endsWith(end));
}

/** Empty when the process has ended: they end while they are listed. */
export function readOfProcess(pid: string, file: 'cmdline' | 'environ' | 'stat' | 'status'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}
