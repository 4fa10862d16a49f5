/**
 * The Passes of a Round whose User Agents are in step: which may begin which Visit of its Pass. A Visit may begin when no Pass is at an earlier one any more.
 * A Visit that failed is over like any other. A Pass that has ended holds up no other; one that is lost breaks its Round.
 */
export class PageBarrier {
  #page = 0;
  /** Those that are at this page. */
  #loading: Set<string>;
  /** Those that are past it, and wait for the next one. */
  #ready = new Set<string>();

  constructor(passIds: Iterable<string>) {
    this.#loading = new Set(passIds);
  }

  /** The place in their Passes of the Visits that have begun last, or may begin. */
  get page(): number {
    return this.#page;
  }

  /** The Passes that the others wait for. */
  get loading(): ReadonlySet<string> {
    return this.#loading;
  }

  /** A Pass is ready for the Visit at this place. Returns those that may begin the Visit at `page`: none yet, all, or this one alone, where it missed the start. */
  arrive(passId: string, page: number): string[] {
    if (page === this.#page && this.#loading.has(passId)) return [passId];
    if (page !== this.#page + 1 || !this.#loading.delete(passId)) return [];
    this.#ready.add(passId);
    return this.#open();
  }

  /** A Pass has ended. Returns those that may begin the next Visit now. */
  leave(passId: string): string[] {
    this.#ready.delete(passId);
    return this.#loading.delete(passId) ? this.#open() : [];
  }

  #open(): string[] {
    if (this.#loading.size > 0 || this.#ready.size === 0) return [];
    this.#page++;
    this.#loading = this.#ready;
    this.#ready = new Set();
    return [...this.#loading];
  }
}
