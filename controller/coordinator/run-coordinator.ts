import { randomInt } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { AppError } from '#core/app-error.ts';
import { actAfter, realTime, type Time } from '#core/clock/time.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { expandDocument } from '#core/evaluation/evaluation-document.ts';
import { hostsOfAll } from '../runs/hosts-of.ts';
import { fixRounds } from '#core/evaluation/rounds/repetition.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { StoreWatch } from '../captures/artefacts/bucket/store-watch.ts';
import type { DiskSpace } from '../captures/artefacts/disk-space.ts';
import { findEvaluation } from '../evaluations/evaluations.ts';
import { findOpenPasses } from '../runs/rounds.ts';
import { isTransient } from '../database/is-transient.ts';
import { claimRun } from '../runs/claim-run.ts';
import { createRun, endPause, readRun, requestPause, requestStop, type OwnedRun } from '../runs/stored-runs.ts';
import type { Exchange } from '../agents/exchange/open-exchange.ts';
import type { AgentHub } from '../agents/agent-hub.ts';
import type { UploadEvents } from '../ingest/accept-uploads.ts';
import type { LineBoard } from '../agents/line-board.ts';
import { inLogContext } from '../operating/log-context.ts';
import type { PrometheusMetrics } from '../operating/prometheus-metrics.ts';
import type { PassProgress, RunControl } from '../runs/run-control.ts';
import type { SiteReader } from '../sites/site-reader.ts';
import { LiveProgress } from './live-progress.ts';
import { ownRun, Shutdown, StopRequest } from './own-run.ts';
import { inTransaction } from '../database/transaction.ts';
import { insertAddedRounds, listAddedRounds, lockRun, explainNoAddition } from '../runs/store-added-rounds.ts';

const lookForWorkMs = 2_000;
/** With other Controllers: a Run whose owner was killed is to continue soon. */
const lookForWorkOfOthersMs = 1_000;

interface CoordinatorOptions {
  pool: Pool;
  hub: AgentHub;
  disk: DiskSpace;
  siteReader: SiteReader;
  storeWatch: Pick<StoreWatch, 'problem'>;
  board: LineBoard;
  exchange: Exchange;
  uploads: EventEmitter<UploadEvents>;
  metrics: Pick<PrometheusMetrics, 'countRound'>;
  /** Lets no two Runs of the database be under way at the same time. */
  oneRunAtATime: boolean;
  /** Of this process unless given. */
  time?: Time | undefined;
  log: Logger;
}

/** Executes Runs side by side where they share nothing, each under a lease, so that another Controller takes over when this one dies. */
export class RunCoordinator implements RunControl {
  readonly #live = new LiveProgress();
  readonly #options: CoordinatorOptions;
  readonly #time: Time;
  readonly #changes = new EventEmitter<{ change: [runId: string] }>();
  readonly #closing = new AbortController();
  /** By the ids of the Runs under way here. */
  readonly #stops = new Map<string, AbortController>();
  readonly #hosts = new Map<string, ReadonlySet<string>>();
  readonly #owning = new Set<Promise<void>>();
  #wake = Promise.withResolvers<void>();
  #working: Promise<void> | null = null;

  constructor(options: CoordinatorOptions) {
    this.#options = options;
    this.#time = options.time ?? realTime;
    this.#changes.setMaxListeners(0);
    options.uploads.setMaxListeners(0); // each Run under way has some
    const { hub, board, exchange } = options;
    exchange.reach.on('message', (agent, message) => {
      const pass = message.type === 'visit-ended' ? this.#live.record(agent, message) : null;
      if (pass === null) return;
      this.#changes.emit('change', pass.runId);
      exchange.changes.note(pass.runId, pass.progress);
    });
    hub.keepWhile((agent) => exchange.isNeeded(agent));
    hub.keepWhile((agent) => [...this.#hosts.values()].some((hosts) => hosts.has(agent)));
    board.on('announced', () => this.#wake.resolve());
    exchange.onRun(({ run, isWork, passes }) => {
      if (isWork) this.#wake.resolve();
      this.#live.hear(passes);
      this.#changes.emit('change', run);
    });
    hub.on('connected', (agent, { passes }) => {
      this.#cancelOver(
        agent,
        passes.map(({ passId }) => passId),
      ).catch((error: unknown) => {
        options.log.warn(
          { err: error, agent },
          'Cannot check whether the Agent’s Passes are still open; the next Round ends them',
        );
      });
    });
  }

  start(): void {
    this.#working ??= this.#work();
  }

  /** Stores a Run of the Evaluation as it is now; it starts as soon as no Run that it shares something with is under way. Throws AppError 'not-found'. */
  async requestRun({
    evaluationId,
    requestedBy,
    seed = randomInt(2 ** 31),
    isTry = false,
    labels = {},
    rounds,
  }: Parameters<RunControl['requestRun']>[0]): Promise<string> {
    const stored = await findEvaluation(this.#options.pool, evaluationId);
    if (!stored) throw new AppError('not-found', `There is no Evaluation ${evaluationId}`);
    const evaluation = expandDocument(stored.document);
    return this.#storeRun({
      evaluationId,
      evaluation:
        rounds === undefined ? evaluation : { ...evaluation, repetition: fixRounds(evaluation.repetition, rounds) },
      requestedBy,
      seed,
      isTry,
      labels,
    });
  }

  /** Throws AppError 'not-found'. */
  async repeatRun({
    runId,
    requestedBy,
    seed = randomInt(2 ** 31),
    labels = {},
  }: Parameters<RunControl['repeatRun']>[0]): Promise<string> {
    const earlier = await readRun(this.#options.pool, runId);
    if (!earlier) throw new AppError('not-found', `There is no Run ${runId}`);
    const { evaluationId, document, isTry } = earlier;
    return this.#storeRun({
      evaluationId,
      evaluation: EvaluationSchema.parse(document),
      requestedBy,
      seed,
      isTry,
      labels,
    });
  }

  async addRounds(request: Parameters<RunControl['addRounds']>[0]): Promise<void> {
    await addRounds(this.#options.pool, request);
    this.#announce(request.runId);
  }

  async stopRun(runId: string): Promise<void> {
    await requestStop(this.#options.pool, runId);
    this.#stops.get(runId)?.abort(new StopRequest());
    this.#announce(runId); // others may have waited for it
  }

  async pauseRun(runId: string): Promise<void> {
    await requestPause(this.#options.pool, runId);
    this.#announce(runId);
  }

  async resumeRun(runId: string): Promise<void> {
    await endPause(this.#options.pool, runId);
    this.#announce(runId);
  }

  /** Calls the listener whenever something about a Run changed; returns how to end that. */
  onRunChange(listener: (runId: string) => void): () => void {
    this.#changes.on('change', listener);
    return () => this.#changes.off('change', listener);
  }

  passProgress(passId: string): PassProgress | null {
    return this.#live.of(passId);
  }

  /** Leaves the Runs under way to the next start, their hosts put back. */
  async close(): Promise<void> {
    this.#closing.abort(new Shutdown());
    this.#wake.resolve();
    await this.#working;
    await Promise.all(this.#owning);
  }

  async #storeRun(run: Omit<Parameters<typeof createRun>[1], 'roundsPlanned'>): Promise<string> {
    const roundsPlanned = expandEvaluation(run.evaluation, run.seed).length;
    const runId = await createRun(this.#options.pool, { ...run, roundsPlanned });
    this.#announce(runId);
    return runId;
  }

  /** A Run changed by other means than its execution: its watchers see it, and who looks for work looks again, here and at other Controllers. */
  #announce(runId: string): void {
    this.#wake.resolve();
    this.#changes.emit('change', runId);
    this.#options.exchange.announceRun(runId);
  }

  /** An Agent may not know of the end of a Round: its line, or the Controller, was away. */
  async #cancelOver(agent: string, held: string[]): Promise<void> {
    if (held.length === 0) return;
    const open = await findOpenPasses(this.#options.pool, held);
    for (const passId of held.filter((id) => !open.has(id)))
      this.#options.hub.send(agent, { type: 'cancel-pass', passId, reason: 'Its Round is over' });
  }

  async #work(): Promise<void> {
    const { pool, board, oneRunAtATime, log } = this.#options;
    while (!this.#closing.signal.aborted) {
      try {
        const claimedMs = this.#time.clock();
        const run = await claimRun(pool, board.id, {
          oneAtATime: oneRunAtATime,
          except: [...this.#stops.keys()],
        });
        if (run) this.#begin(run, claimedMs);
        else await this.#rest();
      } catch (error) {
        if (isTransient(error))
          log.warn({ err: error }, 'The database does not answer: cannot look for Runs; trying again');
        else log.error({ err: error }, 'Internal error of the coordinator; it continues');
        await this.#rest();
      }
    }
  }

  /** Executes a Run beside the others, however it ends. */
  #begin(run: OwnedRun, claimedMs: number): void {
    const { exchange, log } = this.#options;
    const stop = new AbortController();
    const hosts = hostsOfAll(run.evaluation);
    this.#stops.set(run.id, stop);
    this.#hosts.set(run.id, new Set(hosts));
    const notify = () => {
      this.#changes.emit('change', run.id);
      exchange.changes.note(run.id);
    };
    const owning = inLogContext({ run: run.id }, () =>
      ownRun(run, {
        ...this.#options,
        claimedMs,
        hosts,
        stop,
        closing: this.#closing.signal,
        live: this.#live,
        time: this.#time,
        notify,
      }),
    )
      .catch((error: unknown) =>
        log.error({ err: error, run: run.id }, 'Internal error of the coordinator; it takes the Run again'),
      )
      .finally(() => {
        this.#owning.delete(owning);
        this.#stops.delete(run.id);
        this.#hosts.delete(run.id);
        this.#live.forget(run.id);
        this.#announce(run.id); // others may have waited for it
      });
    this.#owning.add(owning);
  }

  async #rest(): Promise<void> {
    const restMs = this.#options.board.others > 0 ? lookForWorkOfOthersMs : lookForWorkMs;
    const over = new AbortController();
    actAfter(restMs, () => this.#wake.resolve(), { sleep: this.#time.sleep, signal: over.signal });
    await this.#wake.promise;
    over.abort();
    this.#wake = Promise.withResolvers();
  }
}

/** Adds Rounds of each Scenario to a Run that has ended. Throws AppError 'not-found', 'conflict' where it cannot be continued. */
export async function addRounds(
  pool: Pool,
  { runId, rounds, requestedBy }: { runId: string; rounds: number; requestedBy: string },
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const run = await lockRun(client, runId);
    if (!run) throw new AppError('not-found', `There is no Run ${runId}`);
    const added = await listAddedRounds(client, runId);
    const problem = explainNoAddition({ ...run, additions: added.length });
    if (problem !== null) throw new AppError('conflict', `Run ${runId}: ${problem}`);
    const next = { firstBlock: run.lastBlock + 1, blocks: rounds };
    await insertAddedRounds(client, {
      runId,
      requestedBy,
      ...next,
      roundsPlanned: expandEvaluation(EvaluationSchema.parse(run.document), run.seed, [...added, next]).length,
    });
  });
}
