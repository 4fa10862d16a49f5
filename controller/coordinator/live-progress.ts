import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import type { PassProgress } from '../runs/run-control.ts';

type VisitEnded = Extract<AgentMessage, { type: 'visit-ended' }>;

/** Passes of Runs of other Controllers: those heard of last, which are under way. */
const mostHeard = 20_000;

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
  readonly #heard = new Map<string, PassProgress>();

  /** The Passes of the Round of a Run that begins; those of its Round before are forgotten. */
  watch(runId: string, passes: readonly { agent: string; order: PassOrder }[]): void {
    this.forget(runId);
    for (const { agent, order } of passes) this.#passes.set(order.passId, { runId, agent, order, progress: null });
    this.#passesOfRuns.set(
      runId,
      passes.map(({ order }) => order.passId),
    );
  }

  /** The Run that it is of, with the progress of the Pass; null where it was not believed. */
  record(
    agent: string,
    { passId, sequence, url, totalMs }: VisitEnded,
  ): { runId: string; progress: ReadonlyMap<string, PassProgress> } | null {
    const pass = this.#passes.get(passId);
    if (pass?.agent !== agent || pass.order.visits[sequence]?.url !== url) return null;
    pass.progress = { visitsMade: sequence + 1, lastUrl: url, lastTotalMs: totalMs };
    return { runId: pass.runId, progress: new Map([[passId, pass.progress]]) };
  }

  /** Another Controller, which owns the Run, knows how far Passes are. It does not say of which URL they were: that follows from the Evaluation. */
  hear(passes: readonly (readonly [passId: string, visitsMade: number, lastTotalMs: number | null])[]): void {
    for (const [passId, visitsMade, lastTotalMs] of passes) {
      this.#heard.delete(passId);
      this.#heard.set(passId, { visitsMade, lastUrl: null, lastTotalMs });
    }
    for (const passId of this.#heard.keys()) {
      if (this.#heard.size <= mostHeard) break;
      this.#heard.delete(passId);
    }
  }

  of(passId: string): PassProgress | null {
    return this.#passes.get(passId)?.progress ?? this.#heard.get(passId) ?? null;
  }

  forget(runId: string): void {
    for (const passId of this.#passesOfRuns.get(runId) ?? []) this.#passes.delete(passId);
    this.#passesOfRuns.delete(runId);
  }
}
