import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { retryTransient } from '../../database/is-transient.ts';
import { insertMessages, type SentMessage } from './controller-messages.ts';
import { z } from 'zod';
import { AgentMessageSchema, ControllerMessageSchema } from '#core/protocol/agent-messages.ts';
import { HostFactsSchema } from '#core/protocol/host-facts.ts';

const agent = z.string();
/** The number of the line that it is about: what is for an earlier line of the Agent is void. */
const line = z.int().nonnegative();

/** What one Controller has for another. */
export const ExchangedMessageSchema = z.discriminatedUnion('kind', [
  /** To be sent to an Agent that is connected there. */
  z.object({ kind: z.literal('order'), agent, line, message: ControllerMessageSchema }),
  /** An Agent of a Run that the other one owns has connected. */
  z.object({
    kind: z.literal('line-began'),
    agent,
    line,
    facts: HostFactsSchema,
    passes: AgentMessageSchema.options[0].shape.passes,
  }),
  z.object({ kind: z.literal('line-ended'), agent, line }),
  /** An Agent said something that concerns its Run. */
  z.object({ kind: z.literal('said'), agent, message: AgentMessageSchema }),
  /** Visits of an Agent were stored: of each, its Pass. */
  z.object({ kind: z.literal('stored'), agent, passIds: z.array(z.uuid()), isRefused: z.boolean() }),
]);
export type ExchangedMessage = z.infer<typeof ExchangedMessageSchema>;

const mostOfBatch = 500;
const mostBytesOfBatch = 4 * 1024 * 1024;
/** Beyond it, the database has been away for so long that the Agents are to leave this Controller. */
const mostWaiting = 50_000;

interface OutboxOptions {
  pool: Pool;
  /** Of this Controller. */
  id: string;
  log: Logger;
  signal: AbortSignal;
}

/** Sends messages to other Controllers by the database, each once and in order: one statement at a time, with all that came during the one before. */
export class Outbox {
  readonly #options: OutboxOptions;
  #waiting: SentMessage[] = [];
  #sent = 0;
  #sending: Promise<void> | null = null;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** `run`: of an order, by whose right it is given. False when there is no room. */
  push(to: string, message: ExchangedMessage, run: SentMessage['run'] = null): boolean {
    if (this.#waiting.length >= mostWaiting) return false;
    this.#waiting.push({ to, number: ++this.#sent, run, body: JSON.stringify(message) });
    this.#sending ??= this.#send();
    return true;
  }

  /** Drops what was not sent: it came too late. */
  clear(): void {
    this.#waiting = [];
  }

  /** Resolves when all is sent. */
  async settled(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    const { pool, id, log, signal } = this.#options;
    await Promise.resolve(); // what is pushed together is sent together
    try {
      while (this.#waiting.length > 0 && !signal.aborted) {
        const batch = this.#takeBatch();
        // Its outcome may be unknown; the numbers keep it from being stored or dealt with twice.
        await retryTransient(() => insertMessages(pool, id, batch), { signal, log });
      }
    } catch (error) {
      if (!signal.aborted) log.error({ err: error }, 'Cannot send messages to other Controllers; they are dropped');
    } finally {
      this.#sending = null;
      if (this.#waiting.length > 0 && !signal.aborted) this.#sending = this.#send();
    }
  }

  #takeBatch(): SentMessage[] {
    let bytes = 0;
    const fits = ({ body }: SentMessage, index: number) =>
      index === 0 || (index < mostOfBatch && (bytes += body.length) <= mostBytesOfBatch);
    const end = this.#waiting.findIndex((message, index) => !fits(message, index));
    return this.#waiting.splice(0, end === -1 ? this.#waiting.length : end);
  }
}
