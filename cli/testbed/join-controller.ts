import type { Logger } from 'pino';
import { runAgent } from '#agent/run-agent.ts';
import { AppError } from '#core/app-error.ts';
import type { EmulatedNetwork } from '#testbed/emulated-network.ts';
import { startAgentProcess } from '../agent/agent-process.ts';
import { readVersion } from '../read-version.ts';
import { forwardPort } from './forward-port.ts';

/** The names of the three Agents of a testbed: `testbed` sets the network, the others are its two ends. */
export const testbedHosts = { network: 'testbed', ground: 'ground', remote: 'remote' } as const;

interface JoinOptions {
  controllerUrl: string;
  token: string;
  chromePath: string;
  /** Left out or null: no Firefox is run. */
  firefoxPath?: string | null;
  homeFolder: string;
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
 * Joins a testbed to a Controller as three Agents. The Agents of `ground` and `remote` are processes in these namespaces, which reach the Controller
 * by their management links; User Agents run in `remote`. Throws `invalid-input` when the Controller speaks https, which cannot be handed on under another address.
 */
export async function joinController(emulated: EmulatedNetwork, options: JoinOptions): Promise<JoinedTestbed> {
  const { controllerUrl, token, chromePath, firefoxPath, homeFolder, allowScripts, isVerbose, say, log } = options;
  const { protocol, hostname, port } = new URL(controllerUrl);
  if (protocol !== 'http:') throw new AppError('invalid-input', `--controller ${controllerUrl}: a testbed joins by http: name the Controller by an http address of this machine or its network`);

  await using resources = new AsyncDisposableStack();
  const failures: AbortSignal[] = [];
  for (const place of ['ground', 'remote'] as const) {
    const { hostAddress } = emulated.network[place].management;
    const gateway = resources.use(await forwardPort(hostAddress, { host: hostname.replace(/^\[|\]$/g, ''), port: Number(port || 80) }));
    const agent = startAgentProcess({
      controllerUrl: `http://${hostAddress}:${gateway.port}`,
      token,
      name: testbedHosts[place],
      chromePath: place === 'remote' ? chromePath : null,
      firefoxPath: place === 'remote' ? firefoxPath : null,
      homeFolder,
      allowScripts,
      prefix: emulated.network.enter(place),
      isVerbose,
      say,
    });
    failures.push(resources.use(agent).failed);
  }

  const ending = new AbortController();
  const failing = new AbortController();
  const over = runAgent({
    controllerUrl, token, name: testbedHosts.network, allowScripts: false, chromePath: null, homeFolder, agentVersion: readVersion(), testbed: emulated, log, signal: ending.signal,
  }).catch((error: unknown) => failing.abort(error));
  resources.defer(async () => {
    ending.abort();
    await over;
  });

  const stack = resources.move();
  return { failed: AbortSignal.any([...failures, failing.signal, emulated.link.failed]), [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
