import { readFileSync, readlinkSync } from 'node:fs';

/** The process that made a rule, distinguished from others that had or will have its id. */
export interface RuleOwner {
  /** The numbering of processes that its id is of: hosts and containers may share a network and not their numbers. */
  pidNamespace: string;
  pid: number;
  /** When it started, in clock ticks since the machine did. */
  startTicks: number;
}

export function readOwnOwner(): RuleOwner {
  const startTicks = readStartTicks(process.pid);
  if (startTicks === null) throw new Error('/proc does not show this process');
  return { pidNamespace: readPidNamespace(), pid: process.pid, startTicks };
}

/** Whether it is certain that the process is gone: of one that is numbered elsewhere nothing is known here. */
export function isGone(owner: RuleOwner): boolean {
  return owner.pidNamespace === readPidNamespace() && readStartTicks(owner.pid) !== owner.startTicks;
}

function readPidNamespace(): string {
  return readlinkSync('/proc/self/ns/pid').replace(/\D/g, '');
}

/** Null when there is no such process, or only what is left of it for its parent to read. */
function readStartTicks(pid: number): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything; the state is the first field after it, the start the 20th (proc(5)).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : Number(fields[19]);
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
