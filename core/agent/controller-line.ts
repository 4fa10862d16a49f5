import { actEvery, realTime, type Time } from '../clock/time.ts';
import { ControllerMessageSchema, type AgentMessage, type ControllerMessage } from '../protocol/agent-messages.ts';
import { offerToken, agentEndpoint } from '../protocol/line-credentials.ts';
import { readMessage, writeFrame } from '../protocol/read-message.ts';

const stepTypes = new Set<AgentMessage['type']>([
  'pass-ready',
  'pass-started',
  'visit-ready',
  'pass-ended',
  'pass-lost',
]);

/** The steps that Passes take between the hello and the welcome: the hello does not list them, and the Controller takes nothing before the welcome. */
class StepsSinceHello {
  #steps: AgentMessage[] = [];

  /** Called before a hello lists the Passes. */
  begin(): void {
    this.#steps = [];
  }

  /** Called with what cannot be sent yet. */
  note(message: AgentMessage): void {
    if (stepTypes.has(message.type)) this.#steps.push(message);
  }

  /** To be sent after the welcome, in order. */
  take(): AgentMessage[] {
    const steps = this.#steps;
    this.#steps = [];
    return steps;
  }
}

const tickMs = 1_000;
const healthLimitMs = 2_000;
const firstPauseMs = 250;
const longestPauseMs = 5_000;

/** A WebSocket of the platform. */
export interface LineSocket {
  send(data: string | Uint8Array<ArrayBuffer>): void;
  /** At once, and for good: none of its events comes after it. */
  close(): void;
}

export interface SocketEvents {
  onOpen: () => void;
  onText: (text: string) => void;
  /** `problem`: why it could not be opened, where that is known. */
  onClose: (problem: string | null) => void;
}

/** How one connection ended. `wasWelcome`: whether the Controller had taken the Agent. */
type LineEnd =
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'broke' | 'fell-silent' | 'was-left'; wasWelcome: boolean; problem: string | null };
type Interruption = Exclude<LineEnd, { kind: 'refused' }>;
type Refusal = Extract<ControllerMessage, { type: 'refused' }>;

export interface LineOptions {
  /** Of Controllers on one database, the preferred one first. */
  controllerUrls: readonly string[];
  token: string;
  /** Made for each connection, because it lists the Passes that are held now. */
  hello: () => AgentMessage | Promise<AgentMessage>;
  openSocket: (url: URL, protocols: string[], events: SocketEvents) => LineSocket;
  /** When the line counts as silent, before and after the welcome. */
  silenceMs: { unwelcome: number; welcome: number };
  onMessage: (message: ControllerMessage) => void;
  /** After the welcome, before its message. */
  onUp?: () => void;
  /** The line is down, and is made again after a pause. */
  onDown: (end: Interruption, pauseMs: number) => void;
  /** What is to be logged besides. */
  warn: (problem: string) => void;
  /** Whether nothing is under way that a change to another Controller would disturb; always where left out. */
  mayMove?: (() => boolean) | undefined;
  /** As time passes unless given. */
  sleep?: Time['sleep'] | undefined;
}

/**
 * The Agent's one line to its Controller: connects, says hello, and connects again for as long as it takes when the line breaks. What is sent while
 * the line is down is dropped: all that must not be lost is in the spool or sent again by `hello`. Steps of Passes that come after the hello are sent
 * after the welcome.
 *
 * It prefers the first address: all Agents of a Run must come to one Controller. The next ones are for when that one does not answer, or falls silent.
 * From these an idle line returns when an earlier one answers again.
 */
export class ControllerLine {
  readonly #options: LineOptions;
  readonly #sleep: Time['sleep'];
  readonly #steps = new StepsSinceHello();
  /** That of a Controller that has welcomed the Agent. */
  #socket: LineSocket | null = null;
  #end: ((end: LineEnd) => void) | null = null;
  /** The place of the address that is in use or tried. */
  #place = 0;

  constructor(options: LineOptions) {
    this.#options = options;
    this.#sleep = options.sleep ?? realTime.sleep;
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

  /** Says hello again, over a new connection. */
  renew(): void {
    this.#end?.({ kind: 'was-left', wasWelcome: this.isConnected, problem: null });
  }

  /** Holds the line until the signal aborts, with null, or until the Controller refuses this Agent for good, with its message. */
  async hold(signal: AbortSignal): Promise<Refusal | null> {
    const { controllerUrls, onDown } = this.#options;
    const isOver = () => signal.aborted;
    let pauseMs = firstPauseMs;
    while (!isOver()) {
      const end = await this.#holdOneConnection(signal);
      if (end.kind === 'refused') return end.refusal;
      if (isOver()) break;
      if (end.wasWelcome) pauseMs = firstPauseMs;
      onDown(end, pauseMs);
      const mustMove = end.kind === 'fell-silent' || !end.wasWelcome;
      this.#place = mustMove ? (this.#place + 1) % controllerUrls.length : 0;
      await this.#sleep(pauseMs, signal).catch(() => undefined);
      pauseMs = Math.min(pauseMs * 2, longestPauseMs);
    }
    return null;
  }

  async #holdOneConnection(signal: AbortSignal): Promise<LineEnd> {
    const { token, hello, openSocket, silenceMs, warn } = this.#options;
    const { promise, resolve } = Promise.withResolvers<LineEnd>();
    const over = new AbortController();
    let silentTicks = 0;
    const end = (kind: Interruption['kind'], problem: string | null = null) =>
      resolve({ kind, wasWelcome: this.#socket === socket, problem });
    const socket = openSocket(agentEndpoint(this.controllerUrl), offerToken(token), {
      onOpen: () => {
        this.#steps.begin();
        Promise.resolve(hello()).then(
          (message) => socket.send(JSON.stringify(message)),
          (error: unknown) => {
            warn(`The hello could not be made: ${(error as Error).message}`);
            end('broke');
          },
        );
      },
      onText: (text) => {
        silentTicks = 0;
        const message = readMessage(ControllerMessageSchema, text);
        if (!message) warn('The Controller sent a message that this version does not know; it is ignored');
        else if (message.type === 'refused') resolve({ kind: 'refused', refusal: message });
        else this.#handle(message, { socket, leave: () => end('was-left') });
      },
      onClose: (problem) => end('broke', problem),
    });
    // Seconds in which this process ran: one that stood still itself finds what came meanwhile, before it takes the other end for dead.
    const countTick = () => {
      const limitMs = this.#socket === socket ? silenceMs.welcome : silenceMs.unwelcome;
      if (++silentTicks >= Math.ceil(limitMs / tickMs)) end('fell-silent');
    };
    actEvery(tickMs, countTick, { sleep: this.#sleep, signal: over.signal });
    const stop = () => end('broke');
    signal.addEventListener('abort', stop);
    this.#end = resolve;
    const ended = await promise;
    over.abort();
    signal.removeEventListener('abort', stop);
    this.#end = null;
    this.#socket = null;
    socket.close();
    return ended;
  }

  #handle(
    message: Exclude<ControllerMessage, { type: 'refused' }>,
    { socket, leave }: { socket: LineSocket; leave: () => void },
  ): void {
    const { onUp, onMessage } = this.#options;
    if (message.type === 'welcome') {
      this.#socket = socket;
      for (const step of this.#steps.take()) this.send(step);
      onUp?.();
    }
    if (message.type === 'ping') {
      this.send({ type: 'pong' });
      if (!message.isNeeded)
        void this.#mayReturn().then((mayReturn) => {
          if (mayReturn && this.#socket === socket) leave();
        });
    }
    onMessage(message);
  }

  /** Whether a Controller that is preferred to the one in use answers, and nothing is under way. */
  async #mayReturn(): Promise<boolean> {
    const { controllerUrls, mayMove = () => true } = this.#options;
    if (this.#place === 0 || !mayMove()) return false;
    const answers = await Promise.all(controllerUrls.slice(0, this.#place).map(isHealthy));
    return answers.includes(true) && mayMove();
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
