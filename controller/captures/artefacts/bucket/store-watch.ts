import { EventEmitter } from 'node:events';
import type { Logger } from 'pino';
import type { AppError } from '#core/app-error.ts';
import { isStoreAway } from '../artefact-store.ts';
import type { Bucket } from './open-bucket.ts';

const checkEveryMs = 30_000;
const whileAwayEveryMs = 3_000;

interface WatchOptions {
  /** Null where files are in a folder, whose disk is looked at elsewhere. */
  bucket: Bucket | null;
  log: Logger;
}

interface WatchEvents {
  /** It works again: what Agents kept meanwhile may come. */
  returned: [];
}

/** Knows whether the store of artefacts works, and says in the log when that changes. */
export class StoreWatch extends EventEmitter<WatchEvents> implements AsyncDisposable {
  readonly #bucket: Bucket | null;
  readonly #log: Logger;
  #problem: string | null = null;
  #timer: NodeJS.Timeout | null = null;
  #checking: Promise<void> = Promise.resolve();
  #isOver = false;

  constructor({ bucket, log }: WatchOptions) {
    super();
    this.#bucket = bucket;
    this.#log = log;
    if (bucket === null) return;
    bucket.client.on('failure', (error) => this.#leave(bucket, error));
    this.#checking = this.#check(bucket);
  }

  /** What to do about a store that does not work; null while it does, and where there is none. */
  get problem(): string | null {
    return this.#problem;
  }

  /** Null where there is none. */
  get isUp(): boolean | null {
    return this.#bucket === null ? null : this.#problem === null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#bucket) await this.#bucket[Symbol.asyncDispose]();
    await this.#checking;
  }

  async #check(bucket: Bucket): Promise<void> {
    const wasAway = this.#problem !== null;
    try {
      // A store may answer and yet have no room: it has returned when it stores.
      await bucket.check(wasAway);
      if (wasAway && !this.#isOver) this.#return(bucket);
    } catch (error) {
      if (!isStoreAway(error) && !this.#isOver)
        this.#log.warn({ err: error }, 'The store of traces and pictures cannot be checked');
    }
    this.#checkIn(this.#problem === null ? checkEveryMs : whileAwayEveryMs);
  }

  #leave(bucket: Bucket, error: AppError): void {
    if (this.#isOver) return;
    const isNew = this.#problem === null;
    this.#problem = error.message;
    bucket.client.away = error;
    if (!isNew) return;
    this.#log.warn(`${error.message}. Agents keep their traces and pictures meanwhile`);
    this.#checkIn(whileAwayEveryMs);
  }

  #return(bucket: Bucket): void {
    this.#problem = null;
    bucket.client.away = null;
    this.#log.info('The store of traces and pictures works again: Agents send what they kept');
    this.emit('returned');
  }

  #checkIn(ms: number): void {
    if (this.#isOver || this.#bucket === null) return;
    const bucket = this.#bucket;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#checking = this.#check(bucket);
    }, ms).unref();
  }
}
