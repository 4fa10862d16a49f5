import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import { listNamespaces } from '#testbed/namespaces/network-namespaces.ts';
import { listRootless } from '#testbed/namespaces/list-rootless.ts';
import { isAlive, type Owner } from '#testbed/namespaces/owner.ts';
import { removeLeftovers } from '#testbed/namespaces/remove-leftovers.ts';

const endWithinMs = 20_000;
const pollMs = 50;

/**
 * Ends every `testbed up` that this user may end, and removes what killed testbeds have left. Those of a demo, a test or a shell are left to these. Who is not root has rootless
 * testbeds only, which leave nothing.
 */
export async function endTestbeds({ isJson, say }: { isJson: boolean; say: (line: string) => void }): Promise<void> {
  const isRoot = process.getuid!() === 0;
  const owners = new Map(
    [...(isRoot ? listNamespaces().map(({ owner }) => owner) : []), ...listRootless()].map((owner) => [
      owner.pid,
      owner,
    ]),
  );
  const alive = [...owners.values()].filter(isAlive);
  const [held, others] = [alive.filter(isHeldByUp), alive.filter((owner) => !isHeldByUp(owner))];
  for (const { pid } of held) process.kill(pid, 'SIGTERM');
  await untilGone(held);
  const removed = isRoot ? await removeLeftovers() : [];

  for (const { pid } of others) say(`The testbed of process ${pid} is in use and stays`);
  const ended = held.map(({ pid }) => pid);
  if (isJson) process.stdout.write(`${JSON.stringify({ ended, removed, stay: others.map(({ pid }) => pid) })}\n`);
  else say([`${ended.length} testbeds were ended`, `${removed.length} leftover namespaces were removed`].join('; '));
}

/** By its command line: `… testbed up …`. */
function isHeldByUp({ pid }: Owner): boolean {
  const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0');
  return words[words.indexOf('testbed') + 1] === 'up' && words.includes('testbed');
}

async function untilGone(owners: Owner[]): Promise<void> {
  const deadlineMs = performance.now() + endWithinMs;
  while (owners.some(isAlive)) {
    if (performance.now() > deadlineMs) {
      const pids = owners.filter(isAlive).map(({ pid }) => pid);
      throw new AppError(
        'testbed-failed',
        `Processes ${pids.join(', ')} did not end within ${endWithinMs / 1000} s: end them with kill -9, then try again`,
      );
    }
    await pause(pollMs);
  }
}
