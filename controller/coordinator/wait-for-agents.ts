import { AppError } from '#core/app-error.ts';
import type { AgentHub } from '../hub/agent-hub.ts';

/** Resolves when all these Agents are connected. Rejects with `agent-missing` when they are not in time, and when aborted. */
export async function waitForAgents(hub: AgentHub, names: readonly string[], options: { timeoutMs: number; signal: AbortSignal }): Promise<void> {
  const { timeoutMs, signal } = options;
  const missing = () => names.filter((name) => !hub.isConnected(name));
  if (missing().length === 0) return;

  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const check = () => {
    if (missing().length === 0) resolve();
  };
  const abort = () => reject(signal.reason);
  const timer = setTimeout(() => {
    const commands = missing().map((name) => `./http-ae agent --controller URL --token TOKEN --name "${name}"`);
    reject(
      new AppError(
        'agent-missing',
        `${missing().map((name) => `"${name}"`).join(', ')} did not connect within ${Math.round(timeoutMs / 1000)} s: start ${commands.join(' and ')} on that machine, then run the Evaluation again`,
      ),
    );
  }, timeoutMs);
  hub.on('connected', check);
  signal.addEventListener('abort', abort);
  try {
    signal.throwIfAborted();
    await promise;
  } finally {
    clearTimeout(timer);
    hub.off('connected', check);
    signal.removeEventListener('abort', abort);
  }
}
