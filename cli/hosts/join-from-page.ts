import path from 'node:path';
import type { HostJoining } from '#controller/agents/host-joins.ts';
import type { HostJoinRequest } from '#core/protocol/api/host-join.ts';
import type { LocalAccess } from '../controller/controller-access.ts';
import { packageRoot } from '../installation.ts';
import { askHost } from './ask-host.ts';
import { toHostsController } from './hosts-controller.ts';
import type { SshHost } from './inventory/ssh-host.ts';
import { joinWithToken, revokeQuietly, type TokenJoin } from './join-with-token.ts';
import { packProgram } from './pack-program.ts';
import { describeFailure } from './ssh/remote-session.ts';

/** A person waits for it. What does not end is ended when it is removed. */
const endWithinMs = 3_000;
/** How long is tried to remove what a host has of a join that failed. */
const removeWithinMs = 30_000;

/** Joins hosts for the page of the Controller at `access`, as "hosts up" does. */
export function joinFromPage({
  homeFolder,
  access,
}: {
  homeFolder: string;
  access: Promise<LocalAccess>;
}): HostJoining {
  return async (request, { say, signal }) => {
    const host = describeHost(request, path.join(homeFolder, 'known_hosts'));
    try {
      const joined = await joinWithToken(host, {
        controller: toHostsController(await access, signal),
        archive: await packProgram(packageRoot),
        lifetime: 'any',
        isTunnelWanted: false,
        endWithinMs,
        say,
        debug: () => undefined,
        signal,
      });
      if (joined.kind === 'joined')
        return { kind: 'joined', ended: joined.held && hold(host, { ...joined, held: joined.held, say, signal }) };
      if (joined.isBegun) await removeFrom(host, say);
      return joined;
    } finally {
      host.login = undefined; // what is held for days needs it no more
    }
  };
}

function describeHost(
  { name, address, user, port, login, hostKey, allowsScripts }: HostJoinRequest,
  knownHostsFile: string,
) {
  return {
    name,
    address,
    user,
    port: port === 22 ? undefined : port,
    login: { by: login, hostKey, knownHostsFile },
    sshArguments: [],
    isRootWanted: false,
    agentArguments: allowsScripts ? ['--allow-scripts'] : [],
  } satisfies SshHost as SshHost;
}

type Joined = Extract<TokenJoin, { kind: 'joined' }>;

/** Holds the channel until it breaks or `signal` is aborted: it cannot be opened again without what was typed. Resolves with the reason. */
async function hold(
  host: SshHost,
  {
    held: { session },
    issued,
    say,
    signal,
  }: Pick<Joined, 'issued'> & { held: NonNullable<Joined['held']>; say: (line: string) => void; signal: AbortSignal },
): Promise<string> {
  const stopped = new Promise<null>((resolve) => {
    signal.addEventListener('abort', () => resolve(null), { once: true });
    if (signal.aborted) resolve(null);
  });
  const end = await Promise.race([session.ended, stopped]);
  await session[Symbol.asyncDispose]();
  await revokeQuietly(issued, say);
  return end === null ? 'disconnected' : `${describeFailure(host, end)}. Connect it again`;
}

/** Nobody could do that later, without what was typed. */
async function removeFrom(host: SshHost, say: (line: string) => void): Promise<void> {
  say('removing what it has of HTTP-AE');
  const answer = await askHost(host, 'down', {
    signal: AbortSignal.timeout(removeWithinMs),
    debug: () => undefined,
  }).catch((error: unknown) => ({ kind: 'failed' as const, reason: (error as Error).message }));
  if (answer.kind === 'failed') say(`not all is removed there: ${answer.reason}`);
}
