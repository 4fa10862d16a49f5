import { readdirSync, readFileSync, statSync } from 'node:fs';
import { AppError } from '#core/app-error.ts';
import type { PortRange } from './port-rule.ts';

/** What one isolated User Agent has: an OS user without an account, and source ports. */
export interface IsolationSlot {
  uid: number;
  ports: PortRange;
}

/** Between what systemd gives containers and the ids of which half of the programs would make negative numbers (systemd, UIDS-GIDS). */
const firstUid = 2_000_000_000;
/** Below the ports that Linux gives by itself, and above those that services mostly listen at. */
const firstPort = 10_768;
/** A page of 640 objects may open a connection for each, and a port is not free again for two minutes. */
const portsPerUser = 2000;
export const slotCount = 11;

export const slots: readonly IsolationSlot[] = Array.from({ length: slotCount }, (_, index) => ({
  uid: firstUid + index,
  ports: { first: firstPort + index * portsPerUser, last: firstPort + (index + 1) * portsPerUser - 1 },
}));

/** Those of this process that are taken, as two Passes are prepared at the same time. */
const takenHere = new Set<number>();

/** The first slot whose OS user has no rule in `takenUids` and no process. Throws `user-refused` where there is none. */
export function takeSlot(takenUids: ReadonlySet<number>): IsolationSlot & Disposable {
  const running = listRunningUids();
  const free = slots.find(({ uid }) => !takenUids.has(uid) && !takenHere.has(uid) && !running.has(uid));
  if (!free)
    throw new AppError(
      'user-refused',
      `capture.isolate: this host has room for ${slotCount} User Agents, and all of it is taken. Spread them over more hosts, or give each an osUser and a sourceAddress`,
    );
  takenHere.add(free.uid);
  return { ...free, [Symbol.dispose]: () => void takenHere.delete(free.uid) };
}

/** Throws `user-refused` where Linux gives these ports to programs by itself. */
export function refuseSharedPorts(): void {
  const [low] = readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8').trim().split(/\s+/).map(Number);
  const last = slots.at(-1)!.ports.last;
  if (low! > last) return;
  throw new AppError(
    'user-refused',
    `capture.isolate: this host gives programs the ports from ${low}, which its User Agents need: run "sudo sysctl net.ipv4.ip_local_port_range='${last + 1} 60999'"`,
  );
}

function listRunningUids(): Set<number> {
  const uids = readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return [statSync(`/proc/${name}`).uid];
    } catch (error) {
      if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return []; // it has ended
      throw error;
    }
  });
  return new Set(uids);
}
