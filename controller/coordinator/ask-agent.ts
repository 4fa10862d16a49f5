import { actAfter, realTime, type Time } from '#core/clock/time.ts';
import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { OrderLine } from './order-line.ts';

/** An Agent did not answer: it is not there, went away, or took too long. The message says which. */
export class AgentSilentError extends Error {
  override readonly name = 'AgentSilentError';
}

/** Sends one order to an Agent and resolves with its answer, the first message of which `readAnswer` makes something. Throws AgentSilentError. */
export async function askAgent<Answer>(
  hub: OrderLine,
  order: {
    agent: string;
    message: ControllerMessage;
    timeoutMs: number;
    readAnswer: (message: AgentMessage) => Answer | null;
    /** As time passes unless given. */
    sleep?: Time['sleep'];
  },
): Promise<Answer> {
  const { agent, message, timeoutMs, readAnswer, sleep = realTime.sleep } = order;
  if (!hub.isConnected(agent)) throw new AgentSilentError(`Agent "${agent}" is not connected`);

  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const handleMessage = (from: string, received: AgentMessage) => {
    const answer = from === agent ? readAnswer(received) : null;
    if (answer !== null) resolve(answer);
  };
  const handleDisconnected = (name: string) => {
    if (name === agent) reject(new AgentSilentError(`Agent "${agent}" disconnected before it answered`));
  };
  const over = new AbortController();
  const giveUp = () =>
    reject(new AgentSilentError(`Agent "${agent}" did not answer within ${Math.round(timeoutMs / 1000)} s`));
  actAfter(timeoutMs, giveUp, { sleep, signal: over.signal });
  hub.on('message', handleMessage);
  hub.on('disconnected', handleDisconnected);
  try {
    hub.send(agent, message);
    return await promise;
  } finally {
    over.abort();
    hub.off('message', handleMessage);
    hub.off('disconnected', handleDisconnected);
  }
}
