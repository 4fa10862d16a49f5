import { setImmediate } from 'node:timers/promises';
import type { Time } from '#core/clock/time.ts';

/** Time that stands still until the test lets some of it pass. */
export class HeldTime implements Time {
  #nowMs = 1_000_000;
  readonly #sleepers = new Set<{ dueMs: number; wake: () => void }>();

  readonly clock = (): number => this.#nowMs;

  readonly sleep = (durationMs: number, signal?: AbortSignal): Promise<void> => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const stop = () => {
      this.#sleepers.delete(sleeper);
      reject(signal!.reason as Error);
    };
    const sleeper = {
      dueMs: this.#nowMs + Math.max(0, durationMs),
      wake: () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      },
    };
    if (signal?.aborted) stop();
    else {
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', stop, { once: true });
    }
    return promise;
  };

  /** How many wait for a later moment. */
  get sleeperCount(): number {
    return this.#sleepers.size;
  }

  /** Lets so much time pass. Each that wakes up meanwhile has done what it does at once before the next one does. */
  async pass(durationMs: number): Promise<void> {
    const endMs = this.#nowMs + durationMs;
    await settle();
    for (let next = this.#next(endMs); next; next = this.#next(endMs)) {
      this.#nowMs = next.dueMs;
      this.#sleepers.delete(next);
      next.wake();
      await settle();
    }
    this.#nowMs = endMs;
  }

  /** As where the machine or the process stood still: who should have woken up meanwhile does so afterwards, once. */
  async standStill(durationMs: number): Promise<void> {
    await settle();
    this.#nowMs += durationMs;
    const due = [...this.#sleepers].filter(({ dueMs }) => dueMs <= this.#nowMs).sort((a, b) => a.dueMs - b.dueMs);
    for (const each of due) {
      this.#sleepers.delete(each);
      each.wake();
    }
    await settle();
  }

  /** Who is to wake up next, and not after this moment. */
  #next(endMs: number) {
    let first: { dueMs: number; wake: () => void } | null = null;
    for (const each of this.#sleepers) if (each.dueMs <= endMs && (!first || each.dueMs < first.dueMs)) first = each;
    return first;
  }
}

/** Lets pass what was handed over within this process: promises, and streams in memory, which hand on in several turns. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await setImmediate();
}
