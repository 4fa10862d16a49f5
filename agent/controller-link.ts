import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { ControllerLine, type LineOptions, type LineSocket, type SocketEvents } from '#core/agent/controller-line.ts';
import { AppError } from '#core/app-error.ts';
import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';

/** What an Agent logs of its line; `./http-ae hosts up` looks for them in the logs of others. */
export const connectedWords = 'Connected to';
export const unreachableWords = 'Cannot reach the Controller at';

/** The Controller sends a ping every five seconds. */
const silenceLimitMs = 15_000;
const handshakeLimitMs = 10_000;
const endWords = { broke: 'broke', 'fell-silent': 'fell silent', 'was-left': 'was left' } as const;

interface LinkOptions extends Pick<LineOptions, 'controllerUrls' | 'token' | 'mayMove' | 'sleep'> {
  hello: () => AgentMessage;
  /** When the line counts as silent; 15 s unless set. */
  silenceMs?: number;
  log: Logger;
  signal: AbortSignal;
}

interface LinkEvents {
  message: [ControllerMessage];
  connected: [];
  disconnected: [];
}

/** The line of an Agent in Node.js. */
export class ControllerLink extends EventEmitter<LinkEvents> {
  readonly #signal: AbortSignal;
  readonly #line: ControllerLine;
  #isUp = false;

  constructor({ log, signal, silenceMs = silenceLimitMs, ...options }: LinkOptions) {
    super();
    this.#signal = signal;
    this.#line = new ControllerLine({
      ...options,
      openSocket,
      silenceMs: { unwelcome: silenceMs, welcome: silenceMs },
      onUp: () => {
        this.#isUp = true;
        this.emit('connected');
      },
      onMessage: (message) => this.emit('message', message),
      onDown: ({ kind, wasWelcome, problem }, pauseMs) => {
        log.warn(
          wasWelcome
            ? `The line to ${this.controllerUrl} ${endWords[kind]}; connecting again`
            : `${unreachableWords} ${this.controllerUrl}: ${problem ?? 'it does not answer'}; trying again in ${pauseMs} ms`,
        );
        this.#noteDown();
      },
      warn: (problem) => log.error(problem),
    });
  }

  /** Of the Controller that it is connected to, or tries to reach. */
  get controllerUrl(): string {
    return this.#line.controllerUrl;
  }

  get isConnected(): boolean {
    return this.#line.isConnected;
  }

  /** `attached`: what is sent beside the message. */
  send(message: AgentMessage, attached: readonly Uint8Array[] = []): void {
    this.#line.send(message, attached);
  }

  /** Says hello again, over a new connection. */
  renew(): void {
    this.#line.renew();
  }

  /** Holds the line until the signal aborts. Rejects when the Controller refuses this Agent for good. */
  async run(): Promise<void> {
    const refusal = await this.#line.hold(this.#signal);
    this.#noteDown();
    if (refusal) throw new AppError(refusal.code === 'replaced' ? 'conflict' : refusal.code, refusal.message);
  }

  #noteDown(): void {
    if (this.#isUp) this.emit('disconnected');
    this.#isUp = false;
  }
}

function openSocket(url: URL, protocols: string[], { onOpen, onText, onClose }: SocketEvents): LineSocket {
  const socket = new WebSocket(url, protocols, {
    handshakeTimeout: handshakeLimitMs,
    maxPayload: 64 * 1024 * 1024,
  });
  let problem: string | null = null;
  socket.on('open', onOpen);
  socket.on('message', (data) => onText((data as Buffer).toString()));
  socket.on('error', (error) => (problem ??= error.message));
  socket.on('close', () => onClose(problem));
  return {
    send: (data) => socket.send(data),
    close: () => {
      socket.removeAllListeners();
      // Of a handshake that is broken off.
      socket.on('error', () => undefined);
      socket.terminate();
    },
  };
}
