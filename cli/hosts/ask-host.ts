import type { SshHost } from './inventory/ssh-host.ts';
import { makeScript } from './remote/make-script.ts';
import { describeFailure, RemoteSession, type RemoteReport } from './ssh/remote-session.ts';

/** What a host has to report is less. It may be hostile, or hang after the login. */
const mostReports = 100;
/** `down` waits for processes that end, and for systemd. */
const answerWithinMs = { status: 60_000, down: 240_000 };

type HostAnswer = { kind: 'done'; reports: RemoteReport[] } | { kind: 'failed'; reason: string };

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
    listeners: { report: (report) => void (reports.length < mostReports && reports.push(report)), line: debug },
  });
  const until = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs[task])]);
  const stopped = new Promise<null>((resolve) => until.addEventListener('abort', () => resolve(null), { once: true }));
  const end = await Promise.race([session.ended, stopped]);
  signal.throwIfAborted();
  if (end === null)
    return { kind: 'failed', reason: session.addWords(`it gave no answer within ${answerWithinMs[task] / 1000} s`) };
  const failure = reports.find(({ word }) => word === 'fail');
  if (failure) return { kind: 'failed', reason: session.addWords(failure.rest) };
  return end.isDone && reports.at(-1)?.word === 'done'
    ? { kind: 'done', reports }
    : { kind: 'failed', reason: describeFailure(host, end) };
}
