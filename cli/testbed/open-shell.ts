import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Place } from '#testbed/namespaces/namespace-name.ts';
import { describeProfile } from './describe-profile.ts';
import type { OpenTestbed } from './open-testbed.ts';

/** Runs the user's shell in a place until it ends; its exit status becomes this process's. */
export async function openShell(
  { network, backend, profile }: OpenTestbed,
  { place, say, signal }: { place: Exclude<Place, 'satellite'>; say: (line: string) => void; signal: AbortSignal },
): Promise<void> {
  const other = place === 'ground' ? network.remote : network.ground;
  say(
    `A shell in ${place}, at ${network[place].address}; the other end is ${other.address}. The link is ${profile.name} (${backend.kind}):\n${describeProfile(profile)}`,
  );
  const [file, ...args] = network.enter(place);
  const shell = spawn(file, [...args, process.env.SHELL ?? '/bin/sh'], {
    stdio: 'inherit',
    env: { ...process.env, HTTP_AE_PLACE: place },
  });
  const end = () => shell.kill('SIGHUP'); // as a shell ends whose terminal is gone
  // Ctrl-C is the shell's own, which has the terminal: it interrupts what runs in there.
  const endUnlessInteractive = () => signal.aborted && !process.stdin.isTTY && end();
  signal.addEventListener('abort', endUnlessInteractive, { once: true });
  try {
    const [exitCode, signalName] = (await once(shell, 'close')) as [number | null, string | null];
    process.exitCode = exitCode ?? (signalName === null ? 0 : 1);
  } finally {
    signal.removeEventListener('abort', endUnlessInteractive);
  }
}
