import { AppError } from '#core/app-error.ts';
import { actAfter, type Time } from '#core/clock/time.ts';
import type { OrderLine } from './order-line.ts';
import type { RunContext } from './run-context.ts';

const lookEveryMs = 1_000;

/** Resolves when all these Agents are connected, to any Controller. Rejects with `agent-missing` when they are not in time, and when aborted. */
export async function waitForAgents(
  { hub, lookForAgents, time }: Pick<RunContext, 'hub' | 'lookForAgents' | 'time'>,
  names: readonly string[],
  options: { timeoutMs: number; signal: AbortSignal },
): Promise<void> {
  const { timeoutMs, signal } = options;
  const deadlineMs = time.clock() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    await lookForAgents();
    const missing = names.filter((name) => !hub.isConnected(name));
    if (missing.length === 0) return;
    const leftMs = deadlineMs - time.clock();
    if (leftMs <= 0) throw missingError(missing, timeoutMs);
    await nextArrival(hub, { withinMs: Math.min(lookEveryMs, leftMs), sleep: time.sleep, signal });
  }
}

function missingError(missing: readonly string[], timeoutMs: number): AppError {
  const names = missing.map((name) => `"${name}"`).join(', ');
  const commands = missing.map((name) => `./http-ae agent --controller URL --token TOKEN --name "${name}"`);
  return new AppError(
    'agent-missing',
    `${names} did not connect within ${Math.round(timeoutMs / 1000)} s: start ${commands.join(' and ')} on that machine, then run the Evaluation again`,
  );
}

/** Resolves when an Agent connects, after that time, or when aborted. */
async function nextArrival(
  hub: OrderLine,
  { withinMs, sleep, signal }: { withinMs: number; sleep: Time['sleep']; signal: AbortSignal },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const arrive = () => resolve();
  const over = new AbortController();
  actAfter(withinMs, arrive, { sleep, signal: over.signal });
  hub.on('connected', arrive);
  signal.addEventListener('abort', arrive, { once: true });
  if (signal.aborted) arrive(); // while it was looked where they are
  try {
    await promise;
  } finally {
    over.abort();
    hub.off('connected', arrive);
    signal.removeEventListener('abort', arrive);
  }
}
