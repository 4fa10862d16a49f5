import { setImmediate } from 'node:timers/promises';
import { AppError } from '#core/app-error.ts';
import type { ReplayComparison } from '#core/site/compare-replay.ts';
import type { SiteOutline } from '#core/site/compose-hosts.ts';
import type { SiteSummary } from '#core/site/summarise-site.ts';
import { ProcessLostError, ProcessPool } from '../agents/process-pool.ts';
import { SnapshotTooLargeError } from '../visits/compressed-snapshot.ts';
import type { StoredSnapshot } from '../visits/written-snapshot.ts';
import { askIndex, IndexTooLargeError, type IndexQuestion, type PreparedSite } from './site-index.ts';
import type { SiteAnswer, SiteOrder } from './site-process.ts';

/** Of JSON. More is parsed in another process. A recording of a hundred requests has 0.1 MB, and takes some milliseconds. */
const mostBytesHere = 256 * 1024;
/** One for others beside one that has much to read. */
const mostProcesses = 2;
/** The largest file takes a minute on a slow machine, the largest index some seconds. */
const limitsMs = { check: 600_000, ask: 60_000 };
/** What the largest index takes, several times. */
const usualHeapMegabytes = 2048;

/** Reads recordings: files that came, and the indexes of Sites that are stored. A large one does not hold up the Controller, and one that takes too much costs itself only. */
export class SiteReader implements AsyncDisposable {
  /** Files of their own, as each may take long. */
  readonly #checks: ProcessPool<SiteOrder, SiteAnswer>;
  readonly #questions: ProcessPool<SiteOrder, SiteAnswer>;

  constructor({ mostHeapMegabytes = usualHeapMegabytes }: { mostHeapMegabytes?: number } = {}) {
    const module = new URL('./site-process.ts', import.meta.url);
    const shared = { module, mostProcesses, mostHeapMegabytes };
    this.#checks = new ProcessPool({ ...shared, limitMs: limitsMs.check });
    this.#questions = new ProcessPool({ ...shared, limitMs: limitsMs.ask });
  }

  /** Reads all of a file. Throws `invalid-input` where it is no whole recording, and any other error when the Controller shuts down. */
  async check(file: string): Promise<PreparedSite> {
    const answer = await this.#checks.ask({ kind: 'check', file }).catch((error: unknown) => {
      if (!(error instanceof ProcessLostError)) throw error;
      throw new AppError('invalid-input', `The file cannot be read as a recording. ${error.message}`, { cause: error });
    });
    if (answer.kind === 'prepared') return answer.site;
    if (answer.kind === 'problem' && answer.isRefused) throw new AppError('invalid-input', answer.problem);
    throw unreadable(answer.kind === 'problem' ? answer.problem : answer.kind);
  }

  /** Throws `internal` for an index that cannot be read, as the others do, and any other error when the Controller shuts down. */
  async outline(index: Uint8Array): Promise<SiteOutline> {
    return JSON.parse(await this.#ask(index, { kind: 'outline' })) as SiteOutline;
  }

  async summarise(index: Uint8Array): Promise<SiteSummary> {
    return JSON.parse(await this.#ask(index, { kind: 'contents' })) as SiteSummary;
  }

  /** A RecordedVisit, as JSON: it may be as large as the index. */
  writeVisit(index: Uint8Array, visit: { page: number; visit: number }): Promise<string> {
    return this.#ask(index, { kind: 'visit', ...visit });
  }

  /** How like the recording of a page the Snapshot of a Visit is. */
  async compare(index: Uint8Array, visit: { page: number; snapshot: StoredSnapshot }): Promise<ReplayComparison> {
    return JSON.parse(await this.#ask(index, { kind: 'replay', ...visit })) as ReplayComparison;
  }

  async #ask(index: Uint8Array, question: IndexQuestion): Promise<string> {
    await setImmediate(); // many small ones do not hold up others either
    try {
      return askIndex(index, question, mostBytesHere);
    } catch (error) {
      const isLarge = error instanceof IndexTooLargeError || error instanceof SnapshotTooLargeError;
      if (!isLarge) throw unreadable((error as Error).message, error);
    }
    const answer = await this.#questions.ask({ kind: 'ask', index, question }).catch((error: unknown) => {
      throw error instanceof ProcessLostError ? unreadable(error.message, error) : error;
    });
    if (answer.kind === 'text') return answer.text;
    throw unreadable(answer.kind === 'problem' ? answer.problem : answer.kind);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#checks[Symbol.asyncDispose](), this.#questions[Symbol.asyncDispose]()]);
  }
}

function unreadable(problem: string, cause?: unknown): AppError {
  return new AppError('internal', `The recording cannot be read: ${problem}`, { cause });
}
