import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import { agentEndpoint } from '#core/protocol/line-credentials.ts';

export interface Gate extends AsyncDisposable {
  readonly url: string;
  /** How many connections came. */
  knocks: number;
  /** While shut, every connection is broken off. */
  isShut: boolean;
  /** What the Controller hears instead of the Agent's own protocol version. */
  protocolVersion: number | null;
}

/** A way to a real Controller for Agents, where their connections are counted. Open at first. */
export async function openGate(controllerUrl: string): Promise<Gate> {
  const http = createServer();
  const server = new WebSocketServer({ server: http });
  http.listen(0, '127.0.0.1');
  await once(http, 'listening');
  const gate: Gate = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    knocks: 0,
    isShut: false,
    protocolVersion: null,
    [Symbol.asyncDispose]: async () => {
      for (const client of server.clients) client.terminate();
      server.close();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
  http.on('connection', (socket) => {
    gate.knocks++;
    if (gate.isShut) socket.destroy();
  });
  server.on('connection', (agent, request) => {
    // Its token is among them.
    const offered = request.headers['sec-websocket-protocol']?.split(', ') ?? [];
    const controller = new WebSocket(agentEndpoint(controllerUrl), offered);
    const opened = once(controller, 'open');
    agent.on('message', (data: Buffer) => void opened.then(() => controller.send(alter(data.toString(), gate))));
    agent.on('close', () => controller.terminate());
    controller.on('message', (data: Buffer) => agent.send(data.toString()));
    controller.on('close', () => agent.close());
    controller.on('error', () => agent.terminate());
  });
  return gate;
}

function alter(text: string, { protocolVersion }: Gate): string {
  const message = JSON.parse(text) as AgentMessage;
  return message.type === 'hello' && protocolVersion !== null ? JSON.stringify({ ...message, protocolVersion }) : text;
}
