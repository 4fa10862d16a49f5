import { setTimeout as pause } from 'node:timers/promises';
import { findRunChange, type RunDetail } from '#core/protocol/api/run.ts';
import type { ShownPasses } from '#core/protocol/api/run-contents.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';
import { retryTransient } from '../database/is-transient.ts';
import { readRunDetail } from './run-detail.ts';
import type { Services } from '../http/services.ts';

const leastIntervalMs = 250;
/** A large Run takes long to read: each reading is followed by a rest this many times as long, because who watches must not disturb what is measured. */
const restRatio = 9;
/** Also how late a change is seen if the notice of another Controller was lost, and a connection kept that carries nothing. */
const longestSilenceMs = 10_000;

/** A Run as it was read, as it is sent. */
export interface RunNews {
  /** One more than that of the news before. */
  version: number;
  document: string;
  /** What changed since the news before; null of the first. */
  change: string | null;
  isOpen: boolean;
}

/** What one Run is read for: once for all that watch it here, at most four times a second, and only while somebody does. */
export class RunFeed {
  readonly #reading = new AbortController();
  /** Of the watchers that wait. A promise that all of them wait for again and again would keep each time for as long as the Run takes. */
  readonly #wakes = new Set<() => void>();
  #watchers = 0;
  #news: RunNews | null = null;
  #last: RunDetail | null = null;
  readonly #onOver: () => void;
  /** Once nothing more is read; with the reason where it failed. */
  #end: { error: unknown } | null = null;

  /** `onOver`: called when no other watcher may come to this one; perhaps more than once. */
  constructor(services: Services, run: { id: string; shown: ShownPasses; onOver: () => void }) {
    this.#onOver = run.onOver;
    const end = (error: unknown) => {
      run.onOver();
      this.#end = { error };
      this.#wakeAll();
    };
    this.#readOn(services, run).then(() => end(null), end);
  }

  /** Each reading that differs from what was seen, and null for a silence. Ends after a Run that has ended or is gone. */
  async *follow(signal: AbortSignal): AsyncGenerator<RunNews | null> {
    this.#watchers++;
    try {
      let seen: RunNews | null = null;
      for (;;) {
        if (this.#news && this.#news !== seen) {
          seen = this.#news;
          yield seen;
          if (!seen.isOpen) return;
        } else if (this.#end) {
          if (this.#end.error !== null) throw this.#end.error as Error;
          return;
        } else if (!(await this.#awaitNews(signal))) yield null;
      }
    } finally {
      if (--this.#watchers === 0) {
        this.#reading.abort();
        this.#onOver();
      }
    }
  }

  /** False after the longest silence. Rejects when aborted. */
  async #awaitNews(signal: AbortSignal): Promise<boolean> {
    const woken = Promise.withResolvers<void>();
    this.#wakes.add(woken.resolve);
    try {
      return await untilSilence(woken.promise, signal);
    } finally {
      this.#wakes.delete(woken.resolve);
    }
  }

  #wakeAll(): void {
    for (const wake of this.#wakes) wake();
  }

  async #readOn(services: Services, { id, shown }: { id: string; shown: ShownPasses }): Promise<void> {
    const { signal } = this.#reading;
    let change = Promise.withResolvers<void>();
    const stopListening = services.runControl.onRunChange((changedId) => {
      if (changedId === id) change.resolve();
    });
    try {
      for (;;) {
        change = Promise.withResolvers(); // before reading, so that a change during it is not missed
        const startedMs = performance.now();
        const detail = await retryTransient(() => readRunDetail(services, id, shown), { signal, log: services.log });
        if (!detail) return;
        this.#publish(detail);
        if (!isOpen(detail.state)) return;
        await pause(Math.max(leastIntervalMs, restRatio * (performance.now() - startedMs)), undefined, { signal });
        await untilSilence(change.promise, signal);
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    } finally {
      stopListening();
    }
  }

  #publish(detail: RunDetail): void {
    const document = JSON.stringify(detail);
    if (document === this.#news?.document) return;
    const change = this.#last && JSON.stringify(findRunChange(this.#last, detail));
    this.#news = { version: (this.#news?.version ?? 0) + 1, document, change, isOpen: isOpen(detail.state) };
    this.#last = detail;
    this.#wakeAll();
  }
}

/** Whether the event comes before the longest silence is over. Rejects when aborted. */
async function untilSilence(event: Promise<void>, signal: AbortSignal): Promise<boolean> {
  const waited = new AbortController();
  try {
    return await Promise.race([
      event.then(() => true),
      pause(longestSilenceMs, false, { signal: AbortSignal.any([signal, waited.signal]) }),
    ]);
  } finally {
    waited.abort();
  }
}

/** The feed of a Run, which all share that watch it at the same time. */
export function shareRunFeeds(services: Services): (id: string, shown: ShownPasses) => RunFeed {
  const feeds = new Map<string, RunFeed>();
  return (id, shown) => {
    const key = `${id} ${shown}`;
    const open = feeds.get(key);
    if (open) return open;
    const feed: RunFeed = new RunFeed(services, {
      id,
      shown,
      onOver: () => {
        if (feeds.get(key) === feed) feeds.delete(key);
      },
    });
    feeds.set(key, feed);
    return feed;
  };
}
