import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import { packageRoot } from '../installation.ts';
import { findHostsController, type HostsController } from './hosts-controller.ts';
import { describeTarget, type SshHost } from './inventory/ssh-host.ts';
import type { JoinResult } from './join-host.ts';
import { joinWithToken, revokeQuietly } from './join-with-token.ts';
import { packProgram, type ProgramArchive } from './pack-program.ts';
import type { ControllerOptions } from '../commands/controller-options.ts';
import { describeFailure, type RemoteSession } from './ssh/remote-session.ts';

export type HostsAction = 'up' | 'status' | 'down';

export interface HostsOptions extends ControllerOptions {
  inventory: string;
  limit?: string;
  service?: true;
  tunnel?: true;
  parallel: number;
  json?: true;
  verbose?: true;
}

/** What is to be done at which hosts. */
export interface HostsOrder {
  hosts: SshHost[];
  options: HostsOptions;
  homeFolder: string;
  signal: AbortSignal;
  /** Prints a line of a host. */
  sayOf: (host: string, line: string) => void;
}

interface UpResult {
  host: SshHost;
  state: 'joined' | 'failed';
  isTunnelled: boolean;
  reason: string | null;
}

/** Joins the hosts. Without `--service`, holds their channels until Ctrl-C, or until the last of them has ended. */
export async function runHostsUp(order: HostsOrder): Promise<void> {
  const { hosts, options, homeFolder, signal } = order;
  const controller = await findHostsController(options, { homeFolder, signal });
  const archive = await packProgram(packageRoot);
  const failed = new Set<string>();
  const giveUp = new AbortController();
  const until = AbortSignal.any([signal, giveUp.signal]);
  const held: Promise<void>[] = [];
  try {
    const results = await forEachHost(hosts, options.parallel, async (host) => {
      const { result, keep } = await joinOne(host, { order, controller, archive });
      const onChange = (isRight: boolean) => {
        if (isRight) failed.delete(host.name);
        else failed.add(host.name);
      };
      if (result.state === 'failed') failed.add(host.name);
      if (keep) held.push(keep(until, onChange));
      return result;
    });
    if (options.json) process.stdout.write(`${JSON.stringify(describeResults(controller, results))}\n`);
    if (held.length > 0 && !signal.aborted) {
      const count = held.length === 1 ? 'The Agent of 1 host ends' : `The Agents of ${held.length} hosts end`;
      process.stderr.write(`${count} with this command: press Ctrl-C\n`);
    }
    await Promise.all(held);
  } finally {
    giveUp.abort();
    await Promise.allSettled(held);
  }
  failIfAny(failed, hosts);
}

interface JoinContext {
  order: HostsOrder;
  controller: HostsController;
  archive: ProgramArchive;
}

interface JoinedHost {
  result: UpResult;
  /** Holds its channel until the host is not to be held any more; null where there is none. */
  keep: ((until: AbortSignal, onChange: (isRight: boolean) => void) => Promise<void>) | null;
}

async function joinOne(
  host: SshHost,
  { order: { options, signal, sayOf }, controller, archive }: JoinContext,
): Promise<JoinedHost> {
  const say = (line: string) => sayOf(host.name, line);
  const joined = await joinWithToken(host, {
    controller,
    archive,
    lifetime: options.service ? 'service' : 'channel',
    isTunnelWanted: options.tunnel === true,
    say,
    debug: options.verbose ? say : () => undefined,
    signal,
  });
  if (joined.kind === 'failed') {
    say(joined.reason);
    return { result: { host, state: 'failed', isTunnelled: false, reason: joined.reason }, keep: null };
  }
  const { isTunnelled, issued, held } = joined;
  const result = { host, state: 'joined' as const, isTunnelled, reason: null };
  if (held === null) return { result, keep: null };
  return {
    result,
    keep: async (until, onChange) => {
      await keepJoined(host, { ...held, mayJoin: issued.isValid, onChange, say, signal: until });
      await revokeQuietly(issued, say);
    },
  };
}

function describeResults({ url }: HostsController, results: UpResult[]) {
  return {
    controller: url,
    hosts: results.map(({ host, ...result }) => ({ name: host.name, target: describeTarget(host), ...result })),
  };
}

/** Works at some items at a time; the results are in the order of the items. */
export async function forEachHost<Item, Result>(
  items: readonly Item[],
  atATime: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const takeOneByOne = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(atATime, items.length) }, takeOneByOne));
  return results;
}

/** Throws `agent-missing` that names the hosts that failed, if any, in the order of the inventory. */
export function failIfAny(failed: Iterable<string>, hosts: readonly SshHost[]): void {
  const isFailed = new Set(failed);
  const names = hosts.map(({ name }) => name).filter((name) => isFailed.has(name));
  if (names.length === 0) return;
  const shown = names.slice(0, 20).join(', ') + (names.length > 20 ? ', …' : '');
  throw new AppError(
    'agent-missing',
    `${names.length} of ${hosts.length} hosts failed, for the reasons above: ${shown}`,
  );
}

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
