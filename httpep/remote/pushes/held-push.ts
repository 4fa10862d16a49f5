import { AnswerSchema, type AnswerHead } from '../../exchange/heads.ts';
import type { HeaderList } from '#core/http1/header-list.ts';
import { unpack } from '../../exchange/pack.ts';
import { readRecords, recordTypes, type ExchangeRecord } from '../../exchange/read-records.ts';
import type { TunnelStream } from '../../tunnel/tunnel-stream.ts';
import { readFreshMs } from './may-use-held.ts';

/** More of one object waits at the ground end, until the browser asks for it. */
const maxHeldBytes = 256 * 1024;

export interface PushOwner {
  /** Of the request for the page, and of what was fetched ahead for it. */
  user: string;
  pageUrl: string;
  /** Of the page, and of all that was promised for it: browsers say which of them names what they ask for. */
  urls: Set<string>;
  held: Set<HeldPush>;
  /** When something for the page last came or was asked for. On a slow link, a page takes longer than any one object may wait. */
  activeMs: number;
  count: (name: 'promised' | 'used' | 'unused' | 'unusedBytes', by?: number) => void;
}

export interface PushListener {
  clock: () => number;
  /** Something of its page came, or was asked for. */
  onActive(): void;
  /** So many bytes more are held; less than 0: fewer. */
  onHeld(bytes: number): void;
  onPromise(push: HeldPush, bytes: Buffer): void;
  /** It is over, or was given up. Once. */
  onGone(push: HeldPush): void;
}

/** One answer that the ground end sends before the browser asks, from its promise until it was handed over or given up. */
export class HeldPush {
  readonly streamId: number;
  readonly url: string;
  /** Header fields of the request that it answers. */
  readonly asked: HeaderList;
  readonly owner: PushOwner;
  isClaimed = false;
  /** A browser has its answer. */
  isUsed = false;
  /** When its head came, by the listener's clock. */
  answeredMs = Infinity;
  /** How long its answer may be used without asking again, once it has come. */
  freshMs = Infinity;
  /** Body bytes that came. */
  receivedBytes = 0;
  readonly #listener: PushListener;
  #stream: TunnelStream | null = null;
  #records: ExchangeRecord[] = [];
  #heldBytes = 0;
  /** Null: there is none. */
  readonly #head = Promise.withResolvers<AnswerHead | null>();
  #isOver = false;
  #isBroken = false;
  #isGone = false;
  #wake: () => void = () => undefined;

  constructor(
    { streamId, url, asked, owner }: Pick<HeldPush, 'streamId' | 'url' | 'asked' | 'owner'>,
    listener: PushListener,
  ) {
    this.streamId = streamId;
    this.url = url;
    this.asked = asked;
    this.owner = owner;
    this.#listener = listener;
    listener.onActive();
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  get hasStream(): boolean {
    return this.#stream !== null;
  }

  /** The head of the answer, once it has come; null when none will. */
  get head(): Promise<AnswerHead | null> {
    return this.#head.promise;
  }

  /** Takes what comes by its stream. */
  accept(stream: TunnelStream): void {
    this.#stream = stream;
    if (this.#isGone) stream.destroy();
    else void this.#receive(stream);
  }

  /** What came, and what comes. Throws when the answer breaks off. */
  async *records(): AsyncGenerator<ExchangeRecord> {
    for (;;) {
      const record = this.#records.shift();
      if (record) {
        this.#hold(-record.bytes.length);
        yield record;
      } else if (this.#isBroken) throw new Error('The ground end gave the answer up');
      else if (this.#isOver) return;
      else await this.#change();
    }
  }

  /** Gives it up: what has not come yet is not sent. */
  drop(): void {
    if (this.#isGone) return;
    this.#isBroken ||= !this.#isOver;
    this.#finish();
    this.#stream?.destroy();
  }

  async #receive(stream: TunnelStream): Promise<void> {
    stream.end();
    try {
      for await (const record of readRecords(stream)) {
        await this.#take(record);
        if (this.#isGone) return;
      }
      this.#isOver = true;
    } catch {
      this.#isBroken = true;
      stream.destroy();
    }
    this.#head.resolve(null);
    this.#wake();
    if (this.#isBroken || this.#records.length === 0) this.#finish();
  }

  async #take(record: ExchangeRecord): Promise<void> {
    this.#listener.onActive();
    if (record.type === recordTypes.promise) {
      this.#listener.onPromise(this, record.bytes);
      return;
    }
    if (record.type === recordTypes.body) this.receivedBytes += record.bytes.length;
    this.#records.push(record);
    this.#hold(record.bytes.length);
    if (record.type === recordTypes.head) this.#begin(unpack(record.bytes, AnswerSchema));
    this.#wake();
    while (this.#heldBytes > maxHeldBytes && !this.#isGone) await this.#change();
  }

  #begin(head: AnswerHead): void {
    this.answeredMs = this.#listener.clock();
    this.freshMs = readFreshMs(head.headers);
    this.#head.resolve(head);
  }

  #hold(bytes: number): void {
    this.#heldBytes += bytes;
    if (!this.#isGone) this.#listener.onHeld(bytes);
    if (bytes < 0) this.#wake();
    if (this.#isOver && this.#records.length === 0) this.#finish();
  }

  /** Resolves when something has come or was taken. Both sides may wait at once. */
  #change(): Promise<void> {
    const before = this.#wake;
    return new Promise((resolve) => {
      this.#wake = () => {
        this.#wake = () => undefined;
        before();
        resolve();
      };
    });
  }

  #finish(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#listener.onHeld(-this.#heldBytes);
    this.#head.resolve(null);
    this.#listener.onGone(this);
    this.#wake();
  }
}
