import { startInUserNamespace } from './start-in-user-namespace.ts';
import { readRelayTarget } from './read-relay-target.ts';

/** Runs this same command, a `testbed up` that joins a Controller, in a user namespace until it ends there; its exit status becomes this process's. */
export async function holdInUserNamespace(
  { url, token }: { url: string; token: string },
  signal: AbortSignal,
): Promise<void> {
  await using inside = startInUserNamespace(process.argv.slice(1), {
    target: readRelayTarget(url),
    environment: { HTTP_AE_CONTROLLER: url, HTTP_AE_TOKEN: token },
  });
  const end = () => inside.end();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  process.exitCode = await inside.exited;
}
