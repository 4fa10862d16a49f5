import type { Notice } from '../db/connection/notice.ts';
import type { PassProgress } from '../run-control.ts';

/** Watchers see no more than four changes a second. */
const gatherMs = 250;
/** As many as one notice has room for. */
const mostPassesOfNotice = 100;

interface NoticesOptions {
  /** Of this Controller. */
  id: string;
  /** Whether there are other Controllers, whose watchers are to see it. */
  isShared: () => boolean;
  notify: (notice: Notice) => void;
}

/** Informs other Controllers of changes of the Runs that this one owns, and how far their Passes are: their watchers see them as soon as those here. */
export class ChangeNotices implements Disposable {
  readonly #options: NoticesOptions;
  /** By Run and Pass, what changed since the last notices. */
  #changes = new Map<string, Map<string, PassProgress>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  note(runId: string, passes: ReadonlyMap<string, PassProgress> = new Map()): void {
    if (!this.#options.isShared()) return;
    const changed = this.#changes.get(runId) ?? new Map<string, PassProgress>();
    for (const [passId, progress] of passes) changed.set(passId, progress);
    this.#changes.set(runId, changed);
    this.#timer ??= setTimeout(() => this.#send(), gatherMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #send(): void {
    const { id, notify } = this.#options;
    this.#timer = undefined;
    for (const [run, changed] of this.#changes) {
      const passes = [...changed].map(
        ([passId, { visitsMade, lastTotalMs }]) => [passId, visitsMade, lastTotalMs] as [string, number, number | null],
      );
      for (let from = 0; from === 0 || from < passes.length; from += mostPassesOfNotice)
        notify({ kind: 'run', from: id, run, isWork: false, passes: passes.slice(from, from + mostPassesOfNotice) });
    }
    this.#changes.clear();
  }
}
