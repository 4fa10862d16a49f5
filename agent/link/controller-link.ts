import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import { WebSocket } from 'ws';
import { AppError } from '#core/app-error.ts';
import { realTime, type Time, actEvery } from '#core/clock/time.ts';
import { StepsSinceHello } from '#core/agent/steps-since-hello.ts';
import { ControllerMessageSchema, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { readMessage } from '#core/protocol/read-message.ts';
import { agentEndpoint } from '#core/protocol/agent-endpoint.ts';
import { writeFrame } from '#core/protocol/line-frame.ts';
import { offerToken } from '#core/protocol/line-credentials.ts';

/** What an Agent logs of its line; `./http-ae hosts up` looks for them in the logs of others. */
export const connectedWords = 'Connected to';
export const unreachableWords = 'Cannot reach the Controller at';

const tickMs = 1_000;

/**
 * Calls `onSilence` when nothing was heard for so long. It counts seconds in which this process ran: one that stood still itself finds what came
 * meanwhile, before it takes the other end for dead.
 */
export class SilenceWatch implements Disposable {
  readonly #end = new AbortController();
  #silentTicks = 0;

  constructor({ limitMs, onSilence, sleep }: { limitMs: number; onSilence: () => void; sleep: Time['sleep'] }) {
    const limitTicks = Math.ceil(limitMs / tickMs);
    const count = () => {
      if (++this.#silentTicks === limitTicks) onSilence();
    };
    actEvery(tickMs, count, { sleep, signal: this.#end.signal });
  }

  hear(): void {
    this.#silentTicks = 0;
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }
}

/** The Controller sends a ping every five seconds. */
const silenceLimitMs = 15_000;
const handshakeLimitMs = 10_000;
const healthLimitMs = 2_000;
const firstPauseMs = 250;
const longestPauseMs = 5_000;

interface LinkOptions {
  /** Of Controllers on one database, the preferred one first. */
  controllerUrls: readonly string[];
  token: string;
  /** Made for each connection, because it lists the Passes that are held now. */
  hello: () => AgentMessage;
  /** Whether nothing is under way that a change to another Controller would disturb; always where left out. */
  mayMove?: () => boolean;
  /** When the line counts as silent; 15 s unless set. */
  silenceMs?: number;
  /** Of this process unless given. */
  sleep?: Time['sleep'];
  log: Logger;
  signal: AbortSignal;
}

type LineEnd = 'broke' | 'fell silent' | 'was left';

interface LinkEvents {
  message: [ControllerMessage];
  connected: [];
  disconnected: [];
}

/**
 * The Agent's one line to its Controller: connects, says hello, and connects again for as long as it takes when the line
 * breaks. What is sent while the line is down is dropped: all that must not be lost is in the spool or sent again by `hello`. Steps of Passes that come after
 * the hello are sent after the welcome.
 *
 * It prefers the first address: all Agents of a Run must come to one Controller. The next ones are for when that one does not answer, or falls silent. From
 * these an idle line returns when an earlier one answers again.
 */
export class ControllerLink extends EventEmitter<LinkEvents> {
  readonly #options: LinkOptions;
  #socket: WebSocket | null = null;
  /** The place of the address that is in use or tried. */
  #place = 0;
  readonly #steps = new StepsSinceHello();

  constructor(options: LinkOptions) {
    super();
    this.#options = options;
  }

  /** Of the Controller that it is connected to, or tries to reach. */
  get controllerUrl(): string {
    return this.#options.controllerUrls[this.#place]!;
  }

  get isConnected(): boolean {
    return this.#socket !== null;
  }

  /** `attached`: what is sent beside the message. */
  send(message: AgentMessage, attached: readonly Uint8Array[] = []): void {
    if (this.#socket) this.#socket.send(writeFrame(message, attached));
    else this.#steps.note(message);
  }

  /** Holds the line until the signal aborts. Rejects when the Controller refuses this Agent for good. */
  async run(): Promise<void> {
    const { log, signal, controllerUrls, sleep = realTime.sleep } = this.#options;
    const isOver = () => signal.aborted;
    let pauseMs = firstPauseMs;
    while (!isOver()) {
      try {
        const end = await this.#holdOneConnection(() => (pauseMs = firstPauseMs));
        if (!isOver()) log.warn(`The line to ${this.controllerUrl} ${end}; connecting again`);
        this.#place = end === 'fell silent' ? (this.#place + 1) % controllerUrls.length : 0;
      } catch (error) {
        if (error instanceof AppError) throw error;
        log.warn(
          `${unreachableWords} ${this.controllerUrl}: ${(error as Error).message}; trying again in ${pauseMs} ms`,
        );
        this.#place = (this.#place + 1) % controllerUrls.length;
      }
      await sleep(pauseMs, signal).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
  }

  /** Whether a Controller that is preferred to the one in use answers, and nothing is under way. */
  async #mayReturn(): Promise<boolean> {
    const { controllerUrls, mayMove = () => true } = this.#options;
    if (this.#place === 0 || !mayMove()) return false;
    const answers = await Promise.all(controllerUrls.slice(0, this.#place).map(isHealthy));
    return answers.includes(true) && mayMove();
  }

  /** Resolves when an established connection closed; rejects when it could not be made, or was refused. */
  #holdOneConnection(onWelcome: () => void): Promise<LineEnd> {
    const { hello, log, signal, token, silenceMs = silenceLimitMs, sleep = realTime.sleep } = this.#options;
    const { promise, resolve, reject } = Promise.withResolvers<LineEnd>();
    const socket = new WebSocket(agentEndpoint(this.controllerUrl), offerToken(token), {
      handshakeTimeout: handshakeLimitMs,
      maxPayload: 64 * 1024 * 1024,
    });
    let end: LineEnd = 'broke';
    const close = (reason: LineEnd) => {
      end = reason;
      socket.terminate();
    };
    const silence = new SilenceWatch({ limitMs: silenceMs, onSilence: () => close('fell silent'), sleep });
    const lookBack = () => {
      void this.#mayReturn().then((may) => {
        if (may && socket.readyState === WebSocket.OPEN) close('was left');
      });
    };
    const abort = () => close('broke');
    signal.addEventListener('abort', abort);

    socket.on('open', () => {
      silence.hear();
      this.#steps.begin();
      socket.send(JSON.stringify(hello()));
    });
    socket.on('message', (data) => {
      silence.hear();
      const message = readMessage(ControllerMessageSchema, (data as Buffer).toString());
      if (!message) {
        log.error('The Controller sent a message that this version does not know; it is ignored');
      } else if (message.type === 'ping') {
        socket.send(JSON.stringify({ type: 'pong' } satisfies AgentMessage));
        if (!message.isNeeded) lookBack();
      } else if (message.type === 'refused') {
        reject(new AppError(message.code === 'replaced' ? 'conflict' : message.code, message.message));
        socket.close();
      } else {
        if (message.type === 'welcome') {
          onWelcome();
          this.#socket = socket;
          for (const step of this.#steps.take()) this.send(step);
          this.emit('connected');
        }
        this.emit('message', message);
      }
    });
    socket.on('error', reject);
    socket.on('close', () => {
      silence[Symbol.dispose]();
      signal.removeEventListener('abort', abort);
      if (this.#socket === socket) {
        this.#socket = null;
        this.emit('disconnected');
      }
      resolve(end);
    });
    return promise;
  }
}

async function isHealthy(controllerUrl: string): Promise<boolean> {
  try {
    const { ok } = await fetch(new URL('api/health', `${controllerUrl.replace(/(?<!\/)\/+$/, '')}/`), {
      signal: AbortSignal.timeout(healthLimitMs),
    });
    return ok;
  } catch {
    return false; // away, as it was
  }
}
