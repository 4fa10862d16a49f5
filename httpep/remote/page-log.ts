import { findHeader } from '#core/http1/header-list.ts';
import { readSpeculation, type RequestHead } from '../exchange/heads.ts';

/** A page that has been still for so long is over. */
const stillMs = 30_000;
const lookMs = 1000;
/** How many pages are counted at a time. */
const maxPages = 1000;

/** What was loaded for a page. */
export interface PageCounts {
  user: string;
  url: string;
  startedAt: string;
  requests: number;
  failed: number;
  promised: number;
  used: number;
  unused: number;
  unusedBytes: number;
  bodyBytes: number;
  tunnelBytes: number;
  /** From the request for the page to the head of its answer; -1 if none came. */
  firstWaitMs: number;
  /** Of all requests, in sum. */
  waitMs: number;
  /** From the request for the page to the last byte of its last answer. */
  totalMs: number;
}

export class LoggedPage {
  readonly counts: PageCounts;
  readonly startMs = performance.now();
  activeMs = this.startMs;

  constructor({ user, url }: { user: string; url: string }) {
    const sums = {
      requests: 0,
      failed: 0,
      promised: 0,
      used: 0,
      unused: 0,
      unusedBytes: 0,
      bodyBytes: 0,
      tunnelBytes: 0,
    };
    const startedAt = new Date().toISOString();
    this.counts = { user, url, startedAt, ...sums, firstWaitMs: -1, waitMs: 0, totalMs: 0 };
  }
}

/** The page that each user loads. A request belongs to the page that its user asked for last. */
export class PageLog implements Disposable {
  readonly #onOver: (page: PageCounts) => void;
  readonly #pages = new Map<string, LoggedPage>();
  readonly #timer: NodeJS.Timeout;

  constructor(onOver: (page: PageCounts) => void) {
    this.#onOver = onOver;
    this.#timer = setInterval(() => this.#look(performance.now()), lookMs).unref();
  }

  /** The page of a request; null for one that belongs to none. */
  find(head: RequestHead): { page: LoggedPage | null; isNew: boolean } {
    const known = this.#pages.get(head.user);
    if (!isForPage(head)) return { page: known ?? null, isNew: false };
    if (known) this.#end(known);
    else if (this.#pages.size >= maxPages) return { page: null, isNew: true };
    const page = new LoggedPage(head);
    this.#pages.set(head.user, page);
    return { page, isNew: true };
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
    for (const page of [...this.#pages.values()]) this.#end(page);
  }

  #look(nowMs: number): void {
    for (const page of [...this.#pages.values()]) if (nowMs - page.activeMs > stillMs) this.#end(page);
  }

  #end(page: LoggedPage): void {
    this.#pages.delete(page.counts.user);
    this.#onOver(page.counts);
  }
}

/** Over plain HTTP, a frame looks as a page does. One that is asked for ahead belongs to the page before. */
function isForPage(head: RequestHead): boolean {
  const { method, headers } = head;
  if (readSpeculation(head) !== null) return false;
  const destination = findHeader(headers, 'sec-fetch-dest') ?? 'document';
  return method === 'GET' && destination === 'document' && /\btext\/html\b/i.test(findHeader(headers, 'accept') ?? '');
}
