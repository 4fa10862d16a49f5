import type { SshHost } from './inventory/ssh-host.ts';
import { makeScript } from './remote/make-script.ts';
import { describeFailure, RemoteSession, type RemoteReport } from './ssh/remote-session.ts';

export type HostAnswer = { kind: 'done'; reports: RemoteReport[] } | { kind: 'failed'; reason: string };

/** Runs a script that needs nothing more at a host, to its end. */
export async function askHost(
  host: SshHost,
  task: 'status' | 'down',
  { signal, debug }: { signal: AbortSignal; debug: (line: string) => void },
): Promise<HostAnswer> {
  const reports: RemoteReport[] = [];
  const script = makeScript(task, host.name);
  await using session = new RemoteSession(host, {
    script: () => script,
    listeners: { report: (report) => void reports.push(report), line: debug },
  });
  const stopped = new Promise<null>((resolve) => signal.addEventListener('abort', () => resolve(null), { once: true }));
  const end = await Promise.race([session.ended, stopped]);
  signal.throwIfAborted();
  const failure = reports.find(({ word }) => word === 'fail');
  if (failure) return { kind: 'failed', reason: session.addWords(failure.rest) };
  return end?.isDone && reports.at(-1)?.word === 'done'
    ? { kind: 'done', reports }
    : { kind: 'failed', reason: describeFailure(host, end!) };
}
