import type { AgentMessage } from '../protocol/agent-messages.ts';
import type { CompressedVisit } from '../protocol/sent-visit.ts';

type Awaitable<T> = T | Promise<T>;

/** Where measured Visits are kept until the Controller has acknowledged them. */
export interface WaitingVisits {
  countWaiting(): Awaitable<number>;
  nextBatch(): Awaitable<CompressedVisit[]>;
  forget(visitIds: readonly string[]): Awaitable<void>;
  setAside(visitIds: readonly string[], reason: string): Awaitable<void>;
}

interface UploaderOptions {
  /** `attached`: what is sent beside the message. */
  send: (message: AgentMessage, attached?: readonly Uint8Array[]) => void;
  /** Whether nothing may be uploaded now: while this Agent measures, so that reporting never shares a link with a measurement, and without a line. */
  mustWait: () => boolean;
  /** Of a batch that the Controller refused, for the log. */
  warn: (message: string) => void;
}

/** Sends the Visits that wait, one batch for each turn that the Controller gives, and requests the next turn when that was acknowledged. */
export class VisitUploader {
  readonly #spool: WaitingVisits;
  readonly #options: UploaderOptions;
  #awaited = new Set<string>();
  #isReading = false;
  /** Given on this line, and not used yet. */
  #hasTurn = false;

  constructor(spool: WaitingVisits, options: UploaderOptions) {
    this.#spool = spool;
    this.#options = options;
  }

  /** Requests a turn if there is something to upload. */
  async announce(): Promise<void> {
    if (this.#awaited.size > 0 || this.#options.mustWait()) return;
    if ((await this.#spool.countWaiting()) > 0) this.#options.send({ type: 'visits-waiting' });
  }

  /** It is this Agent's turn. */
  async uploadNext(): Promise<void> {
    this.#hasTurn = true;
    if (this.#isReading) return; // what is read is sent in this turn
    this.#isReading = true;
    try {
      const isBusy = () => this.#awaited.size > 0 || this.#options.mustWait();
      const read = isBusy() ? [] : await this.#spool.nextBatch();
      // To read takes a while: by now the line may have broken, or a Pass may be under way.
      if (!this.#takeTurn()) return;
      const batch = isBusy() ? [] : read;
      const visits = batch.map(({ visit }) => visit);
      for (const { id } of visits) this.#awaited.add(id);
      const snapshots = batch.flatMap(({ snapshot }) => (snapshot ? [snapshot] : []));
      this.#options.send({ type: 'visits', visits }, snapshots);
    } finally {
      this.#isReading = false;
    }
  }

  async handleStored(visitIds: readonly string[]): Promise<void> {
    await this.#spool.forget(visitIds);
    await this.#settle(visitIds);
  }

  async handleRefused(visitIds: readonly string[], reason: string): Promise<void> {
    this.#options.warn(`The Controller refused ${visitIds.length} Visits (${reason}). They are set aside`);
    await this.#spool.setAside(visitIds, reason);
    await this.#settle(visitIds);
  }

  /** The line broke: the batch on its way is sent again. A Visit that did arrive is recognised by its id. */
  handleDisconnect(): void {
    this.#awaited.clear();
    this.#hasTurn = false;
  }

  /** Whether it is still there. */
  #takeTurn(): boolean {
    const hadTurn = this.#hasTurn;
    this.#hasTurn = false;
    return hadTurn;
  }

  async #settle(visitIds: readonly string[]): Promise<void> {
    for (const id of visitIds) this.#awaited.delete(id);
    await this.announce();
  }
}
