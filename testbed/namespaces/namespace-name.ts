import { readFileSync } from 'node:fs';

export const places = ['ground', 'satellite', 'remote'] as const;
/** `ground` has the origins and proxies, `remote` the users; all between them passes `satellite`. */
export type Place = (typeof places)[number];

export const nodePlaces = ['terminal', 'gateway'] as const;
/** The nodes of a path, at the users' and the origins' end of the satellite segment. Made when the first path is. */
export type NodePlace = (typeof nodePlaces)[number];

export function isNodePlace(name: string): name is NodePlace {
  return nodePlaces.some((place) => place === name);
}
/** All hosts that have names, behind `ground`. Made when the first are. */
export type HostsPlace = 'hosts';
/** A user's own, behind `remote`. */
export type UserPlace = `user${number}`;

/** The contents of the name of a network namespace: whose it is, which of its owner's testbeds, and which part. */
export interface NamespaceName {
  owner: Owner;
  serial: number;
  place: Place | NodePlace | HostsPlace | UserPlace;
}

/** `hae-PID-START-SERIAL-PLACE`. The name is the whole record of who owns what: there is no file to go stale. */
export function formatNamespace({ owner, serial, place }: NamespaceName): string {
  return `hae-${owner.pid}-${owner.startTicks}-${serial}-${place}`;
}

/** Null for a namespace that is not of a testbed. */
export function parseNamespace(name: string): NamespaceName | null {
  const match = /^hae-(\d+)-(\d+)-(\d+)-(ground|satellite|remote|terminal|gateway|hosts|user\d+)$/.exec(name);
  if (!match) return null;
  const [, pid, startTicks, serial, place] = match;
  return {
    owner: { pid: Number(pid), startTicks: Number(startTicks) },
    serial: Number(serial),
    place: place as NamespaceName['place'],
  };
}

/** A process, distinct from others that had or will have its id. */
export interface Owner {
  pid: number;
  /** When it started, in clock ticks since the machine did. */
  startTicks: number;
}

export function readOwnProcess(): Owner {
  const own = readProcess(process.pid);
  if (own === null) throw new Error('/proc does not show this process');
  return own;
}

/** Null when there is no such process. */
export function readProcess(pid: number): Owner | null {
  const startTicks = readStartTicks(pid);
  return startTicks === null ? null : { pid, startTicks };
}

export function isAlive({ pid, startTicks }: Owner): boolean {
  return readStartTicks(pid) === startTicks;
}

/** Null when there is no such process, or only what is left of it for its parent to read. */
function readStartTicks(pid: number): number | null {
  const stat = readProcessStat(pid);
  return stat === null || ['Z', 'X'].includes(stat.state) ? null : stat.startTicks;
}

/** What the kernel says of a process (proc(5)). */
interface ProcessStat {
  state: string;
  /** When it started, in clock ticks since the machine did. */
  startTicks: number;
  /** What it used of all CPUs, in itself and in the kernel. */
  cpuSeconds: number;
}

/** Linux shows times to programs in ticks of this length, on all its machines. */
const ticksPerSecond = 100;

/** Null when there is no such process. */
export function readProcessStat(pid: number): ProcessStat | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in brackets may hold anything: counted is after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const cpuTicks = Number(fields[11]) + Number(fields[12]);
    return { state: fields[0]!, startTicks: Number(fields[19]), cpuSeconds: cpuTicks / ticksPerSecond };
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
}
