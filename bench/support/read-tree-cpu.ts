import { readdirSync } from 'node:fs';
import { readIfThere } from './read-if-there.ts';

/** Of the kernel's clock for CPU time, as /proc reports it: USER_HZ, 100 on every Linux of today. */
const tickMs = 10;

interface ProcessFigures {
  id: number;
  parentId: number;
  /** CPU time of its own, and of its children that have ended. */
  ownTicks: number;
  endedTicks: number;
}

/** CPU time of a process and its children, those that have ended included. */
export function readTreeCpuMs(processId: number): number {
  const processes = listProcesses();
  const root = processes.find(({ id }) => id === processId);
  if (!root) throw new Error(`There is no process ${processId}`);
  const children = processes.filter(({ parentId }) => parentId === processId);
  return [root, ...children].reduce((sum, { ownTicks }) => sum + ownTicks, root.endedTicks) * tickMs;
}

/** CPU time of a Controller in this process: its own, and of the processes that read its Snapshots. */
export function readControllerCpuMs(): number {
  const { user, system } = process.cpuUsage();
  const readers = listProcesses().filter(
    ({ id, parentId }) =>
      parentId === process.pid && readIfThere(`/proc/${id}/cmdline`)?.includes('derivation-process.ts'),
  );
  return (user + system) / 1000 + readers.reduce((sum, { ownTicks }) => sum + ownTicks, 0) * tickMs;
}

/** All processes of this machine. */
export function listProcesses(): ProcessFigures[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)));
}

function readProcess(id: number): ProcessFigures[] {
  const statistics = readIfThere(`/proc/${id}/stat`);
  if (statistics === null) return [];
  const fields = statistics.slice(statistics.lastIndexOf(')') + 2).split(' ');
  const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
  return [{ id, parentId: Number(fields[1]), ownTicks: user + system, endedTicks: endedUser + endedSystem }];
}
