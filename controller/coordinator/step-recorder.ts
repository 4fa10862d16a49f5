import { setTimeout as sleep } from 'node:timers/promises';
import { setPassStates, type PassChange } from '../db/rounds/rounds.ts';
import type { StepChange } from './pass-watch.ts';
import type { RunContext } from './run-context.ts';

/** After each statement: a thousand Passes that take a step at once need few of them. */
const restMs = 25;

/** Stores the steps of the Passes of a Round, in order: one statement at a time, with all that came since the one before. */
export class StepRecorder {
  readonly #context: Pick<RunContext, 'run' | 'store' | 'notify'>;
  #waiting = new Map<string, PassChange>();
  #last: Promise<void> = Promise.resolve();
  #nextMs = 0;

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
    const waitMs = this.#nextMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const changes = [...this.#waiting.values()];
    this.#waiting = new Map();
    await store((db) => setPassStates(db, run, changes));
    this.#nextMs = performance.now() + restMs;
    notify();
  }
}
