import { actAfter, realTime, type Time } from '#core/clock/time.ts';
import { StepsSinceHello } from '#core/agent/steps-since-hello.ts';
import { ControllerMessageSchema, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { agentEndpoint } from '#core/protocol/agent-endpoint.ts';
import { writeFrame } from '#core/protocol/line-frame.ts';
import { offerToken } from '#core/protocol/line-credentials.ts';

const welcomeLimitMs = 10_000;
const silenceLimitMs = 45_000;
const firstPauseMs = 250;
const longestPauseMs = 5_000;

export interface LinkOptions {
  controllerUrl: string;
  token: string;
  /** Made again for each connection, since it lists the Passes that are held now. */
  hello: () => Promise<AgentMessage>;
  onMessage: (message: ControllerMessage) => void;
  /** The line is down; it is made again for as long as it takes, unless it `isFinal`. */
  onDown: (why: { problem: string; isFinal: boolean }) => void;
  /** As time passes unless given. */
  sleep?: Time['sleep'];
}

/**
 * The one line to the Controller: connects, says hello, and connects again when the line breaks. What is sent while it is down is
 * dropped: all that must not be lost is in the spool or sent again by `hello`. Steps of Passes that come after the hello are sent after the welcome.
 */
export class ControllerLink {
  readonly #options: LinkOptions;
  #socket: WebSocket | null = null;
  #isWelcome = false;
  #isClosed = false;
  #pauseMs = firstPauseMs;
  /** Calls off that the line counts as silent. */
  #silence = new AbortController();
  readonly #end = new AbortController();
  readonly #sleep: Time['sleep'];
  readonly #steps = new StepsSinceHello();

  constructor(options: LinkOptions) {
    this.#options = options;
    this.#sleep = options.sleep ?? realTime.sleep;
    this.#connect();
  }

  /** `attached`: what is sent beside the message. */
  send(message: AgentMessage, attached: readonly Uint8Array[] = []): void {
    if (this.#isWelcome) this.#socket?.send(writeFrame(message, attached));
    else this.#steps.note(message);
  }

  /** Says hello again, over a new connection. */
  renew(): void {
    this.#socket?.close();
  }

  /** For good. */
  close(): void {
    this.#isClosed = true;
    this.#end.abort();
    this.#silence.abort();
    this.#socket?.close();
  }

  #connect(): void {
    if (this.#isClosed) return;
    const socket = new WebSocket(agentEndpoint(this.#options.controllerUrl), offerToken(this.#options.token));
    this.#socket = socket;
    let refusal: string | null = null;
    this.#expectWordWithin(welcomeLimitMs);
    socket.onopen = () => {
      this.#steps.begin();
      this.#options.hello().then(
        (hello) => socket.send(JSON.stringify(hello)),
        (error: unknown) => {
          console.error('The hello could not be made', error);
          socket.close();
        },
      );
    };
    socket.onmessage = ({ data }: MessageEvent<string>) => {
      this.#expectWordWithin(this.#isWelcome ? silenceLimitMs : welcomeLimitMs);
      const message = readMessage(data);
      if (!message && !this.#isWelcome)
        socket.close(); // no Controller talks like that
      else if (!message) console.error('The Controller sent a message that this version does not know. It is ignored');
      else if (message.type === 'refused') refusal = message.message;
      else this.#handle(message);
    };
    socket.onclose = () => this.#handleClose(refusal);
  }

  #handle(message: ControllerMessage): void {
    if (message.type === 'welcome') {
      this.#isWelcome = true;
      this.#pauseMs = firstPauseMs;
      this.#expectWordWithin(silenceLimitMs);
      for (const step of this.#steps.take()) this.send(step);
    }
    if (message.type === 'ping') this.send({ type: 'pong' });
    this.#options.onMessage(message);
  }

  #handleClose(refusal: string | null): void {
    this.#silence.abort();
    const { controllerUrl, onDown } = this.#options;
    const wasWelcome = this.#isWelcome;
    this.#isWelcome = false;
    this.#socket = null;
    if (this.#isClosed) return;
    if (refusal !== null) {
      this.#isClosed = true;
      onDown({ problem: refusal, isFinal: true });
      return;
    }
    const problem = wasWelcome
      ? 'The connection to the Controller is lost. Connecting again.'
      : `No Controller answers at ${controllerUrl}. Check the address, and that it runs. Trying again.`;
    onDown({ problem, isFinal: false });
    actAfter(this.#pauseMs, () => this.#connect(), { sleep: this.#sleep, signal: this.#end.signal });
    this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
  }

  #expectWordWithin(limitMs: number): void {
    this.#silence.abort();
    this.#silence = new AbortController();
    const socket = this.#socket;
    const giveUp = () => {
      // A socket that nobody answers takes a while to close: it is given up now, and what it still says is nobody's.
      if (!socket) return;
      socket.onclose = socket.onmessage = null;
      socket.close();
      this.#handleClose(null);
    };
    actAfter(limitMs, giveUp, { sleep: this.#sleep, signal: this.#silence.signal });
  }
}

function readMessage(data: string): ControllerMessage | null {
  try {
    return ControllerMessageSchema.safeParse(JSON.parse(data)).data ?? null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
