import { setTimeout as pause } from 'node:timers/promises';
import type { SshHost } from './inventory/ssh-host.ts';
import type { JoinResult } from './join-host.ts';
import { describeFailure, type RemoteSession } from './ssh/remote-session.ts';

type HeldSession = Pick<RemoteSession, 'ended' | typeof Symbol.asyncDispose>;

interface KeepOptions {
  /** The one that joined. */
  session: HeldSession;
  join: () => Promise<Exclude<JoinResult, { kind: 'joined' }> | { kind: 'joined'; session: HeldSession }>;
  /** Whether the host may still join: "down" revokes its token. */
  mayJoin: () => Promise<boolean>;
  /** Gets whether the host is as it should be, whenever that changes: joined, or taken down by "down". */
  onChange: (isRight: boolean) => void;
  say: (line: string) => void;
  signal: AbortSignal;
  pauses?: { firstMs: number; longestMs: number };
}

/** A connection that lasted so long shows that the way works: the next pause is short again. */
const steadyAfterMs = 60_000;
const defaultPauses = { firstMs: 2_000, longestMs: 60_000 };

/**
 * Holds the channel of a host. When ssh loses the connection, it connects again, after pauses that double. Resolves when `signal` is aborted, and earlier when the Agent ended by itself
 * or the host was taken down. The last session has ended then.
 */
export async function keepJoined(host: SshHost, options: KeepOptions): Promise<void> {
  const { join, mayJoin, onChange, say, signal, pauses = defaultPauses } = options;
  const stopped = new Promise<'stopped'>((resolve) => {
    signal.addEventListener('abort', () => resolve('stopped'), { once: true });
    if (signal.aborted) resolve('stopped');
  });
  const isEnding = () => signal.aborted;
  let { session } = options;
  let pauseMs = pauses.firstMs;
  for (;;) {
    const joinedMs = performance.now();
    const end = await Promise.race([session.ended, stopped]);
    if (end === 'stopped') return session[Symbol.asyncDispose]();
    onChange(false);
    say(describeFailure(host, end));
    if (!end.isBroken) {
      if (!(await mayJoin())) onChange(true);
      return;
    }
    if (performance.now() - joinedMs > steadyAfterMs) pauseMs = pauses.firstMs;
    for (;;) {
      say(`connecting again in ${pauseMs / 1000} s`);
      await pause(pauseMs, undefined, { signal }).catch(() => undefined); // the signal is looked at below
      pauseMs = Math.min(2 * pauseMs, pauses.longestMs);
      if (isEnding()) return;
      if (!(await mayJoin())) {
        say('"hosts down" has ended it');
        onChange(true);
        return;
      }
      const joined = await join();
      if (joined.kind === 'joined') {
        ({ session } = joined);
        break;
      }
      if (isEnding()) return;
      say(joined.reason);
    }
    onChange(true);
    say('joined again');
  }
}
