import { EventEmitter } from 'node:events';
import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import { WebSocketServer } from 'ws';
import { protocolVersion, type AgentMessage, type ControllerMessage, type HostFacts } from '#core/protocol/agent-messages.ts';
import { AgentConnection } from './agent-connection.ts';

type Hello = Extract<AgentMessage, { type: 'hello' }>;

interface HubEvents {
  connected: [name: string, hello: Hello];
  disconnected: [name: string];
  message: [name: string, message: AgentMessage];
}

interface HubOptions {
  controllerVersion: string;
  /** Resolves to the token's id, or null when it is unknown, revoked, of another scope, or not for an Agent of this name. */
  verifyToken: (hello: { token: string; name: string }) => Promise<string | null>;
  /** Stores what the Agent told of itself. */
  recordAgent: (agent: { name: string; tokenId: string; agentVersion: string; facts: HostFacts }) => Promise<void>;
  log: Logger;
}

/** Every Agent that is connected, by name; the one place that sends to them. */
export class AgentHub extends EventEmitter<HubEvents> {
  private readonly options: HubOptions;
  private readonly server = new WebSocketServer({ noServer: true, maxPayload: 64 * 1024 * 1024 });
  private readonly agents = new Map<string, { connection: AgentConnection; facts: HostFacts; tokenId: string }>();

  constructor(options: HubOptions) {
    super();
    this.options = options;
  }

  /** Takes over the upgrade of `/agent` on this HTTP server; any other upgrade is refused. */
  attach(httpServer: Server): void {
    httpServer.on('upgrade', (request, socket: Duplex, head) => {
      if (URL.parse(request.url ?? '/', 'http://controller')?.pathname !== '/agent') {
        socket.on('error', () => undefined); // whoever asked is gone
        socket.end('HTTP/1.1 404 Not Found\r\nconnection: close\r\n\r\n', () => socket.destroy());
        return;
      }
      this.server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = new AgentConnection(webSocket, this.options.log);
        connection.on('hello', (hello) => {
          this.admit(connection, hello).catch((error: unknown) => {
            this.options.log.error({ err: error }, 'An Agent could not be admitted; it will try again');
            connection.terminate();
          });
        });
      });
    });
  }

  isConnected(name: string): boolean {
    return this.agents.has(name);
  }

  factsOf(name: string): HostFacts | null {
    return this.agents.get(name)?.facts ?? null;
  }

  /** What is sent to an Agent that is not connected is dropped: who waits for the answer sees `disconnected`. */
  send(name: string, message: ControllerMessage): void {
    this.agents.get(name)?.connection.send(message);
  }

  /** Ends the line of every Agent that came with this token, for good. */
  dropToken(tokenId: string): void {
    for (const { connection, tokenId: own } of this.agents.values()) {
      if (own === tokenId) connection.refuse({ code: 'token-refused', message: 'The token was revoked: make a new one under Hosts in the web UI' });
    }
  }

  /** Breaks the line of an Agent, which connects again and sends once more what was not acknowledged. */
  breakLine(name: string): void {
    this.agents.get(name)?.connection.terminate();
  }

  close(): void {
    for (const { connection } of this.agents.values()) connection.terminate();
    for (const client of this.server.clients) client.terminate();
    this.server.close();
  }

  private async admit(connection: AgentConnection, hello: Hello): Promise<void> {
    const { controllerVersion, verifyToken, recordAgent, log } = this.options;
    const { name, agentVersion, facts } = hello;
    if (hello.protocolVersion !== protocolVersion) {
      connection.refuse({
        code: 'protocol-mismatch',
        message: `This Controller (${controllerVersion}) speaks protocol ${protocolVersion}, the Agent (${agentVersion}) ${hello.protocolVersion}: install the same version of HTTP-AE on both`,
      });
      return;
    }
    const tokenId = await verifyToken(hello);
    if (tokenId === null) {
      connection.refuse({ code: 'token-refused', message: `The token is unknown, revoked, or not one for an Agent named "${name}": make a new one under Hosts in the web UI` });
      return;
    }
    await recordAgent({ name, tokenId, agentVersion, facts });
    if (connection.isOver) return;

    this.agents.get(name)?.connection.refuse({ code: 'replaced', message: `Another Agent connected with the name "${name}": every Agent needs a name of its own` });
    connection.name = name;
    this.agents.set(name, { connection, facts, tokenId });
    connection.on('message', (message) => this.emit('message', name, message));
    connection.on('closed', () => {
      if (this.agents.get(name)?.connection !== connection) return;
      this.agents.delete(name);
      log.info(`Agent "${name}" is gone`);
      this.emit('disconnected', name);
    });
    connection.send({ type: 'welcome', controllerVersion });
    log.info(`Agent "${name}" (${agentVersion}) is connected`);
    this.emit('connected', name, hello);
  }
}
