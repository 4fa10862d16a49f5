import { connectedWords, unreachableWords } from '#agent/controller-link.ts';
import type { HostToken } from './host-tokens.ts';
import type { SshHost } from './inventory/ssh-host.ts';
import type { ProgramArchive } from './pack-program.ts';
import { makeScript } from './remote/make-script.ts';
import { describeFailure, RemoteSession } from './ssh/remote-session.ts';
import type { ReverseTunnel } from './ssh/ssh-arguments.ts';
import { findUnknownKey } from './ssh/typed-login.ts';
import type { HostKey } from '#core/protocol/api/host-join.ts';

/** The first start of a host installs all that it needs, maybe over a slow network. */
const joinWithinMs = 20 * 60_000;

interface JoinOptions {
  archive: ProgramArchive;
  /** Where the host is to reach the Controller; unused with a tunnel. */
  controllerUrl: string;
  token: HostToken['token'];
  tunnel: ReverseTunnel | null;
  lifetime: 'channel' | 'service';
  /** How long the host may take to end what is stopped. */
  endWithinMs?: number | undefined;
  /** Called once the host was logged in to. */
  onBegin: () => void;
  /** Gets what a person may want to follow. */
  say: (line: string) => void;
  /** Gets every line of the host's. */
  debug: (line: string) => void;
  signal: AbortSignal;
}

/** `unreachable`: it works, but does not reach the Controller. `no-service`: it has no services. */
export type JoinResult =
  | { kind: 'joined'; session: RemoteSession }
  | {
      kind: 'unreachable' | 'no-service' | 'failed';
      reason: string;
      /** The one that a person has to compare first; null where it is not that. */
      hostKey?: HostKey | null;
    };

/** Sends HTTP-AE to a host, if it has another or none, and starts an Agent there. Resolves once that is connected. The session of one that failed has ended. */
export async function joinHost(host: SshHost, options: JoinOptions): Promise<JoinResult> {
  const { archive, lifetime, tunnel, say, debug, signal } = options;
  const settled = Promise.withResolvers<Exclude<JoinResult['kind'], 'joined'> | 'joined'>();
  /** The first one counts. */
  let reason: string | null = null;
  let isSent = false;
  let isStarting = false;
  let hostKey: HostKey | null = null;
  const settle = (kind: 'unreachable' | 'no-service' | 'failed', why: string) => {
    reason ??= why;
    settled.resolve(kind);
  };
  const fail = (why: string) => settle('failed', why);
  const session = new RemoteSession(host, {
    tunnel,
    endWithinMs: options.endWithinMs,
    script: (port) =>
      makeScript('up', host.name, {
        archiveId: archive.id,
        archiveBytes: archive.bytes.length,
        controller: port === null ? options.controllerUrl : `http://127.0.0.1:${port}`,
        token: options.token,
        lifetime,
        agentArguments: host.agentArguments,
      }),
    listeners: {
      report: ({ word, rest }) => {
        if (word === 'begun') options.onBegin();
        else if (word === 'note') say(rest);
        else if (word === 'fail') fail(session.addWords(rest));
        else if (word === 'no-service') settle('no-service', rest);
        else if (word === 'ended') fail('the service ended');
        else if (word === 'archive' && !isSent) {
          isSent = true;
          say(`sending HTTP-AE, ${(archive.bytes.length / 1e6).toFixed(1)} MB`);
          session.send(archive.bytes);
        } else if (word === 'starting') {
          isStarting = true;
          session.beat();
        }
      },
      line: (line) => {
        if (line.startsWith('http-ae: ')) return say(line.slice('http-ae: '.length));
        debug(line);
        if (!isStarting) return;
        if (line.includes(`${connectedWords} `)) settled.resolve('joined');
        else if (line.includes(unreachableWords)) settle('unreachable', line.slice(line.indexOf(unreachableWords)));
      },
    },
  });
  const overdue = setTimeout(() => fail(`it did not join within ${joinWithinMs / 60_000} minutes`), joinWithinMs);
  const stop = () => fail('stopped');
  signal.addEventListener('abort', stop, { once: true });
  if (signal.aborted) stop();
  void session.ended.then(
    (end) => {
      if (host.login) hostKey = findUnknownKey(end.wordsOfSsh);
      fail(describeFailure(host, end));
    },
    (error: unknown) => fail((error as Error).message),
  );

  const kind = await settled.promise;
  clearTimeout(overdue);
  signal.removeEventListener('abort', stop);
  if (kind === 'joined') return { kind, session };
  if (lifetime === 'service') session.send('remove\n');
  await session[Symbol.asyncDispose]();
  return { kind, reason: reason!, hostKey };
}
