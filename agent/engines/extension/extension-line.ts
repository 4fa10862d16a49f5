import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import {
  AgentMessageSchema,
  protocolVersion,
  type AgentMessage,
  type ControllerMessage,
} from '#core/protocol/agent-messages.ts';
import { lineSubprotocol, readOfferedToken } from '#core/protocol/line-credentials.ts';
import { readFrame, readMessage } from '#core/protocol/read-message.ts';
import { epochClock } from '#core/clock/epoch-clock.ts';

const pingEveryMs = 20_000;

/**
 * This Agent as the Controller of one extension on this machine: it speaks the same protocol as the real one, so that the extension is the same, whether a person or an Agent started its browser.
 */
export class ExtensionLine implements AsyncDisposable {
  readonly #http = createServer();
  readonly #token: string;
  readonly #server = new WebSocketServer({
    server: this.#http,
    path: '/agent',
    maxPayload: 64 * 1024 * 1024,
    // Any program of this machine may knock here, and so may any page.
    verifyClient: ({ req }: { req: IncomingMessage }) =>
      readOfferedToken(req.headers['sec-websocket-protocol']) === this.#token,
    handleProtocols: () => lineSubprotocol,
  });
  readonly #pings: NodeJS.Timeout;
  readonly #listeners = new Set<(message: AgentMessage, attached: Uint8Array<ArrayBuffer>) => void>();
  #socket: WebSocket | null = null;

  static async open(token: string): Promise<ExtensionLine> {
    const line = new ExtensionLine(token);
    line.#http.listen(0, '127.0.0.1');
    await once(line.#http, 'listening');
    return line;
  }

  private constructor(token: string) {
    this.#token = token;
    this.#server.on('connection', (socket) => {
      socket.on('error', () => socket.terminate());
      socket.on('message', (data, isBinary) => this.#handle(data, { socket, isBinary }));
    });
    this.#pings = setInterval(() => this.send({ type: 'ping', isNeeded: true }), pingEveryMs);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#http.address() as AddressInfo).port}`;
  }

  /** What is sent while the extension is not connected is dropped. */
  send(message: ControllerMessage): void {
    this.#socket?.send(JSON.stringify(message));
  }

  /** Resolves with the first message from now on for which `pick` gives something. Rejects with the signal's reason when aborted before. */
  async next<T>(
    pick: (message: AgentMessage, attached: Uint8Array<ArrayBuffer>) => T | undefined,
    signal: AbortSignal,
  ): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const listen = (message: AgentMessage, attached: Uint8Array<ArrayBuffer>) => {
      try {
        const picked = pick(message, attached);
        if (picked !== undefined) resolve(picked);
      } catch (error) {
        reject(error); // what is attached cannot be read
      }
    };
    const abort = () => reject(signal.reason);
    this.#listeners.add(listen);
    signal.addEventListener('abort', abort);
    try {
      signal.throwIfAborted();
      return await promise;
    } finally {
      this.#listeners.delete(listen);
      signal.removeEventListener('abort', abort);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#pings);
    for (const client of this.#server.clients) client.terminate();
    this.#server.close();
    const closed = once(this.#http, 'close');
    this.#http.close();
    // Who has connected and asked for nothing would be waited for.
    this.#http.closeAllConnections();
    await closed;
  }

  #handle(data: RawData, { socket, isBinary }: { socket: WebSocket; isBinary: boolean }): void {
    const receivedEpochMs = epochClock();
    const bytes = data as Buffer<ArrayBuffer>;
    const frame = isBinary ? readFrame(bytes) : { text: bytes.toString(), attached: new Uint8Array() };
    const message = frame && readMessage(AgentMessageSchema, frame.text);
    if (!message) return socket.terminate();
    if (message.type === 'hello') {
      if (message.protocolVersion !== protocolVersion) return socket.terminate();
      this.#socket = socket;
      this.send({ type: 'welcome', controllerVersion: message.agentVersion });
    } else if (socket !== this.#socket) {
      return socket.terminate();
    } else if (message.type === 'clock-request') {
      this.send({
        type: 'clock-reply',
        agentEpochMs: message.agentEpochMs,
        receivedEpochMs,
        repliedEpochMs: epochClock(),
      });
    }
    for (const listen of this.#listeners) listen(message, frame.attached);
  }
}
