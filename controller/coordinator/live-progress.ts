import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import type { PassProgress } from '../run-control.ts';

type VisitEnded = Extract<AgentMessage, { type: 'visit-ended' }>;

/**
 * How far the Passes of the Round under way are, from the words that Agents send between Visits. It is for watchers only, and is not stored. Only the Agent of a
 * Pass is believed, and only Visits that were ordered.
 */
export class LiveProgress {
  readonly #passes = new Map<string, { agent: string; order: PassOrder; progress: PassProgress | null }>();

  /** The Passes of the Round that begins; those of the one before are forgotten. */
  watch(passes: readonly { agent: string; order: PassOrder }[]): void {
    this.#passes.clear();
    for (const { agent, order } of passes) this.#passes.set(order.passId, { agent, order, progress: null });
  }

  /** Whether it was believed. */
  record(agent: string, { passId, sequence, url, totalMs }: VisitEnded): boolean {
    const pass = this.#passes.get(passId);
    if (pass?.agent !== agent || pass.order.visits[sequence]?.url !== url) return false;
    pass.progress = { visitsMade: sequence + 1, lastUrl: url, lastTotalMs: totalMs };
    return true;
  }

  of(passId: string): PassProgress | null {
    return this.#passes.get(passId)?.progress ?? null;
  }

  clear(): void {
    this.#passes.clear();
  }
}
