import { randomUUID } from 'node:crypto';
import { AppError } from '#core/app-error.ts';
import { namesOf } from '#core/evaluation/network/network-hosts.ts';
import { isInStep } from '#core/evaluation/rounds/repetition.ts';
import type { PlannedRound } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import { createRound, completeRound, setRoundState, setPassStates, type PassChange } from '../runs/rounds.ts';
import { readRequestDelays, readStartSkew } from '../runs/read-start-skew.ts';
import { planReplay } from '../sites/resolve-sites.ts';
import { applyNetwork, resetNetwork } from './apply-network.ts';
import { collectVisits } from './collect-visits.ts';
import { drawHttpepTls, resolveTestbedKey, trustSites } from './draw-httpep-tls.ts';
import { alignFirstRequests, limitPages, limitPasses, orderPasses, startLeadMs } from './order-passes.ts';
import { PassWatch, type StepChange } from './pass-watch.ts';
import { collectCaptures, orderCaptures, startPointCaptures, type PointCaptures } from './round-captures.ts';
import { RoundBrokenError, type RunContext } from './run-context.ts';
import { runScripts } from './run-scripts.ts';
import { ScenarioProcesses } from './scenario-processes.ts';
import { waitForAgents } from './wait-for-agents.ts';
import { managingHostsOf } from '../runs/hosts-of.ts';
import { setTimeout as sleep } from 'node:timers/promises';

/** After each statement: a thousand Passes that take a step at once need few of them. */
const restBetweenStatementsMs = 25;

/** For hosts whose lines are broken, before the others are put back. */
const putBackWaitMs = 60_000;

/** Between the order to start and the start, where the order goes by the database to another Controller. */
const longStartLeadMs = 1_500;

/**
 * One try of a planned Round: set-up scripts, emulated network and its check, scripts after it, processes, barrier, Passes, collection, tear-down scripts. Throws RoundBrokenError when it gave no result, `run-failed`
 * when no other try could give one; the Round is stored as broken then, with the reason.
 */
export async function executeRound(context: RunContext, planned: PlannedRound): Promise<void> {
  const { run, hub, epochClock, siteReader, store, live, notify, signal, lost, time } = context;
  const { evaluation } = run;
  const roundId = randomUUID();
  const scenario = findScenario(context, planned.scenario);
  const tls = drawHttpepTls(hub, { ...scenario, browser: trustSites(scenario.browser, evaluation) });
  const plan = await store((db) =>
    planReplay({ urlLists: evaluation.urlLists, replay: scenario.network?.replay }, { db, siteReader }),
  );
  const ordered = orderPasses({
    ...planned,
    id: roundId,
    runId: run.id,
    seed: run.seed,
    evaluation,
    httpepKey: tls?.trustedKey,
    origins: plan?.hosts.flatMap(namesOf).map((name) => `https://${name}`),
  });
  const delaysMs = await store((db) => readRequestDelays(db, { runId: run.id, scenario: planned.scenario }));
  const passes = alignFirstRequests(ordered, delaysMs).map(({ order, ...pass }) => ({
    ...pass,
    order: {
      ...order,
      browser: resolveTestbedKey(hub, { browser: trustSites(order.browser, evaluation), host: pass.agent }),
    },
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
  let away: typeof passes = [];
  await store((db) => createRound(db, run, round));
  live.watch(run.id, passes);
  notify();

  using processes = new ScenarioProcesses(context, { roundId, scenario, tls });
  try {
    let networkFault: string | null = null;
    try {
      await runScripts(context, { roundId, scenario, phase: 'set-up' });
      signal.throwIfAborted();
      await applyNetwork(context, { id: roundId, scenario, plan });
      notify();
      await runScripts(context, { roundId, scenario, phase: 'after-network' });
      await processes.start();
      notify();
      await using pointCaptures = await startPointCaptures(context, captures);
      capturedAt = pointCaptures.started;
      const steps = new StepRecorder(context);
      const nextStartEpochMs = () =>
        epochClock() + (passes.some(({ agent }) => hub.isElsewhere?.(agent)) ? longStartLeadMs : startLeadMs);
      const pageLimitsMs = limitPages(passes);
      const watched = { passes, onStep: steps.record, nextStartEpochMs, pageLimitsMs, sleep: time.sleep };
      using watch = new PassWatch(hub, watched);
      processes.watch((problem) => watch.breakOff(problem));
      await watch.untilAll('ready', { timeoutMs: prepareLimitMs, signal });
      await store((db) => setRoundState(db, run, { id: roundId, state: 'running' }));
      notify();
      watch.start();
      await watch.untilAll('ended', { timeoutMs: passLimitMs, signal });
      await pointCaptures.end();
      await processes.requireReady();
      await steps.settled();
    } finally {
      away = passes.filter(({ agent }) => !hub.isConnected(agent));
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
        ...(await readStartSkew(db, {
          id: roundId,
          userAgents: evaluation.userAgents,
          isInStep: isInStep(evaluation.repetition),
        })),
      }),
    );
  } catch (error) {
    if (!lost.aborted) {
      const isKnown = error instanceof RoundBrokenError || error instanceof AppError;
      const problem = isKnown
        ? error.message
        : signal.aborted
          ? (signal.reason as Error).message
          : `Internal error: ${(error as Error).message}`;
      await store((db) => setRoundState(db, run, { id: roundId, state: 'broken', problem }));
    }
    // Those that were away as their Passes were cancelled may be back.
    for (const { order, agent } of away)
      hub.send(agent, { type: 'cancel-pass', passId: order.passId, reason: 'The Round is over' });
    // What was measured and captured until then is kept too; nobody waits for it.
    for (const agent of new Set([...passes, ...captures].map((each) => each.agent)))
      hub.send(agent, { type: 'upload-visits' });
    throw error;
  } finally {
    notify();
  }
}

/** Ends the processes, runs every tear-down script and resets the network, even if some of it fails. Hosts whose lines are broken have a minute to come back. Returns what the network did wrong in the Round, if anything. Throws RoundBrokenError when any of it failed. */
export async function putBack(
  context: RunContext,
  { roundId, scenario, processes }: { roundId: string; scenario: Scenario; processes: ScenarioProcesses },
): Promise<string | null> {
  let networkFault: string | null;
  await awaitHosts(context, managingHostsOf(scenario));
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

/** Those that stay away hold up no other. */
async function awaitHosts(context: RunContext, hosts: readonly string[]): Promise<void> {
  const { hub, run, leaving, log } = context;
  if (hosts.every((host) => hub.isConnected(host))) return;
  await waitForAgents(context, hosts, { timeoutMs: putBackWaitMs, signal: leaving }).catch((error: unknown) =>
    log.warn({ err: error, run: run.id }, 'Hosts are put back without those that are away'),
  );
}

export function findScenario(context: RunContext, name: string): Scenario {
  const scenario = context.run.evaluation.scenarios.find((each) => each.name === name);
  if (!scenario) throw new Error(`Run ${context.run.id} has no Scenario "${name}"`);
  return scenario;
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
    this.#nextMs = performance.now() + restBetweenStatementsMs;
    notify();
  }
}
