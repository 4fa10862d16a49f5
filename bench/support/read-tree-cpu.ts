import { readdirSync, readFileSync } from 'node:fs';

/** Of the kernel's clock for CPU time, as /proc reports it: USER_HZ, 100 on every Linux of today. */
const tickMs = 10;

/** CPU time of a process and its children, those that have ended included. */
export function readTreeCpuMs(processId: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)));
  const root = processes.find(({ id }) => id === processId);
  if (!root) throw new Error(`There is no process ${processId}`);
  const children = processes.filter(({ parentId }) => parentId === processId);
  return [root, ...children].reduce((sum, { ownTicks }) => sum + ownTicks, root.endedTicks) * tickMs;
}

function readProcess(id: number) {
  try {
    const statistics = readFileSync(`/proc/${id}/stat`, 'utf8');
    const fields = statistics.slice(statistics.lastIndexOf(')') + 2).split(' ');
    const [user, system, endedUser, endedSystem] = fields.slice(11, 15).map(Number) as [number, number, number, number];
    return [{ id, parentId: Number(fields[1]), ownTicks: user + system, endedTicks: endedUser + endedSystem }];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH')
      return []; // it has just ended
    throw error;
  }
}
