import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import type { PassRunner } from '#core/agent/pass-runner.ts';
import { makeAgentPass, type PassSurroundings } from './agent-pass.ts';

/** The Passes that this Agent holds: those under way, and those that ended and that no cancellation has cleared yet. */
export class HeldPasses {
  readonly #surroundings: PassSurroundings;
  readonly #runners = new Map<string, { runner: PassRunner; over: Promise<void> }>();
  /** Of Passes that were cancelled: what they opened is still being closed. */
  readonly #endings = new Set<Promise<void>>();
  readonly #onIdle: () => void;

  /** `onIdle` is called when the last Pass under way has ended. */
  constructor(surroundings: PassSurroundings, onIdle: () => void) {
    this.#surroundings = surroundings;
    this.#onIdle = onIdle;
  }

  get isMeasuring(): boolean {
    return [...this.#runners.values()].some(({ runner }) => !runner.isOver);
  }

  /** Whether any loads pages, or is about to. */
  get isLoading(): boolean {
    return [...this.#runners.values()].some(({ runner }) => runner.isLoading);
  }

  /** For `hello`. */
  list(): Extract<AgentMessage, { type: 'hello' }>['passes'] {
    return [...this.#runners.entries()].map(([passId, { runner }]) => ({
      passId,
      state: runner.state,
      ...(runner.load && { load: runner.load }),
    }));
  }

  /** An order that is held already (the Controller repeats it after a break of the line) changes nothing. */
  prepare(order: PassOrder): void {
    if (this.#runners.has(order.passId)) return;
    // Of a Round whose end never reached this Agent.
    for (const [passId, { runner }] of [...this.#runners])
      if (runner.order.roundId !== order.roundId) this.#cancel(passId, 'Another Round begins');
    const runner = makeAgentPass(order, this.#surroundings);
    // What a Pass does as it ends must not fall into the next Round.
    const over = Promise.allSettled(this.#endings)
      .then(() => runner.run())
      .then(() => {
        if (!this.isMeasuring) this.#onIdle();
      });
    this.#runners.set(order.passId, { runner, over });
  }

  handle(message: Extract<ControllerMessage, { type: 'start-pass' | 'cancel-pass' }>): void {
    if (message.type === 'start-pass') this.#runners.get(message.passId)?.runner.startAt(message.startEpochMs);
    else this.#cancel(message.passId, message.reason);
  }

  /** Cancels all and waits until every browser is gone. */
  async close(reason: string): Promise<void> {
    for (const passId of [...this.#runners.keys()]) this.#cancel(passId, reason);
    await Promise.all(this.#endings);
  }

  #cancel(passId: string, reason: string): void {
    const held = this.#runners.get(passId);
    if (!held) return;
    held.runner.cancel(reason);
    this.#runners.delete(passId);
    const ending = held.over.finally(() => this.#endings.delete(ending));
    this.#endings.add(ending);
  }
}
