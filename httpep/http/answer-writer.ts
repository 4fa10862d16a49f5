import type { Duplex } from 'node:stream';
import { findHeader, withoutHeaders, type HeaderList } from '#core/http1/header-list.ts';
import { writeOrWait, resetSocket } from '../exchange/join-socket.ts';
import { formatAnswerHead, formatHead, type HttpVersion } from '#core/http1/message-head.ts';

export interface AnswerStart {
  status: number;
  reason: string;
  /** Without those of one hop. */
  headers: HeaderList;
}

interface Asked {
  method: string;
  version: HttpVersion;
  /** The connection ends after the answer. */
  isLast: boolean;
  /** Of the request; null where it has none. */
  body: { readonly hasBegun: boolean } | null;
  /** The client waits for an answer before it sends the body. */
  expects: boolean;
}

/** Writes the answer to one request. Answers of one connection are written in the order of their requests. */
export class AnswerWriter {
  readonly asked: Asked;
  readonly socket: Duplex;
  /** Resolves when the answer is over: written, broken off, or its client gone. */
  readonly closed: Promise<void>;
  /** Of a body whose length is known: how much of it is to come. */
  missingBytes: number | null = null;
  /** Resolves when nobody reads the request any more: that may be after the answer. */
  rest: Promise<unknown> = Promise.resolve();
  #isBegun = false;
  #isFinished = false;
  #isSwitched = false;
  /** A client that waited for an answer may keep the body, or send it: what comes may be that, or a request. RFC 9110, 10.1.1. */
  #mayLackBody = false;
  readonly #isTurn: Promise<void>;
  readonly #over = Promise.withResolvers<void>();
  #body: 'none' | 'length' | 'chunked' | 'until-close' = 'none';

  constructor(socket: Duplex, { asked, before }: { asked: Asked; before: Promise<void> }) {
    this.socket = socket;
    this.asked = asked;
    this.#isTurn = before;
    this.closed = this.#over.promise;
    socket.once('close', this.#over.resolve);
    void this.closed.then(() => socket.off('close', this.#over.resolve));
  }

  /** The head has been written, or is about to. */
  get isBegun(): boolean {
    return this.#isBegun;
  }

  /** All of it was written. */
  get isFinished(): boolean {
    return this.#isFinished;
  }

  /** Something else than HTTP is spoken from now on. */
  get isSwitched(): boolean {
    return this.#isSwitched;
  }

  /** Nothing more reaches the client. */
  get isGone(): boolean {
    return this.socket.destroyed || this.socket.writableEnded;
  }

  /** An informational answer. HTTP/1.0 has none: RFC 9110, 15.2. Resolves when more may be written. */
  async inform(head: AnswerStart): Promise<void> {
    if (this.asked.version === '1.0') return;
    await this.#isTurn;
    if (!this.isGone) await writeOrWait(this.socket, Buffer.from(formatAnswerHead(head), 'latin1'));
  }

  async begin({ status, reason, headers }: AnswerStart): Promise<void> {
    this.#isBegun = true;
    await this.#isTurn;
    if (this.isGone) return;
    const length = findHeader(headers, 'content-length');
    const hasBody = this.asked.method !== 'HEAD' && status !== 204 && status !== 304;
    const isOld = this.asked.version === '1.0';
    if (hasBody) this.#body = length !== null ? 'length' : isOld ? 'until-close' : 'chunked';
    if (this.#body === 'none' || this.#body === 'length') this.missingBytes = hasBody ? Number(length) : 0;
    if (this.#body === 'until-close') this.asked.isLast = true;
    this.#mayLackBody = this.asked.expects && this.asked.body?.hasBegun === false;
    if (this.#mayLackBody) this.asked.isLast = true;
    const added: string[] = [];
    if (this.#body === 'chunked') added.push('Transfer-Encoding', 'chunked');
    if (this.asked.isLast) added.push('Connection', 'close');
    else if (isOld) added.push('Connection', 'keep-alive');
    const kept = this.#body === 'chunked' ? headers : withoutHeaders(headers, ['trailer']);
    this.socket.write(formatAnswerHead({ status, reason, headers: [...kept, ...added] }), 'latin1');
  }

  /** Resolves when more may be written. */
  async write(bytes: Buffer): Promise<void> {
    if (this.#body === 'none' || bytes.length === 0 || this.isGone) return;
    if (this.#body === 'length') {
      if (bytes.length > this.missingBytes!) throw new Error('a body is longer than its length');
      this.missingBytes! -= bytes.length;
    }
    if (this.#body !== 'chunked') {
      await writeOrWait(this.socket, bytes);
      return;
    }
    this.socket.cork();
    this.socket.write(`${bytes.length.toString(16)}\r\n`, 'latin1');
    this.socket.write(bytes);
    const written = writeOrWait(this.socket, lineEnd);
    this.socket.uncork();
    await written;
  }

  /** Ends the answer, and the connection where it is the last, when nobody reads the request any more. */
  async end(trailers: HeaderList = []): Promise<void> {
    await this.#isTurn;
    if (this.isGone || this.#isFinished) return;
    if (this.#body === 'length' && this.missingBytes! > 0) throw new Error('a body is shorter than its length');
    if (this.#body === 'chunked') this.socket.write(formatHead('0', trailers), 'latin1');
    if (this.#mayLackBody || this.#body === 'until-close') this.rest = Promise.resolve();
    if (this.asked.isLast) void this.rest.then(() => endPolitely(this.socket));
    this.#finish();
  }

  /** Breaks the answer off. What was written goes out before. */
  async abort(): Promise<void> {
    await this.#isTurn;
    if (this.#isFinished) return;
    // A body that ends with the connection would look whole: RFC 9112, 8.
    if (this.#body === 'until-close') this.socket.write('', () => resetSocket(this.socket));
    else this.socket.end(() => this.socket.destroy());
  }

  /** Writes the head of an answer after which something else than HTTP is spoken. */
  async switch(head: AnswerStart): Promise<void> {
    this.#isBegun = true;
    await this.#isTurn;
    if (this.isGone) return;
    this.socket.write(formatAnswerHead(head), 'latin1');
    this.#isSwitched = true;
    this.#finish();
  }

  #finish(): void {
    this.#isFinished = true;
    this.#over.resolve();
  }
}

const lineEnd = Buffer.from('\r\n');
/** For a client that reads its answer while it still sends: a reset would take the answer from it. */
const politeMs = 2000;

/** Ends a connection whose client may still be sending. */
export function endPolitely(socket: Duplex): void {
  // A client may read slowly: the time runs from when all was handed over.
  socket.end(() => {
    const timer = setTimeout(() => socket.destroy(), politeMs);
    socket.once('close', () => clearTimeout(timer));
  });
  socket.resume();
}
