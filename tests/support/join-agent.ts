import { once } from 'node:events';
import { WebSocket } from 'ws';
import { issueToken } from '#controller/people/tokens.ts';
import { protocolVersion, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { type HostFacts } from '#core/protocol/host-facts.ts';
import { hostFacts } from './sample-host-facts.ts';
import { offerToken, agentEndpoint } from '#core/protocol/line-credentials.ts';
import type { Controller } from '#controller/start-controller.ts';

/** A Host with two engines. */
export const laptopFacts: HostFacts = {
  ...hostFacts,
  hostname: 'laptop',
  interfaces: [
    { name: 'eth0', addresses: ['192.0.2.7'] },
    { name: 'eth1', addresses: ['198.51.100.7'] },
  ],
  engines: [
    { engine: 'chrome', version: '150' },
    { engine: 'http', version: '0.1.0' },
  ],
};

type Hello = Extract<AgentMessage, { type: 'hello' }>;

interface JoinedAgent extends AsyncDisposable {
  /** All that the Controller sent to it. */
  heard: ControllerMessage[];
  say: (message: AgentMessage) => void;
}

/** Connects as an Agent that reports these facts and the Passes that it holds, and does nothing else, until it is disposed of. */
export async function joinAgent(
  { url, pool }: Pick<Controller, 'url' | 'pool'>,
  { name, facts = laptopFacts, passes = [] }: { name: string; facts?: HostFacts; passes?: Hello['passes'] },
): Promise<JoinedAgent> {
  const { token } = await issueToken(pool, { name: `token of ${name}`, scope: 'agent' });
  const socket = new WebSocket(agentEndpoint(url), offerToken(token));
  const say = (message: AgentMessage) => socket.send(JSON.stringify(message));
  const heard: ControllerMessage[] = [];
  const welcome = Promise.withResolvers<void>();
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as ControllerMessage;
    heard.push(message);
    if (message.type === 'welcome') welcome.resolve();
    if (message.type === 'refused') welcome.reject(new Error(message.message));
    if (message.type === 'ping') say({ type: 'pong' });
  });
  await once(socket, 'open');
  say({ type: 'hello', protocolVersion, agentVersion: '0', name, facts, passes });
  await welcome.promise;
  return {
    heard,
    say,
    [Symbol.asyncDispose]: async () => {
      if (socket.readyState === WebSocket.CLOSED) return;
      socket.close();
      await once(socket, 'close');
    },
  };
}
