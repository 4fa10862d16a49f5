import { Worker } from 'node:worker_threads';
import type { Pool } from 'pg';
import { AppError } from '#core/app-error.ts';
import type { LatencyOrigin } from '#core/metrics/latency-origin.ts';
import type { UserCellSearch, ComparedCells } from '#core/protocol/api/user-cells.ts';
import { readDataVersion } from '../runs/run-facts.ts';
import type { AskedReport, ReportAnswer, ReportOrder } from './report-worker.ts';

const idleLimitMs = 60_000;
/** Of kept reports together; the last one is kept at any size. */
const maximumKeptBytes = 64e6;

/**
 * Makes Evaluation Comparisons, and cells of single User Agents, as JSON, in a thread of its own, so that a Run of a million Visits does not hold up the Controller; keeps
 * the last ones until their data change. The thread is there while it is needed.
 */
export class ReportMaker implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #databaseUrl: string;
  /** By data version and what was asked for; the last used is last. */
  readonly #kept = new Map<string, Uint8Array>();
  readonly #underWay = new Map<string, Promise<Uint8Array>>();
  readonly #orders = new Map<number, PromiseWithResolvers<Uint8Array>>();
  #worker: Worker | null = null;
  #idle: NodeJS.Timeout | null = null;
  #lastId = 0;

  constructor({ pool, databaseUrl }: { pool: Pool; databaseUrl: string }) {
    this.#pool = pool;
    this.#databaseUrl = databaseUrl;
  }

  get isIdle(): boolean {
    return this.#orders.size === 0;
  }

  /** How many reports are ordered and not ready. */
  get length(): number {
    return this.#orders.size;
  }

  /** The JSON of the Evaluation Comparison of what is stored by now. Throws AppError 'not-found' or 'database-unreachable'. */
  readComparison(
    runId: string,
    from: LatencyOrigin = 'navigation-start',
    cells: ComparedCells = 'all',
  ): Promise<Uint8Array> {
    return this.#read({ kind: 'comparison', runId, from, cells });
  }

  /** The JSON of a `UserCellPage` of what is stored by now. Throws the same. */
  readUserCells(runId: string, { from, ...search }: UserCellSearch & { from: LatencyOrigin }): Promise<Uint8Array> {
    return this.#read({ kind: 'user-cells', runId, from, search });
  }

  async #read(asked: AskedReport): Promise<Uint8Array> {
    const version = await readDataVersion(this.#pool, asked.runId);
    if (version === null) throw new AppError('not-found', `There is no Run ${asked.runId}`);
    const key = JSON.stringify([version, asked]);
    const report = this.#kept.get(key) ?? (await this.#orderOnce(key, asked));
    this.#keep(key, report);
    return report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#endWorker(new Error('The Controller was shut down'));
  }

  #keep(key: string, report: Uint8Array): void {
    this.#kept.delete(key);
    let bytes = report.byteLength;
    for (const [other, { byteLength }] of [...this.#kept].reverse()) {
      bytes += byteLength;
      if (bytes > maximumKeptBytes) this.#kept.delete(other);
    }
    this.#kept.set(key, report);
  }

  async #orderOnce(key: string, asked: AskedReport): Promise<Uint8Array> {
    const ordered = this.#underWay.get(key) ?? this.#order(asked);
    this.#underWay.set(key, ordered);
    try {
      return await ordered;
    } finally {
      this.#underWay.delete(key);
    }
  }

  #order(asked: AskedReport): Promise<Uint8Array> {
    const id = ++this.#lastId;
    const order = Promise.withResolvers<Uint8Array>();
    this.#orders.set(id, order);
    if (this.#idle) clearTimeout(this.#idle);
    this.#worker ??= this.#startWorker();
    this.#worker.postMessage({ id, ...asked } satisfies ReportOrder);
    return order.promise;
  }

  #startWorker(): Worker {
    const worker = new Worker(new URL('./report-worker.ts', import.meta.url), {
      workerData: { databaseUrl: this.#databaseUrl },
      execArgv: ['--disable-warning=ExperimentalWarning'],
    });
    worker.unref();
    worker.on('message', (answer: ReportAnswer) => this.#settle(answer));
    worker.on('error', (error: Error) => void this.#endWorker(error));
    return worker;
  }

  #settle(answer: ReportAnswer): void {
    const order = this.#orders.get(answer.id);
    this.#orders.delete(answer.id);
    if (answer.kind === 'done') order?.resolve(answer.json);
    else
      order?.reject(answer.code === 'internal' ? new Error(answer.message) : new AppError(answer.code, answer.message));
    if (this.#orders.size === 0) this.#idle = setTimeout(() => void this.#endWorker(null), idleLimitMs).unref();
  }

  /** What is still ordered fails for that reason. */
  async #endWorker(reason: Error | null): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle);
    const worker = this.#worker;
    this.#worker = null;
    for (const order of this.#orders.values()) order.reject(reason ?? new Error('The report thread ended'));
    this.#orders.clear();
    await worker?.terminate();
  }
}
