import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import type { HeaderList } from '#core/http1/header-list.ts';
import { frameAnswer, isInformational, MessageBody, type Framing } from '#core/http1/message-body.ts';
import {
  formatHead,
  keepsOpen,
  MessageError,
  readAnswerHead,
  type StatusLine,
  type ByteSource,
} from '#core/http1/message-head.ts';
import {
  ConnectionGoneError,
  type AnswerListener,
  type Connection,
  type ConnectionOptions,
  type SentRequest,
} from './connection.ts';
import { NetworkError } from './network-error.ts';
import type { ConnectionTimes, HttpVersion } from './open-connection.ts';

/** A request that waits for its answer, or for the rest of it. */
interface Asked {
  listener: AnswerListener;
  /** Whether others were sent on the connection before. */
  isReused: boolean;
}

/** One connection of HTTP/1.0 or 1.1. Answers are read in the order of their requests, as leniently as browsers read them. */
export class Http1Connection implements Connection {
  readonly id: string;
  readonly version: HttpVersion;
  readonly times: ConnectionTimes;
  readonly serverAddress: string | null;
  capacity: number;
  inFlight = 0;
  hasAnswered = false;
  isUsed = false;
  readonly isHttp1Required = false;
  readonly #origin: URL;
  readonly #socket: Socket;
  readonly #nowEpochMs: EpochClock;
  readonly #received = new ReceivedBytes();
  readonly #asked: Asked[] = [];
  /** Nothing is answered behind the present answer. */
  #isLast = false;

  constructor({ id, origin, opened, capacity, onGone, nowEpochMs }: ConnectionOptions) {
    const { socket, version, times, serverAddress } = opened;
    this.id = id;
    this.version = version;
    this.times = times;
    this.serverAddress = serverAddress;
    this.capacity = version === 'http/1.0' ? 1 : capacity;
    this.#origin = origin;
    this.#socket = socket;
    this.#nowEpochMs = nowEpochMs;
    socket.on('data', (chunk: Buffer) => {
      // What nobody asked for answers nobody, such as the 408 of a server that has waited for too long.
      if (this.#asked.length === 0) socket.destroy();
      else this.#received.add(chunk, nowEpochMs());
    });
    socket.once('end', () => this.#received.end());
    socket.on('error', (error) => this.#received.fail(error));
    socket.once('close', () => {
      if (!this.#received.hasEnded) this.#received.fail(closed());
      onGone();
    });
  }

  get isUsable(): boolean {
    return !this.#socket.destroyed && !this.#received.hasEnded;
  }

  send({ path, headers }: SentRequest, listener: AnswerListener): void {
    this.#asked.push({ listener, isReused: this.isUsed });
    this.isUsed = true;
    const isOld = this.version === 'http/1.0';
    const own = ['host', this.#origin.host, 'connection', isOld ? 'close' : 'keep-alive'];
    const head = formatHead(`GET ${path} HTTP/${isOld ? '1.0' : '1.1'}`, [...own, ...Object.entries(headers).flat()]);
    listener.onSent(this.#nowEpochMs());
    this.#socket.write(head, 'latin1');
    if (this.#asked.length === 1) void this.#readAnswers();
  }

  close(): Promise<void> {
    this.#breakOff(new NetworkError('aborted', 'The client was closed'));
    return Promise.resolve();
  }

  #breakOff(reason: Error): void {
    this.#isLast = true;
    this.#received.fail(reason);
    this.#socket.destroy();
  }

  /** While requests wait. Never rejects. */
  async #readAnswers(): Promise<void> {
    for (let asked = this.#asked[0]; asked; asked = this.#asked[0]) {
      let problem: Error | null = null;
      try {
        await this.#readAnswer(asked);
      } catch (error) {
        problem = error as Error;
      }
      this.#asked.shift();
      const hasExcess = this.#asked.length === 0 && this.#received.bytes.length > 0;
      const isOver = problem !== null || this.#isLast || hasExcess;
      if (isOver) this.#socket.destroy();
      asked.listener.onOver(problem);
      if (isOver)
        for (const { listener } of this.#asked.splice(0)) listener.onOver(new ConnectionGoneError('It was closed'));
    }
  }

  async #readAnswer(asked: Asked): Promise<void> {
    const { listener } = asked;
    const received = this.#received;
    const startBytes = received.takenBytes;
    const line = await this.#readFinalHead(asked);
    const { status, reason, headers } = line;
    const framing = frameAnswer(line, 'GET');
    this.#isLast = this.version === 'http/1.0' || framing.kind === 'until-close' || !keepsOpen(line);
    if (this.#isLast) this.capacity = 1;
    const noteReceived = () => listener.onReceived(received.takenBytes - startBytes);
    noteReceived();
    listener.onHead({
      epochMs: received.epochMs,
      status,
      statusText: reason,
      headers: groupFields(headers),
      abort: (why) => {
        // Another one may be under way when what came of this one is decoded.
        if (this.#asked[0] === asked) this.#breakOff(why);
      },
    });
    await this.#readBody(framing, (chunk) => {
      noteReceived();
      listener.onData(chunk, received.epochMs);
    }).finally(noteReceived);
  }

  /** Past interim answers. */
  async #readFinalHead({ listener, isReused }: Asked): Promise<StatusLine> {
    for (;;) {
      const line = await readAnswerHead(this.#received, { mayBeCut: this.times.secureStartEpochMs === null });
      if (line === null) throw closed();
      // RFC 9110, 15.5.9: the server gave the connection up while the request was on its way. Chrome asks again, too.
      if (line.status === 408 && isReused) throw new ConnectionGoneError('The server has waited for too long');
      listener.onBegun();
      if (!isInformational(line.status)) return line;
    }
  }

  async #readBody(framing: Framing, onData: (chunk: Buffer) => void): Promise<void> {
    try {
      for await (const chunk of new MessageBody(this.#received, { framing, isStrict: false })) onData(chunk);
    } catch (error) {
      throw error instanceof MessageError ? new NetworkError('connection-reset', error.message, error) : error;
    }
  }
}

function closed(): NetworkError {
  return new NetworkError('connection-reset', 'The server closed the connection');
}

/** By names in lower case. One that came several times has a list. */
function groupFields(headers: HeaderList): IncomingHttpHeaders {
  const groups = new Map<string, string | string[]>();
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at]!.toLowerCase();
    const value = headers[at + 1]!;
    const before = groups.get(name);
    groups.set(name, before === undefined ? value : [before, value].flat());
  }
  return Object.fromEntries(groups);
}

/** What came on a connection and was not taken. Little waits here: the parser takes what comes at once. */
class ReceivedBytes implements ByteSource {
  bytes: Buffer = Buffer.alloc(0);
  /** When the last of it came. */
  epochMs = 0;
  takenBytes = 0;
  hasEnded = false;
  #problem: Error | null = null;
  #waiting: PromiseWithResolvers<boolean> | null = null;

  add(chunk: Buffer, epochMs: number): void {
    this.bytes = this.bytes.length === 0 ? chunk : Buffer.concat([this.bytes, chunk]);
    this.epochMs = epochMs;
    this.#wake();
  }

  /** Nothing more comes. */
  end(): void {
    this.hasEnded = true;
    this.#wake();
  }

  /** Nothing more is read. */
  fail(problem: Error): void {
    this.#problem = problem;
    this.bytes = Buffer.alloc(0);
    this.end();
  }

  take(length: number): Buffer {
    const taken = this.bytes.subarray(0, length);
    this.bytes = this.bytes.subarray(length);
    this.takenBytes += taken.length;
    return taken;
  }

  fill(): Promise<boolean> {
    this.#waiting = Promise.withResolvers<boolean>();
    const { promise } = this.#waiting;
    if (this.hasEnded) this.#wake();
    return promise;
  }

  #wake(): void {
    if (this.#problem) this.#waiting?.reject(this.#problem);
    else this.#waiting?.resolve(!this.hasEnded);
    this.#waiting = null;
  }
}
