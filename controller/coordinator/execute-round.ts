import { randomUUID } from 'node:crypto';
import { epochClock } from '#core/clock/epoch-clock.ts';
import { AppError } from '#core/app-error.ts';
import type { PlannedRound } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import { createRound, completeRound, setRoundState, setPassStates, type PassChange } from '../runs/rounds.ts';
import { readRequestDelays, readStartSkew } from '../runs/read-start-skew.ts';
import { applyNetwork, resetNetwork } from './apply-network.ts';
import { collectVisits } from './collect-visits.ts';
import { drawHttpepTls, resolveTestbedKey } from './draw-httpep-tls.ts';
import { alignFirstRequests, orderPasses, type OrderedPass } from './order-passes.ts';
import { PassWatch, type StepChange } from './pass-watch.ts';
import { startPointCaptures, type PointCaptures } from './point-captures.ts';
import { RoundBrokenError } from './round-broken-error.ts';
import type { RunContext } from './run-context.ts';
import { runScripts } from './run-scripts.ts';
import { ScenarioProcesses } from './scenario-processes.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { CaptureOrder } from '#core/protocol/capture-order.ts';
import type { JourneyLeg } from '#core/evaluation/journey/journey.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import { findStoredCaptures } from '../captures/captures.ts';
import { UploadWatch } from './upload-watch.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** After each statement: a thousand Passes that take a step at once need few of them. */
const restMs = 25;

const limitMs = 60_000;

/** A Capture that an Agent has made. `of`: its User Agent or Capture Point. */
interface AwaitedCapture {
  id: string;
  of: string;
  agent: string;
}

/** Between the order to start and the start: long enough for the word to reach every Agent. */
const startLeadMs = 500;
/** The same where it goes by the database to another Controller. */
const longStartLeadMs = 1_500;

const prepareMs = 120_000;
/** Per Visit, beyond its rest and its hard cap: for a context to open and close on a busy host. */
const visitSlackMs = 15_000;
/** A timer of more would end at once. https://nodejs.org/api/timers.html */
const longestTimerMs = 2 ** 31 - 1;

/**
 * One try of a planned Round: set-up scripts, emulated network and its check, scripts after it, processes, barrier, Passes, collection, tear-down scripts. Throws RoundBrokenError when it gave no result, `run-failed`
 * when no other try could give one; the Round is stored as broken then, with the reason.
 */
export async function executeRound(context: RunContext, planned: PlannedRound): Promise<void> {
  const { run, hub, store, live, notify, signal, lost, time } = context;
  const { evaluation } = run;
  const roundId = randomUUID();
  const scenario = findScenario(context, planned.scenario);
  const tls = drawHttpepTls(hub, scenario);
  const ordered = orderPasses({
    ...planned,
    id: roundId,
    runId: run.id,
    seed: run.seed,
    evaluation,
    httpepKey: tls?.trustedKey,
  });
  const delaysMs = await store((db) => readRequestDelays(db, { runId: run.id, scenario: planned.scenario }));
  const passes = alignFirstRequests(ordered, delaysMs).map(({ order, ...pass }) => ({
    ...pass,
    order: { ...order, browser: resolveTestbedKey(hub, { browser: order.browser, host: pass.agent }) },
  }));
  const { prepareLimitMs, passLimitMs } = limitPasses(passes);
  const captures = orderCaptures(evaluation, { id: roundId, endAfterMs: prepareLimitMs + passLimitMs });
  const round = {
    id: roundId,
    planned,
    passes: passes.map(({ order, agent }) => ({
      id: order.passId,
      userAgent: order.userAgent,
      agent,
      visitsExpected: order.visits.length,
      engineVersion: hub.factsOf(agent)?.engines.find(({ engine }) => engine === order.engine)?.version ?? null,
    })),
    capturePoints: captures.map(({ order, agent }) => ({
      id: order.captureId,
      name: order.capturePoint,
      agent,
      interface: order.interface,
      filter: order.filter,
    })),
  };
  let capturedAt: PointCaptures['started'];
  await store((db) => createRound(db, run, round));
  live.watch(run.id, passes);
  notify();

  using processes = new ScenarioProcesses(context, { roundId, scenario, tls });
  try {
    let networkFault: string | null = null;
    try {
      await runScripts(context, { roundId, scenario, phase: 'set-up' });
      signal.throwIfAborted();
      await applyNetwork(context, { id: roundId, scenario });
      notify();
      await runScripts(context, { roundId, scenario, phase: 'after-network' });
      await processes.start();
      notify();
      await using pointCaptures = await startPointCaptures(context, captures);
      capturedAt = pointCaptures.started;
      const steps = new StepRecorder(context);
      using watch = new PassWatch(hub, { passes, onStep: steps.record, sleep: time.sleep });
      processes.watch((problem) => watch.breakOff(problem));
      await watch.untilAll('ready', { timeoutMs: prepareLimitMs, signal });
      await store((db) => setRoundState(db, run, { id: roundId, state: 'running' }));
      notify();
      const isFar = passes.some(({ agent }) => hub.isElsewhere?.(agent));
      watch.start(epochClock() + (isFar ? longStartLeadMs : startLeadMs));
      await watch.untilAll('ended', { timeoutMs: passLimitMs, signal });
      await pointCaptures.end();
      await processes.requireReady();
      await steps.settled();
    } finally {
      // Also when the Run is being stopped: the next Round, or the next Run, must find the hosts as they were.
      if (!lost.aborted) networkFault = await putBack(context, { roundId, scenario, processes });
    }
    if (networkFault !== null) throw new RoundBrokenError(networkFault);
    await store((db) => setRoundState(db, run, { id: roundId, state: 'collecting' }));
    notify();
    await collectVisits(context, round);
    await collectCaptures(context, [
      ...passes
        .filter(({ order }) => order.capture !== null)
        .map(({ order, agent }) => ({ id: order.passId, of: order.userAgent, agent })),
      ...capturedAt.map(({ order, agent }) => ({ id: order.captureId, of: order.capturePoint, agent })),
    ]);
    await store(async (db) =>
      completeRound(db, run, {
        id: roundId,
        ...(await readStartSkew(db, { id: roundId, userAgents: evaluation.userAgents })),
      }),
    );
  } catch (error) {
    const isBroken = error instanceof RoundBrokenError || error instanceof AppError;
    if (isBroken || (signal.aborted && !lost.aborted)) {
      const problem = isBroken ? error.message : (signal.reason as Error).message;
      await store((db) => setRoundState(db, run, { id: roundId, state: 'broken', problem }));
    }
    // What was measured and captured until then is kept too; nobody waits for it.
    for (const agent of new Set([...passes, ...captures].map((each) => each.agent)))
      hub.send(agent, { type: 'upload-visits' });
    throw error;
  } finally {
    notify();
  }
}

/** Ends the processes, runs every tear-down script and resets the network, even if some of it fails. Returns what the network did wrong in the Round, if anything. Throws RoundBrokenError when any of it failed. */
export async function putBack(
  context: RunContext,
  { roundId, scenario, processes }: { roundId: string; scenario: Scenario; processes: ScenarioProcesses },
): Promise<string | null> {
  let networkFault: string | null;
  try {
    await processes.end();
  } finally {
    try {
      await runScripts(context, { roundId, scenario, phase: 'tear-down' });
    } finally {
      networkFault = await resetNetwork(context, { id: roundId, scenario });
    }
  }
  return networkFault;
}

export function findScenario(context: RunContext, name: string): Scenario {
  const scenario = context.run.evaluation.scenarios.find((each) => each.name === name);
  if (!scenario) throw new Error(`Run ${context.run.id} has no Scenario "${name}"`);
  return scenario;
}

/** The order for every Capture Point in one Round; none where the Evaluation captures nothing. */
export function orderCaptures(
  { capture, capturePoints }: Evaluation,
  round: { id: string; endAfterMs: number },
): { order: CaptureOrder; agent: string }[] {
  if (!capture.enabled) return [];
  const { snapBytes, maxBytesPerPass, keepTraces } = capture;
  return capturePoints.map((point) => ({
    agent: point.host,
    order: {
      captureId: randomUUID(),
      roundId: round.id,
      capturePoint: point.name,
      interface: point.interface,
      filter: point.filter,
      limits: { snapBytes: point.snapBytes ?? snapBytes, maxBytesPerPass, keepTraces },
      endAfterMs: round.endAfterMs,
    },
  }));
}

/** What the steps of a journey may take beside the load of its page: as long as that, after what the navigation waits for. */
function limitSteps(leg: JourneyLeg | undefined, { timeoutMs }: Pick<PageLoad, 'timeoutMs'>): number {
  return leg ? timeoutMs + leg.lead.reduce((sum, step) => sum + step.timeoutMs, 0) : 0;
}

/** How long the Passes of a Round may take until all are ready, and from then until all have ended, in ms. */
export function limitPasses(passes: readonly OrderedPass[]): { prepareLimitMs: number; passLimitMs: number } {
  const restBefore = ({ order: { pageLoad, visits } }: OrderedPass, index: number) =>
    visits[index]!.restMs ?? pageLoad.restMs;
  const limitOf = (pass: OrderedPass) => {
    const { pageLoad, visits } = pass.order;
    const visitsMs = visits.map(
      ({ leg }, index) => pageLoad.timeoutMs + limitSteps(leg, pageLoad) + restBefore(pass, index) + visitSlackMs,
    );
    return startLeadMs + pass.startOffsetMs + visitsMs.reduce((sum, each) => sum + each, 0);
  };
  return {
    // The rest before the first Visit is taken before the start.
    prepareLimitMs: prepareMs + Math.max(...passes.map((pass) => restBefore(pass, 0))),
    passLimitMs: Math.min(longestTimerMs, Math.max(...passes.map(limitOf))),
  };
}

/**
 * Waits for the Captures of a Round, so that their upload does not fall into the next Round. A Round is complete without them: what does
 * not come in a minute may come after a later Round, or when its Agent connects again.
 */
async function collectCaptures(context: RunContext, captures: readonly AwaitedCapture[]): Promise<void> {
  const { hub, store, signal, log, time } = context;
  const deadlineMs = time.clock() + limitMs;
  using uploads = new UploadWatch(context);
  for (;;) {
    signal.throwIfAborted();
    const stored = await store((db) =>
      findStoredCaptures(
        db,
        captures.map(({ id }) => id),
      ),
    );
    const missing = captures.filter(({ id }) => !stored.has(id));
    if (missing.length === 0) return;
    if (time.clock() > deadlineMs) {
      log.warn(
        `The Captures of ${missing.map((capture) => capture.of).join(', ')} did not arrive within ${limitMs / 1000} s: the Run continues without them`,
      );
      return;
    }
    for (const agent of new Set(missing.map((capture) => capture.agent))) hub.send(agent, { type: 'upload-visits' });
    await uploads.next();
  }
}

/** Stores the steps of the Passes of a Round, in order: one statement at a time, with all that came since the one before. */
export class StepRecorder {
  readonly #context: Pick<RunContext, 'run' | 'store' | 'notify'>;
  #waiting = new Map<string, PassChange>();
  #last: Promise<void> = Promise.resolve();
  #nextMs = 0;

  constructor(context: Pick<RunContext, 'run' | 'store' | 'notify'>) {
    this.#context = context;
  }

  readonly record = ({ passId: id, step, ...change }: StepChange): void => {
    if (step === 'ordered') return;
    const isDue = this.#waiting.size > 0;
    const before = this.#waiting.get(id);
    const hasStarted = step === 'running' || before?.hasStarted === true;
    this.#waiting.set(id, { ...before, id, state: step, hasStarted, ...change });
    if (isDue) return; // it is stored with those before it
    this.#last = this.#last.then(() => this.#storeAll());
    // settled() reports it to the waiting caller; until then a failure must not end the process.
    this.#last.catch(() => undefined);
  };

  /** Resolves when all that came is stored; rejects where it cannot be. */
  settled(): Promise<void> {
    return this.#last;
  }

  async #storeAll(): Promise<void> {
    const { run, store, notify } = this.#context;
    const waitMs = this.#nextMs - performance.now();
    if (waitMs > 0) await sleep(waitMs);
    const changes = [...this.#waiting.values()];
    this.#waiting = new Map();
    await store((db) => setPassStates(db, run, changes));
    this.#nextMs = performance.now() + restMs;
    notify();
  }
}
