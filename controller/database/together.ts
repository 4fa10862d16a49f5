import { realTime, type Time } from '#core/clock/time.ts';

/**
 * Does for many callers together what costs about as much for one: one call at a time, with all that came since the call before. What comes alone is done at once, except within the rest after a call.
 */
export class Together<Item, Result> {
  readonly #work: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly #restMs: number;
  readonly #sleep: Time['sleep'];
  #waiting: { item: Item; done: PromiseWithResolvers<Result> }[] = [];
  #isWorking = false;

  /** `work` returns a result for each item, in their order; where it rejects, all of its items are rejected. `restMs`: how long it rests after each call. `sleep`: as time passes unless given. */
  constructor(
    work: (items: readonly Item[]) => Promise<readonly Result[]>,
    { restMs = 0, sleep = realTime.sleep }: { restMs?: number; sleep?: Time['sleep'] } = {},
  ) {
    this.#work = work;
    this.#restMs = restMs;
    this.#sleep = sleep;
  }

  add(item: Item): Promise<Result> {
    const done = Promise.withResolvers<Result>();
    this.#waiting.push({ item, done });
    if (!this.#isWorking) void this.#workOff();
    return done.promise;
  }

  async #workOff(): Promise<void> {
    this.#isWorking = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        const results = await this.#work(batch.map(({ item }) => item));
        for (const [index, { done }] of batch.entries()) done.resolve(results[index]!);
      } catch (error) {
        for (const { done } of batch) done.reject(error);
      }
      if (this.#restMs > 0) await this.#sleep(this.#restMs, new AbortController().signal);
    }
    this.#isWorking = false;
  }
}
