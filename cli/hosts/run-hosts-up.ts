import { AppError } from '#core/app-error.ts';
import { packageRoot } from '../package-root.ts';
import { forEachHost } from './for-each-host.ts';
import { issueHostToken } from './host-tokens.ts';
import { findHostsController, isLoopback, type HostsController } from './hosts-controller.ts';
import { failIfAny, type HostsOrder } from './hosts-order.ts';
import { describeTarget, type SshHost } from './inventory/ssh-host.ts';
import { joinHost } from './join-host.ts';
import { packProgram, type ProgramArchive } from './program/pack-program.ts';
import { describeFailure, type RemoteSession } from './ssh/remote-session.ts';

interface UpResult {
  host: SshHost;
  state: 'joined' | 'failed';
  isTunnelled: boolean;
  reason: string | null;
}

/** Joins the hosts. Without `--service`, holds their channels until Ctrl-C, or until the last of them has ended. */
export async function runHostsUp(order: HostsOrder): Promise<void> {
  const { hosts, options, homeFolder, signal, sayOf } = order;
  const controller = await findHostsController(options, { homeFolder, signal });
  const archive = await packProgram(packageRoot);
  await using held = new AsyncDisposableStack();
  const failed = new Set<string>();
  const open = new Set<Promise<void>>();

  const results = await forEachHost(hosts, options.parallel, async (host) => {
    const joining = await joinOne(host, { order, controller, archive, held });
    if (joining.result.state === 'failed') failed.add(host.name);
    if (joining.session) {
      const ended = joining.session.ended.then((end) => {
        if (signal.aborted) return;
        failed.add(host.name);
        sayOf(host.name, describeFailure(host, end));
      });
      open.add(ended);
      void ended.finally(() => open.delete(ended));
    }
    return joining.result;
  });
  if (options.json) process.stdout.write(`${JSON.stringify(describeResults(controller, results))}\n`);
  if (open.size > 0 && !signal.aborted) {
    const count = open.size === 1 ? 'The Agent of 1 host ends' : `The Agents of ${open.size} hosts end`;
    process.stderr.write(`${count} with this command: press Ctrl-C\n`);
    await Promise.race([
      new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true })),
      Promise.all(open),
    ]);
  }
  await held.disposeAsync();
  failIfAny(failed, hosts);
}

interface JoinContext {
  order: HostsOrder;
  controller: HostsController;
  archive: ProgramArchive;
  held: AsyncDisposableStack;
}

async function joinOne(
  host: SshHost,
  { order: { options, signal, sayOf }, controller, archive, held }: JoinContext,
): Promise<{ result: UpResult; session: RemoteSession | null }> {
  const say = (line: string) => sayOf(host.name, line);
  const lifetime = options.service ? 'service' : 'channel';
  const startMs = performance.now();
  const { url, tunnelTarget } = controller;
  const isTunnelWanted = options.tunnel === true || (isLoopback(url) && lifetime === 'channel');
  const refuse = (reason: string) => {
    say(reason);
    return { result: { host, state: 'failed' as const, isTunnelled: false, reason }, session: null };
  };
  if (isTunnelWanted && tunnelTarget === null) return refuse(`${url} speaks https only, which no tunnel can hand on`);

  const issued = await issueHostToken(controller, host.name);
  const attempt = (tunnel: typeof tunnelTarget) =>
    joinHost(host, {
      archive,
      controllerUrl: url,
      token: issued.token,
      tunnel,
      lifetime,
      say,
      debug: options.verbose ? say : () => undefined,
      signal,
    });
  say(`connecting to ${describeTarget(host)}`);
  let tunnel = isTunnelWanted ? tunnelTarget : null;
  let joined = await attempt(tunnel);
  if (joined.kind === 'unreachable' && tunnel === null && tunnelTarget !== null && lifetime === 'channel') {
    say(`it does not reach the Controller at ${url}: using a tunnel through ssh`);
    tunnel = tunnelTarget;
    joined = await attempt(tunnel);
  }
  if (joined.kind !== 'joined') {
    await revokeQuietly(issued.revoke, say);
    const hint = joined.kind === 'unreachable' ? `. ${adviseReach(lifetime)}` : '';
    return signal.aborted ? refuse('stopped') : refuse(joined.reason + hint);
  }

  await issued.revokeOthers();
  const way = tunnel === null ? '' : ' through a tunnel';
  say(`joined${way} after ${((performance.now() - startMs) / 1000).toFixed(0)} s`);
  const result = { host, state: 'joined' as const, isTunnelled: tunnel !== null, reason: null };
  if (lifetime === 'service') {
    await joined.session[Symbol.asyncDispose]();
    return { result, session: null };
  }
  held.defer(() => revokeQuietly(issued.revoke, say));
  held.use(joined.session);
  return { result, session: joined.session };
}

const adviseReach = (lifetime: 'channel' | 'service') =>
  lifetime === 'service'
    ? 'A service needs the Controller in its network: "./http-ae up --host 0.0.0.0 --public-url URL". Without --service, ssh brings it there'
    : 'Start the Controller with --host 0.0.0.0 and --public-url';

/** The Controller may be gone by then. */
async function revokeQuietly(revoke: () => Promise<void>, say: (line: string) => void): Promise<void> {
  try {
    await revoke();
  } catch (error) {
    if (!(error instanceof AppError) && (error as Error).name !== 'AbortError') throw error;
    say('its token is not revoked: "./http-ae hosts down" does that');
  }
}

function describeResults({ url }: HostsController, results: UpResult[]) {
  return {
    controller: url,
    hosts: results.map(({ host, ...result }) => ({ name: host.name, target: describeTarget(host), ...result })),
  };
}
