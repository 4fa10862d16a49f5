import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Server } from 'node:net';
import { userNamespacePrefix } from '#testbed/namespaces/enter-user-namespace.ts';
import { relayConnections, type RelayTarget } from './read-relay-target.ts';

/** A program that is root in a user namespace of its own. Disposing of it ends it and what was relayed for it. */
export interface InsideProcess extends AsyncDisposable {
  /** Its exit status; 1 for a signal. */
  exited: Promise<number>;
  /** Asks it to end. */
  end(): void;
  send(message: object): void;
  /** Calls `listener` for each message of its own. */
  onMessage(listener: (message: unknown) => void): void;
}

/**
 * Starts a Node program as root of a user namespace. Of this machine it reaches `target` only, by the ports that it has forwarded (`forwardPort`): these are accepted here. It is to
 * end when its channel to this process closes (`watchParent`), which happens however this one ends.
 */
export function startInUserNamespace(
  command: readonly string[],
  { target, environment = {} }: { target: RelayTarget; environment?: Record<string, string> },
): InsideProcess {
  const [program, ...prefix] = userNamespacePrefix;
  const child = spawn(program, [...prefix, process.execPath, ...process.execArgv, ...command], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  // Not `close`, which does not come where the channel was closed from this side.
  const exited = (once(child, 'exit') as Promise<[number | null]>).then(([status]) => status ?? 1);
  const relays = new AsyncDisposableStack();
  const listeners: ((message: unknown) => void)[] = [];
  child.on('message', (message, handle) => {
    if (handle instanceof Server) relays.use(relayConnections(handle, target));
    else for (const listener of listeners) listener(message);
  });
  const end = () => child.connected && child.disconnect();
  return {
    exited,
    end,
    send: (message) => void child.send(message),
    onMessage: (listener) => void listeners.push(listener),
    [Symbol.asyncDispose]: async () => {
      end();
      await exited;
      await relays.disposeAsync();
    },
  };
}
