import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { AppError } from '#core/app-error.ts';
import { ControllerMessageSchema, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { readMessage } from '#core/protocol/read-message.ts';
import { agentEndpoint } from '#core/protocol/agent-endpoint.ts';
import { writeFrame } from '#core/protocol/line-frame.ts';
import { offerToken } from '#core/protocol/line-credentials.ts';
import { unreachableWords } from './link-words.ts';

const silenceLimitMs = 45_000;
const firstPauseMs = 250;
const longestPauseMs = 5_000;

interface LinkOptions {
  controllerUrl: string;
  token: string;
  /** Made for each connection, because it lists the Passes that are held now. */
  hello: () => AgentMessage;
  log: Logger;
  signal: AbortSignal;
}

interface LinkEvents {
  message: [ControllerMessage];
  connected: [];
  disconnected: [];
}

/**
 * The Agent's one line to its Controller: connects, says hello, and connects again for as long as it takes when the line
 * breaks. What is sent while the line is down is dropped: all that must not be lost is in the spool or sent again by `hello`.
 */
export class ControllerLink extends EventEmitter<LinkEvents> {
  readonly #options: LinkOptions;
  #socket: WebSocket | null = null;

  constructor(options: LinkOptions) {
    super();
    this.#options = options;
  }

  get isConnected(): boolean {
    return this.#socket !== null;
  }

  /** `attached`: what is sent beside the message. */
  send(message: AgentMessage, attached: readonly Uint8Array[] = []): void {
    this.#socket?.send(writeFrame(message, attached));
  }

  /** Holds the line until the signal aborts. Rejects when the Controller refuses this Agent for good. */
  async run(): Promise<void> {
    const { log, signal, controllerUrl } = this.#options;
    const isOver = () => signal.aborted;
    let pauseMs = firstPauseMs;
    while (!isOver()) {
      try {
        await this.#holdOneConnection(() => (pauseMs = firstPauseMs));
        if (!isOver()) log.warn(`The line to ${controllerUrl} broke; connecting again`);
      } catch (error) {
        if (error instanceof AppError) throw error;
        log.warn(`${unreachableWords} ${controllerUrl}: ${(error as Error).message}; trying again in ${pauseMs} ms`);
      }
      await pause(pauseMs, signal);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  /** Resolves when an established connection closed; rejects when it could not be made, or was refused. */
  #holdOneConnection(onWelcome: () => void): Promise<void> {
    const { hello, log, signal, controllerUrl, token } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const socket = new WebSocket(agentEndpoint(controllerUrl), offerToken(token), {
      handshakeTimeout: 10_000,
      maxPayload: 64 * 1024 * 1024,
    });
    let silence: NodeJS.Timeout | undefined;
    const expectWord = () => {
      clearTimeout(silence);
      silence = setTimeout(() => socket.terminate(), silenceLimitMs);
    };
    const close = () => socket.terminate();
    signal.addEventListener('abort', close);

    socket.on('open', () => {
      expectWord();
      socket.send(JSON.stringify(hello()));
    });
    socket.on('message', (data) => {
      expectWord();
      const message = readMessage(ControllerMessageSchema, (data as Buffer).toString());
      if (!message) {
        log.error('The Controller sent a message that this version does not know; it is ignored');
      } else if (message.type === 'ping') {
        socket.send(JSON.stringify({ type: 'pong' } satisfies AgentMessage));
      } else if (message.type === 'refused') {
        reject(new AppError(message.code === 'replaced' ? 'conflict' : message.code, message.message));
        socket.close();
      } else {
        if (message.type === 'welcome') {
          onWelcome();
          this.#socket = socket;
          this.emit('connected');
        }
        this.emit('message', message);
      }
    });
    socket.on('error', reject);
    socket.on('close', () => {
      clearTimeout(silence);
      signal.removeEventListener('abort', close);
      if (this.#socket === socket) {
        this.#socket = null;
        this.emit('disconnected');
      }
      resolve();
    });
    return promise;
  }
}

function pause(durationMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, durationMs);
    signal.addEventListener('abort', end);
  });
}
