import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { WebSocket } from 'ws';
import { actAfter, actEvery, realTime, type Time } from '#core/clock/time.ts';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import { readMostBytes, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { LineReader, ReadMessage } from './line-reader.ts';

const refusalWindowMs = 60_000;
const mostPerWindow = 20;

const helloLimitMs = 10_000;
/** Of all that comes before the welcome. */
const helloLimitBytes = readMostBytes('hello');
/** Of answers to the Agent's clock that wait to be sent: an Agent asks again once it has the answer. */
const mostUnsentReplies = 100;
/** For the reason of a refusal to arrive. */
const refusalLimitMs = 2_000;
/** An Agent leaves a Controller that was silent for 15 s. */
const defaultPingEveryMs = 5_000;
const silenceLimitMs = 45_000;

export type Hello = Extract<AgentMessage, { type: 'hello' }>;

interface ConnectionEvents {
  hello: [Hello];
  message: [message: AgentMessage, beside: Beside];
  /** Now and then, for as long as it lasts. */
  ping: [];
  closed: [];
}

/** What came with a message. */
export interface Beside {
  /** Its length in all, as it came. */
  bytes: number;
  /** Empty for a message that was text. */
  attached: Uint8Array<ArrayBuffer>;
}

/** A message as it came, which waits to be read. */
interface Unread {
  data: Buffer<ArrayBuffer>;
  isBinary: boolean;
  receivedEpochMs: number;
}

interface ConnectionOptions {
  /** What the WebSocket reads from. */
  stream: Duplex;
  log: Logger;
  refusals: RefusalLog;
  reader: Pick<LineReader, 'read'>;
  /** Whether a Run under way here needs the Agent of this name. */
  isNeeded: (name: string) => boolean;
  /** What it answers the Agent's clock by. */
  epochClock: EpochClock;
  /** 5 s unless set. */
  pingEveryMs?: number | undefined;
  /** As time passes unless given. */
  sleep?: Time['sleep'] | undefined;
}

/**
 * One WebSocket from an Agent: parses what comes, answers its clock, keeps it alive, and drops it when it falls silent. It reads nothing until `listen` is
 * called, and little until it is welcomed.
 */
export class AgentConnection extends EventEmitter<ConnectionEvents> {
  /** Null until its hello was accepted. */
  name: string | null = null;
  /** It was refused or is gone: nothing more is taken from it. */
  isOver = false;
  readonly #socket: WebSocket;
  readonly #refusals: RefusalLog;
  readonly #stream: Duplex;
  readonly #reader: Pick<LineReader, 'read'>;
  readonly #epochClock: EpochClock;
  /** Those behind a large one, which takes a while. */
  readonly #unread: Unread[] = [];
  #isReading = false;
  #bytesBeforeWelcome = 0;
  #hasSaidHello = false;
  readonly #wait: { sleep: Time['sleep']; signal: AbortSignal };
  #hasSaidAnything = false;
  #unsentReplies = 0;
  /** Since it said something. Pings, not time: after this process stood still, what the Agent said meanwhile is heard first. */
  #silentPings = 0;

  constructor(
    socket: WebSocket,
    {
      stream,
      log,
      refusals,
      reader,
      isNeeded,
      epochClock,
      pingEveryMs = defaultPingEveryMs,
      sleep = realTime.sleep,
    }: ConnectionOptions,
  ) {
    super();
    this.#socket = socket;
    this.#stream = stream;
    this.#refusals = refusals;
    this.#reader = reader;
    this.#epochClock = epochClock;
    socket.pause();
    stream.on('data', this.#countBytes);
    const closed = new AbortController();
    this.#wait = { sleep, signal: closed.signal };
    const requireHello = () => {
      if (!this.#hasSaidAnything) socket.terminate();
    };
    actAfter(helloLimitMs, requireHello, this.#wait);
    const ping = () => {
      // What it says while a message of it is read is heard later.
      if (this.#isReading) this.#silentPings = 0;
      if (++this.#silentPings > silenceLimitMs / pingEveryMs) socket.terminate();
      else this.send({ type: 'ping', isNeeded: this.name === null || isNeeded(this.name) });
      this.emit('ping');
    };
    actEvery(pingEveryMs, ping, this.#wait);
    socket.on('message', (data, isBinary) => this.#take(data as Buffer<ArrayBuffer>, isBinary));
    socket.on('error', (error) => log.warn({ err: error, agent: this.name }, 'The connection to an Agent broke'));
    socket.on('close', () => {
      closed.abort();
      this.isOver = true;
      this.emit('closed');
    });
  }

  /** Begins to read what the Agent says. */
  listen(): void {
    this.#socket.resume();
  }

  welcome(name: string, controllerVersion: string): void {
    this.name = name;
    this.#stream.off('data', this.#countBytes);
    this.send({ type: 'welcome', controllerVersion });
  }

  /** `onSent`: called when it has left this process, or never will. */
  send(message: ControllerMessage, onSent?: () => void): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.send(JSON.stringify(message), onSent);
  }

  /** Sends the reason, then closes for good. */
  refuse(refusal: Omit<Extract<ControllerMessage, { type: 'refused' }>, 'type'>): void {
    this.#refusals.warn({ agent: this.name, code: refusal.code }, refusal.message);
    this.send({ type: 'refused', ...refusal });
    this.isOver = true;
    this.#socket.close(1008);
    // It must be read to its end for the reason to arrive; what it says is dropped.
    this.#socket.resume();
    actAfter(refusalLimitMs, () => this.#socket.terminate(), this.#wait);
  }

  terminate(): void {
    this.#socket.terminate();
  }

  readonly #countBytes = (chunk: Buffer): void => {
    this.#bytesBeforeWelcome += chunk.length;
    if (this.#bytesBeforeWelcome <= helloLimitBytes) return;
    this.#refusals.warn({}, `A connection sent more than ${helloLimitBytes} bytes before it was admitted`);
    this.#socket.terminate();
  };

  #take(data: Buffer<ArrayBuffer>, isBinary: boolean): void {
    if (this.isOver) return;
    this.#hasSaidAnything = true;
    this.#silentPings = 0;
    const unread = { data, isBinary, receivedEpochMs: this.#epochClock() };
    if (this.#isReading) this.#unread.push(unread);
    else this.#read(unread);
  }

  /** Messages are handled in their order: while a large one is read, no more is taken. */
  #read(unread: Unread): void {
    const read = this.#reader.read(unread.data, unread.isBinary);
    if (!(read instanceof Promise)) {
      this.#handle(read, unread);
      return;
    }
    this.#isReading = true;
    this.#socket.pause();
    read.then(
      (parsed) => {
        this.#isReading = false;
        this.#handle(parsed, unread);
        this.#readNext();
      },
      () => this.#socket.terminate(), // the Controller shuts down
    );
  }

  #readNext(): void {
    while (!this.isOver && !this.#isReading && this.#unread.length > 0) this.#read(this.#unread.shift()!);
    if (!this.#isReading) this.#socket.resume();
  }

  #handle(parsed: ReadMessage, { data, receivedEpochMs }: Unread): void {
    if (this.isOver) return;
    if (parsed.kind === 'problem') {
      this.refuse({
        code: 'invalid-input',
        message: `The Agent sent a message that is not in the protocol: ${parsed.problem}`,
      });
      return;
    }
    const { message, attached } = parsed;
    if (!this.#hasSaidHello) {
      if (message.type === 'hello') {
        this.#hasSaidHello = true;
        this.emit('hello', message);
      } else {
        this.refuse({ code: 'invalid-input', message: `The first message must be "hello", not "${message.type}"` });
      }
    } else if (this.name === null) {
      // A Controller with much to do pings before it has stored who came.
      if (message.type === 'pong') return;
      this.refuse({ code: 'invalid-input', message: 'The Agent sent a message before it was admitted' });
    } else if (message.type === 'clock-request') {
      const { agentEpochMs } = message;
      if (++this.#unsentReplies > mostUnsentReplies) {
        this.#refusals.warn(
          { agent: this.name },
          'An Agent asks for the time and does not read it: it is disconnected',
        );
        this.#socket.terminate();
        return;
      }
      const reply = { agentEpochMs, receivedEpochMs, repliedEpochMs: this.#epochClock() };
      this.send({ type: 'clock-reply', ...reply }, () => this.#unsentReplies--);
    } else {
      this.emit('message', message, { bytes: data.length, attached });
    }
  }
}

/** Logs refused lines: anybody who reaches the port can cause them, so that a minute has at most twenty, and the number of the others. */
export class RefusalLog implements Disposable {
  readonly #log: Logger;
  #count = 0;
  #window: NodeJS.Timeout | null = null;

  constructor(log: Logger) {
    this.#log = log;
  }

  warn(details: object, message: string): void {
    this.#window ??= setTimeout(() => this.#endWindow(), refusalWindowMs).unref();
    if (++this.#count <= mostPerWindow) this.#log.warn(details, message);
  }

  [Symbol.dispose](): void {
    if (this.#window === null) return;
    clearTimeout(this.#window);
    this.#endWindow();
  }

  #endWindow(): void {
    if (this.#count > mostPerWindow)
      this.#log.warn({ count: this.#count - mostPerWindow }, 'More connections were refused in this minute');
    this.#count = 0;
    this.#window = null;
  }
}
