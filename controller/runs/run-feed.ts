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
  #next = Promise.withResolvers<void>();
  #watchers = 0;
  #news: RunNews | null = null;
  #last: RunDetail | null = null;
  readonly #onOver: () => void;
  readonly #over: Promise<void>;

  /** `onOver`: called when no other watcher may come to this one; perhaps more than once. */
  constructor(services: Services, run: { id: string; shown: ShownPasses; onOver: () => void }) {
    this.#onOver = run.onOver;
    this.#over = this.#readOn(services, run).finally(run.onOver);
    this.#over.catch(() => undefined); // each watcher gets it
  }

  /** Each reading that differs from what was seen, and null for a silence. Ends after a Run that has ended or is gone. */
  async *follow(signal: AbortSignal): AsyncGenerator<RunNews | null> {
    this.#watchers++;
    try {
      let seen: RunNews | null = null;
      let isOver = false;
      for (;;) {
        const next = this.#next.promise;
        if (this.#news && this.#news !== seen) {
          seen = this.#news;
          yield seen;
          if (!seen.isOpen) return;
        } else if (isOver) return;
        else {
          const waited = await untilSilence([next.then(() => 'news'), this.#over.then(() => 'over')], signal);
          if (waited === null) yield null;
          isOver = waited === 'over';
        }
      }
    } finally {
      if (--this.#watchers === 0) {
        this.#reading.abort();
        this.#onOver();
      }
    }
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
        await untilSilence([change.promise], signal);
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
    const { resolve } = this.#next;
    this.#next = Promise.withResolvers();
    resolve();
  }
}

/** What comes first; null after the longest silence. Rejects when aborted. */
async function untilSilence<Event>(events: Promise<Event>[], signal: AbortSignal): Promise<Event | null> {
  const waited = new AbortController();
  try {
    return await Promise.race([
      ...events,
      pause(longestSilenceMs, null, { signal: AbortSignal.any([signal, waited.signal]) }),
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
