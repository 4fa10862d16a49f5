import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { Spool } from './spool.ts';

/**
 * Sends what is spooled, one batch for each turn that the Controller gives, and asks for the next turn when that was acknowledged. `isMeasuring` is asked
 * before each, so that reporting never shares a link with a measurement.
 */
export class VisitUploader {
  readonly #spool: Spool;
  readonly #options: { send: (message: AgentMessage) => void; isMeasuring: () => boolean };
  #awaited = new Set<string>();
  #isReading = false;

  constructor(spool: Spool, options: { send: (message: AgentMessage) => void; isMeasuring: () => boolean }) {
    this.#spool = spool;
    this.#options = options;
  }

  /** Asks for a turn, where there is something to upload. */
  async announce(): Promise<void> {
    if (this.#awaited.size > 0 || this.#options.isMeasuring()) return;
    if ((await this.#spool.countWaiting()) > 0) this.#options.send({ type: 'visits-waiting' });
  }

  /** It is this Agent's turn. */
  async uploadNext(): Promise<void> {
    if (this.#isReading) return; // what is read is sent in this turn
    this.#isReading = true;
    try {
      const isBusy = this.#awaited.size > 0 || this.#options.isMeasuring();
      const visits = isBusy ? [] : await this.#spool.nextBatch();
      if (!isBusy) this.#awaited = new Set(visits.map(({ id }) => id));
      this.#options.send({ type: 'visits', visits });
    } finally {
      this.#isReading = false;
    }
  }

  async handleStored(visitIds: readonly string[]): Promise<void> {
    await this.#spool.forget(visitIds);
    await this.#settle(visitIds);
  }

  async handleRefused(visitIds: readonly string[], reason: string): Promise<void> {
    console.error(`The Controller refused ${visitIds.length} Visits (${reason}); they are set aside`);
    await this.#spool.setAside(visitIds, reason);
    await this.#settle(visitIds);
  }

  /** The line broke: the batch on its way is sent again. A Visit that did arrive is recognised by its id. */
  handleDown(): void {
    this.#awaited.clear();
  }

  async #settle(visitIds: readonly string[]): Promise<void> {
    for (const id of visitIds) this.#awaited.delete(id);
    await this.announce();
  }
}
