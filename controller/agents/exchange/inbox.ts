import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { exchangeMessages, type ReceivedMessage } from './controller-messages.ts';
import { ExchangedMessageSchema, type ExchangedMessage } from './outbox.ts';

/** Far more than there are: each start of a Controller is one. */
const mostSenders = 1_000;

interface InboxOptions {
  pool: Pool;
  /** Of this Controller. */
  id: string;
  /** Deals with a message of another Controller, at once. */
  onMessage: (from: string, message: ExchangedMessage) => void;
  log: Logger;
  signal: AbortSignal;
}

/** Reads what other Controllers have for this one, each message once: the number of the last of each sender is kept, also when the database is not known to have removed it. */
export class Inbox {
  readonly #options: InboxOptions;
  readonly #last = new Map<string, number>();
  #isDue = false;
  #isReading = false;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** There may be messages. */
  wake(): void {
    this.#isDue = true;
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#read().finally(() => {
      this.#isReading = false;
      if (this.#isDue && !this.#options.signal.aborted) this.wake();
    });
  }

  async #read(): Promise<void> {
    const { pool, id, log, signal } = this.#options;
    while (this.#isDue && !signal.aborted) {
      this.#isDue = false;
      try {
        const messages = await exchangeMessages(pool, id, this.#last);
        for (const message of messages) this.#deal(message);
        // What was dealt with is still to be removed.
        if (messages.length > 0) this.#isDue = true;
      } catch (error) {
        log.warn({ err: error }, 'Cannot read the messages of other Controllers; trying again in 2 s');
      }
    }
  }

  #deal({ from, number, isCurrent, body }: ReceivedMessage): void {
    const { onMessage, log } = this.#options;
    if (number <= (this.#last.get(from) ?? 0)) return;
    this.#last.delete(from);
    this.#last.set(from, number);
    for (const old of this.#last.keys()) if (this.#last.size > mostSenders) this.#last.delete(old);
    if (!isCurrent) {
      log.warn({ from }, 'An order of another Controller is refused: the Run has another owner by now');
      return;
    }
    try {
      onMessage(from, ExchangedMessageSchema.parse(JSON.parse(body)));
    } catch (error) {
      log.error({ err: error, from }, 'Cannot deal with a message of another Controller; it is dropped');
    }
  }
}
