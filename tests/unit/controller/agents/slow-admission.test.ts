import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { AgentHub } from '#controller/agents/agent-hub.ts';
import { protocolVersion, type AgentMessage } from '#core/protocol/agent-messages.ts';
import { offerToken } from '#core/protocol/line-credentials.ts';
import { laptopFacts } from '#tests/support/join-agent.ts';

const hello: AgentMessage = {
  type: 'hello',
  protocolVersion,
  agentVersion: '1.2.3',
  name: 'laptop',
  passes: [],
  facts: laptopFacts,
};

test('an Agent that came again while the database was slow to admit it keeps its newer line', async () => {
  const recordings: PromiseWithResolvers<number>[] = [];
  const hub = new AgentHub({
    controllerVersion: '1.2.3',
    verifyToken: () => Promise.resolve('1'),
    recordAgent: () => {
      const recording = Promise.withResolvers<number>();
      recordings.push(recording);
      return recording.promise;
    },
    log: pino({ level: 'silent' }),
  });
  const server = createServer();
  hub.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const come = async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/agent`, offerToken('right'));
    await once(socket, 'open');
    const count = recordings.length + 1;
    socket.send(JSON.stringify(hello));
    await expect.poll(() => recordings.length).toBe(count);
    return socket;
  };
  const [older, newer] = [await come(), await come()];
  const heard: string[] = [];
  newer.on('message', (data: Buffer) => heard.push((JSON.parse(data.toString()) as { type: string }).type));
  recordings[1]!.resolve(2);
  await once(hub, 'connected');
  const closed = once(older, 'close');
  recordings[0]!.resolve(1);
  await closed;
  expect([hub.lineOf('laptop'), newer.readyState, heard]).toEqual([2, WebSocket.OPEN, ['welcome']]);
  hub.close();
  server.close();
  await once(server, 'close');
});
