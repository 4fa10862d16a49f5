import type { Logger } from 'pino';
import type { ExtensionTarget } from '#agent/engines/extension/pack-extension.ts';
import { runAgent } from '#agent/run-agent.ts';
import type { HostOrigin } from '#core/protocol/host-origin.ts';
import type { EmulatedNetwork } from '#testbed/emulated-network.ts';
import { startAgentProcess } from '../agent/agent-process.ts';
import { readVersion, launcher } from '../installation.ts';
import { readRelayTarget, relayConnections, type RelayTarget } from './read-relay-target.ts';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { resolveInTestbed } from '#testbed/hosts/dns/resolve-in-testbed.ts';
import { isHeadOfUserNamespace } from '#testbed/namespaces/enter-user-namespace.ts';

/** The names of the Agents of a testbed: `testbed` sets the network, the others are its two ends. Those of users and of the nodes of a path have the names of their places: `user1`, `terminal`, … */
export const testbedHosts = { network: 'testbed', ground: 'ground', remote: 'remote' } as const;

interface JoinOptions {
  controllerUrl: string;
  token: string;
  chromePath: string;
  /** Left out or null: no Firefox is run. */
  firefoxPath?: string | null;
  /** Which of the two is also run with the extension in it. */
  extension?: ExtensionTarget | undefined;
  homeFolder: string;
  /** The origin in `ground`; left out or null where there is none. */
  origin?: HostOrigin | null;
  allowScripts: boolean;
  isVerbose: boolean;
  say: (line: string) => void;
  log: Logger;
}

export interface JoinedTestbed extends AsyncDisposable {
  /** Aborts, with an AppError, when one of its Agents is gone for good. */
  failed: AbortSignal;
}

/**
 * Joins a testbed to a Controller as three Agents, one of each user that has a namespace of its own, and those of the nodes that it was opened with. Those of the places are processes there, which reach the Controller
 * by their management links; User Agents run in `remote`, and where users are. Throws `invalid-input` when the Controller speaks https, which cannot be handed on under another address.
 */
export async function joinController(emulated: EmulatedNetwork, options: JoinOptions): Promise<JoinedTestbed> {
  const {
    controllerUrl,
    token,
    chromePath,
    firefoxPath,
    extension,
    homeFolder,
    origin = null,
    allowScripts,
    isVerbose,
    say,
    log,
  } = options;
  const target = readRelayTarget(controllerUrl);
  const { network } = emulated;
  const [ground, remote] = (['ground', 'remote'] as const).map((place) => ({
    ...network[place],
    place,
    enter: network.enter(place),
  }));

  await using resources = new AsyncDisposableStack();
  const openGateway = async (address: string) =>
    `http://${address}:${resources.use(await forwardPort(address, target)).port}`;
  const failures: AbortSignal[] = [];
  for (const end of [ground!, remote!, ...network.users, ...network.nodes]) {
    const hasBrowsers = end === remote || network.users.some(({ place }) => place === end.place);
    const agent = startAgentProcess({
      controllerUrl: await openGateway(end.management.hostAddress),
      token,
      name: end.place,
      chromePath: hasBrowsers ? chromePath : null,
      firefoxPath: hasBrowsers ? firefoxPath : null,
      extension: hasBrowsers ? extension : undefined,
      homeFolder,
      origin,
      allowScripts,
      prefix: [...end.enter, ...resolveInTestbed],
      isVerbose,
      say,
    });
    failures.push(resources.use(agent).failed);
  }

  const ending = new AbortController();
  const failing = new AbortController();
  const over = runAgent({
    controllerUrl: await openGateway('127.0.0.1'),
    token,
    name: testbedHosts.network,
    allowScripts: false,
    chromePath: null,
    homeFolder,
    agentVersion: readVersion(),
    launcher,
    testbed: emulated,
    log,
    signal: ending.signal,
  }).catch((error: unknown) => failing.abort(error));
  resources.defer(async () => {
    ending.abort();
    await over;
  });

  const stack = resources.move();
  return {
    failed: AbortSignal.any([...failures, failing.signal, emulated.failed]),
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/**
 * Lets the inside of a namespace reach a server of this machine: listens on `host`, an address of the management link, and hands every
 * connection on to `target`. The control plane thus never crosses the emulated link, and the server need not listen on other addresses.
 * At the head of a user namespace, which nothing leads out of, it is the process that started this one outside that accepts the connections (`startInUserNamespace`):
 * a socket stays in the namespace that it was made in, no matter which process holds it. That process knows the target itself.
 */
async function forwardPort(host: string, target: RelayTarget): Promise<{ port: number } & AsyncDisposable> {
  const server = createServer();
  await once(server.listen(0, host), 'listening');
  const { port } = server.address() as AddressInfo;
  if (!isHeadOfUserNamespace()) return { port, ...relayConnections(server, target) };
  await handOver(server);
  return { port, [Symbol.asyncDispose]: () => Promise.resolve() };
}

async function handOver(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) =>
    process.send!({ kind: 'relay' }, server, undefined, (error) => (error ? reject(error) : resolve())),
  );
  server.close(); // what was handed over listens on
}
