import { setPassStates, type PassChange } from '../db/rounds.ts';
import type { StepChange } from './pass-watch.ts';
import type { RunContext } from './run-context.ts';

/** Stores the steps of the Passes of a Round, in order: one statement at a time, with all that came during the one before. */
export class StepRecorder {
  readonly #context: Pick<RunContext, 'run' | 'store' | 'notify'>;
  #waiting = new Map<string, PassChange>();
  #last: Promise<void> = Promise.resolve();

  constructor(context: Pick<RunContext, 'run' | 'store' | 'notify'>) {
    this.#context = context;
  }

  readonly record = ({ passId: id, step, ...change }: StepChange): void => {
    if (step === 'ordered') return;
    const isDue = this.#waiting.size > 0;
    const before = this.#waiting.get(id);
    const hasStarted = step === 'running' || before?.hasStarted === true;
    this.#waiting.set(id, { ...before, id, state: step, hasStarted, ...change });
    if (isDue) return; // it is stored with those before it
    this.#last = this.#last.then(() => this.#storeAll());
    // settled() reports it to the waiting caller; until then a failure must not end the process.
    this.#last.catch(() => undefined);
  };

  /** Resolves when all that came is stored; rejects where it cannot be. */
  settled(): Promise<void> {
    return this.#last;
  }

  async #storeAll(): Promise<void> {
    const { run, store, notify } = this.#context;
    const changes = [...this.#waiting.values()];
    this.#waiting = new Map();
    await store((db) => setPassStates(db, run, changes));
    notify();
  }
}
