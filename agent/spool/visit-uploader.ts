import type { Logger } from 'pino';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { VisitSpool } from './visit-spool.ts';

/**
 * Sends what is spooled, one batch for each turn that the Controller gives, and asks for the next turn when that was acknowledged. `mustWait` is asked before
 * each: while this Agent measures nothing is uploaded, so that reporting never shares a link with a measurement, and nothing while it has no line.
 */
export class VisitUploader {
  private readonly spool: VisitSpool;
  private readonly options: { send: (message: AgentMessage) => void; mustWait: () => boolean; log: Logger };
  private awaited = new Set<string>();

  constructor(spool: VisitSpool, options: { send: (message: AgentMessage) => void; mustWait: () => boolean; log: Logger }) {
    this.spool = spool;
    this.options = options;
  }

  /** Asks for a turn, where there is something to upload. */
  announce(): void {
    if (this.awaited.size === 0 && !this.options.mustWait() && this.spool.waitingCount > 0) this.options.send({ type: 'visits-waiting' });
  }

  /** It is this Agent's turn. */
  uploadNext(): void {
    const visits = this.awaited.size > 0 || this.options.mustWait() ? [] : this.spool.nextBatch();
    if (visits.length === 0) {
      this.options.send({ type: 'visits', visits });
      return;
    }
    this.awaited = new Set(visits.map((visit) => visit.id));
    this.options.send({ type: 'visits', visits });
  }

  handleStored(visitIds: readonly string[]): void {
    this.options.log.debug({ visitIds }, 'Acknowledged');
    this.spool.forget(visitIds);
    this.settle(visitIds);
  }

  handleRefused(visitIds: readonly string[], reason: string): void {
    this.options.log.error(`The Controller refused ${visitIds.length} Visits (${reason}); they are set aside in the spool`);
    this.spool.setAside(visitIds, reason);
    this.settle(visitIds);
  }

  /** The line broke: the batch on its way is sent again. A Visit that did arrive is recognised by its id. */
  handleDisconnect(): void {
    this.awaited.clear();
  }

  private settle(visitIds: readonly string[]): void {
    for (const id of visitIds) this.awaited.delete(id);
    this.announce();
  }
}
