import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import { PassRunner, type PassSurroundings } from './pass-runner.ts';

/** The Passes that this Agent holds: those under way, and those that ended and that no cancellation has cleared yet. */
export class PassDesk {
  private readonly surroundings: PassSurroundings;
  private readonly runners = new Map<string, { runner: PassRunner; over: Promise<void> }>();
  /** Called when the last Pass under way has ended. */
  onIdle: () => void = () => undefined;

  constructor(surroundings: PassSurroundings) {
    this.surroundings = surroundings;
  }

  get isMeasuring(): boolean {
    return [...this.runners.values()].some(({ runner }) => !runner.isOver);
  }

  /** For `hello`. */
  list(): Extract<AgentMessage, { type: 'hello' }>['passes'] {
    return [...this.runners.entries()].map(([passId, { runner }]) => ({ passId, state: runner.state }));
  }

  /** An order that is held already (the Controller repeats it after a break of the line) changes nothing. */
  prepare(order: PassOrder): void {
    if (this.runners.has(order.passId)) return;
    const runner = new PassRunner(order, this.surroundings);
    const over = runner.run().then(() => {
      if (!this.isMeasuring) this.onIdle();
    });
    this.runners.set(order.passId, { runner, over });
  }

  handle(message: Extract<ControllerMessage, { type: 'start-pass' | 'cancel-pass' }>): void {
    const entry = this.runners.get(message.passId);
    if (message.type === 'start-pass') {
      entry?.runner.startAt(message.startEpochMs);
    } else {
      entry?.runner.cancel(message.reason);
      this.runners.delete(message.passId);
    }
  }

  /** Cancels all and waits until every browser is gone. */
  async close(reason: string): Promise<void> {
    const entries = [...this.runners.values()];
    for (const { runner } of entries) runner.cancel(reason);
    await Promise.all(entries.map(({ over }) => over));
  }
}
