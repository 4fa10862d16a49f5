import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import type { PassProgress } from '../run-control.ts';

type VisitEnded = Extract<AgentMessage, { type: 'visit-ended' }>;

interface WatchedPass {
  runId: string;
  agent: string;
  order: PassOrder;
  progress: PassProgress | null;
}

/**
 * How far the Passes of the Rounds under way are, from the words that Agents send between Visits. It is for watchers only, and is not stored. Only the Agent of a
 * Pass is believed, and only Visits that were ordered.
 */
export class LiveProgress {
  readonly #passes = new Map<string, WatchedPass>();
  readonly #passesOfRuns = new Map<string, string[]>();

  /** The Passes of the Round of a Run that begins; those of its Round before are forgotten. */
  watch(runId: string, passes: readonly { agent: string; order: PassOrder }[]): void {
    this.forget(runId);
    for (const { agent, order } of passes) this.#passes.set(order.passId, { runId, agent, order, progress: null });
    this.#passesOfRuns.set(
      runId,
      passes.map(({ order }) => order.passId),
    );
  }

  /** The Run that it is of; null where it was not believed. */
  record(agent: string, { passId, sequence, url, totalMs }: VisitEnded): string | null {
    const pass = this.#passes.get(passId);
    if (pass?.agent !== agent || pass.order.visits[sequence]?.url !== url) return null;
    pass.progress = { visitsMade: sequence + 1, lastUrl: url, lastTotalMs: totalMs };
    return pass.runId;
  }

  of(passId: string): PassProgress | null {
    return this.#passes.get(passId)?.progress ?? null;
  }

  forget(runId: string): void {
    for (const passId of this.#passesOfRuns.get(runId) ?? []) this.#passes.delete(passId);
    this.#passesOfRuns.delete(runId);
  }
}
