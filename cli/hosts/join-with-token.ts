import { AppError } from '#core/app-error.ts';
import type { HostKey } from '#core/protocol/api/host-join.ts';
import { isLoopback } from '#core/protocol/loopback.ts';
import { issueHostToken, type HostToken } from './host-tokens.ts';
import type { HostsController } from './hosts-controller.ts';
import { describeTarget, type SshHost } from './inventory/ssh-host.ts';
import { joinHost, type JoinResult } from './join-host.ts';
import type { ProgramArchive } from './pack-program.ts';
import type { RemoteSession } from './ssh/remote-session.ts';

interface JoinOrder {
  controller: HostsController;
  archive: ProgramArchive;
  /** `any`: a service where the host has services and reaches the Controller, else a channel. */
  lifetime: 'channel' | 'service' | 'any';
  isTunnelWanted: boolean;
  /** How long the host may take to end what is stopped. */
  endWithinMs?: number | undefined;
  /** Gets what a person may want to follow. */
  say: (line: string) => void;
  /** Gets every line of the host's. */
  debug: (line: string) => void;
  signal: AbortSignal;
}

export type TokenJoin =
  | {
      kind: 'joined';
      isTunnelled: boolean;
      issued: HostToken;
      /** Its channel, and how to join it again; null for a service, which needs none. */
      held: { session: RemoteSession; join: () => Promise<JoinResult> } | null;
    }
  | {
      kind: 'failed';
      reason: string;
      hostKey: HostKey | null;
      /** Whether the host was logged in to, so that it may have a part of HTTP-AE. */
      isBegun: boolean;
    };

/** Joins a host with a token of its own, by a tunnel or without a service where nothing else works. The token of one that failed is revoked. */
export async function joinWithToken(host: SshHost, order: JoinOrder): Promise<TokenJoin> {
  const { controller, archive, isTunnelWanted, say, debug, signal } = order;
  const startMs = performance.now();
  const { url, tunnelTarget } = controller;
  const isLocal = isLoopback(new URL(url).hostname);
  let lifetime: 'channel' | 'service' =
    order.lifetime === 'channel' || (order.lifetime === 'any' && isLocal) ? 'channel' : 'service';
  const isTunnelled = isTunnelWanted || (isLocal && lifetime === 'channel');
  let isBegun = false;
  const refuse = (reason: string, hostKey: HostKey | null = null) => ({
    kind: 'failed' as const,
    reason,
    hostKey,
    isBegun,
  });
  if (isTunnelled && tunnelTarget === null) return refuse(`${url} speaks https only, which no tunnel can hand on`);

  const issued = await issueHostToken(controller, host.name);
  let tunnel = isTunnelled ? tunnelTarget : null;
  const attempt = () =>
    joinHost(host, {
      archive,
      controllerUrl: url,
      token: issued.token,
      tunnel,
      lifetime,
      endWithinMs: order.endWithinMs,
      onBegin: () => void (isBegun = true),
      say,
      debug,
      signal,
    });
  say(`connecting to ${describeTarget(host)}`);
  let joined = await attempt();
  if (order.lifetime === 'any' && (joined.kind === 'no-service' || joined.kind === 'unreachable')) {
    if (joined.kind === 'no-service') say(`${joined.reason}: its Agent ends with the connection`);
    lifetime = 'channel';
    if (joined.kind === 'no-service') joined = await attempt();
  }
  if (joined.kind === 'unreachable' && tunnel === null && tunnelTarget !== null && lifetime === 'channel') {
    say(`it does not reach the Controller at ${url}: using a tunnel through ssh`);
    tunnel = tunnelTarget;
    joined = await attempt();
  }
  if (joined.kind !== 'joined') {
    await revokeQuietly(issued, say);
    if (signal.aborted) return refuse('stopped');
    return refuse(joined.reason + adviseAfter(joined.kind, lifetime), joined.hostKey);
  }

  try {
    await issued.revokeOthers();
  } catch (error) {
    await joined.session[Symbol.asyncDispose]();
    throw error;
  }
  const way = tunnel === null ? '' : ' through a tunnel';
  say(`joined${way} after ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
  const done = { kind: 'joined' as const, isTunnelled: tunnel !== null, issued };
  if (lifetime === 'channel') return { ...done, held: { session: joined.session, join: attempt } };
  await joined.session[Symbol.asyncDispose]();
  return { ...done, held: null };
}

function adviseAfter(kind: Exclude<JoinResult['kind'], 'joined'>, lifetime: 'channel' | 'service'): string {
  if (kind === 'no-service') return '. Leave out --service';
  if (kind !== 'unreachable') return '';
  return lifetime === 'service'
    ? '. A service needs the Controller in its network: "./http-ae up --host 0.0.0.0 --public-url URL". Without --service, ssh brings it there'
    : '. Start the Controller with --host 0.0.0.0 and --public-url';
}

/** The Controller may be gone by then. */
export async function revokeQuietly({ revoke }: HostToken, say: (line: string) => void): Promise<void> {
  try {
    await revoke();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    say('its token is not revoked: "./http-ae hosts down" does that');
  }
}
