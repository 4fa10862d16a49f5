import { once } from 'node:events';
import { connect } from 'node:net';
import type { ReadyWhen } from '#core/evaluation/scenarios/scenario-process.ts';

const answerWithinMs = 5_000;

/** Why nothing is ready at a port or URL; null when it is. */
export async function probeReadiness(
  readyWhen: Exclude<ReadyWhen, { line: string }>,
  signal: AbortSignal,
): Promise<string | null> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(answerWithinMs)]);
  return 'port' in readyWhen ? await probePort(readyWhen, limit) : await probeUrl(readyWhen.http, limit);
}

async function probePort({ port, address }: { port: number; address: string }, signal: AbortSignal) {
  const socket = connect({ host: address, port });
  try {
    await once(socket, 'connect', { signal });
    return null;
  } catch (error) {
    return `port ${port} of ${address} accepts no connection (${(error as Error).message})`;
  } finally {
    socket.destroy();
  }
}

async function probeUrl(url: string, signal: AbortSignal) {
  try {
    const response = await fetch(url, { signal, redirect: 'manual' });
    await response.body?.cancel();
    return response.status < 500 ? null : `${url} answers with status ${response.status}`;
  } catch (error) {
    const { cause, message } = error as Error;
    return `${url} does not answer (${cause instanceof Error ? cause.message : message})`;
  }
}
