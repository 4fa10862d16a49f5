import { spawn } from 'node:child_process';
import { once } from 'node:events';

const endWithParent = ['setpriv', '--pdeathsig', 'KILL', '--'];
const pidNamespace = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--'];

/**
 * The words before a command that let all it starts end with it, daemons too, and it with this process, even after `kill -9`. They need Linux and root
 * (or a user namespace). Elsewhere there are none: a command's process group is ended, and a process that leaves the group is not found.
 */
export async function findContainment(): Promise<readonly string[]> {
  const words = [...endWithParent, ...pidNamespace];
  const [program, ...args] = [...words, 'true'];
  const child = spawn(program, args, { stdio: 'ignore' });
  const exitCode = await once(child, 'exit').then(
    ([code]: unknown[]) => code,
    () => null, // no such program
  );
  return exitCode === 0 ? words : [];
}

/**
 * The first process of a PID namespace is sent no signal that it does not handle: this shell is the first, the command its child. The shell itself
 * prints nothing. It writes to file descriptor 3 when the command can be sent signals, and ends with 128 and the signal's number where one ended the command.
 */
export const firstProcess = [
  'sh',
  '-c',
  'exec 4>&2 2>/dev/null; sh -c "$1" 2>&4 3>&- 4>&- & echo >&3; exec 3>&-; wait "$!"',
  'sh',
] as const;
