import { AppError } from '#core/app-error.ts';
import { expandEvaluation, type PlannedRound } from '#core/evaluation/rounds/expand-evaluation.ts';
import { findEngineOnHost } from '#core/protocol/host-facts.ts';
import { findStorageProblem } from '../captures/artefacts/disk-space.ts';
import { hostsOf } from '../runs/hosts-of.ts';
import { listAddedRounds, startAddedRounds, listCountedBlocks } from '../runs/store-added-rounds.ts';
import { readPassAgents, readRounds, setRoundState } from '../runs/rounds.ts';
import { inLogContext } from '../operating/log-context.ts';
import { executeRound, findScenario, putBack } from './execute-round.ts';
import type { AddedRounds } from '#core/evaluation/rounds/repetition.ts';
import { requireTestbedKey } from './draw-httpep-tls.ts';
import { ScenarioProcesses } from './scenario-processes.ts';
import { RoundBrokenError, type RunContext } from './run-context.ts';
import { waitForAgents } from './wait-for-agents.ts';
import { isPaused } from '../runs/stored-runs.ts';
import { explainRefusedSettings } from '#core/evaluation/browser/allowed-browser-settings.ts';
import type { Evaluation } from '#core/evaluation/evaluation.ts';
import type { OrderLine } from './order-line.ts';
import { browserOf, placeOfSetting } from '#core/evaluation/browser/browser-of.ts';
import { explainUnsupportedSettings } from '#core/evaluation/browser/explain-unsupported-settings.ts';
import { listLooks } from '#core/comparison/design-comparison.ts';
import { recordDecision, type BlockDecision } from '#core/stop-rule/block-decision.ts';
import { decideStop } from '#core/stop-rule/decide-stop.ts';
import { estimateRun } from '#controller/estimates/estimate-run.ts';
import { readStopCells, rollUpRun } from '../runs/rollups.ts';
import { readRunPace } from '../runs/run-pace.ts';
import { findDecision, storeDecision } from '../runs/stop-decisions.ts';

/** Another Controller may be the one that was asked to resume, so the database is looked at. */
const lookEveryMs = 500;

const agentWaitMs = 300_000;
const lookForSpaceEveryMs = 1_000;
/** Before a Round is tried a third time, or more often: what disturbed the machine twice may pass. */
const restBeforeAttemptMs = 20_000;

/**
 * Executes what is left of a Run's plan, or of the Rounds that were added last, Round by Round. Resolves when the stop rule ends it, at the latest when every planned Round is completed. Throws AppError 'run-failed' when a Round
 * was broken as often as the Evaluation allows, 'agent-missing' when a host stays away, 'preference-not-allowed' or 'setting-not-obeyed' when one refuses a setting,
 * the signal's reason when that is aborted.
 */
export async function executeRun(context: RunContext): Promise<void> {
  const { run, store, log } = context;
  const stored = await store((db) => readRounds(db, run.id));
  const added = await store((db) => listAddedRounds(db, run.id));
  // Also of a Run that is to stop: those that had not begun would be in the queue without end.
  if (added.length > 0) await store((db) => startAddedRounds(db, run));

  for (const round of stored.filter((each) => each.state !== 'completed' && each.state !== 'broken')) {
    await clearAway(context, round);
  }
  context.signal.throwIfAborted();
  try {
    await executePlan(context, {
      added,
      completed: new Set(stored.filter((round) => round.state === 'completed').map((round) => round.index)),
    });
  } finally {
    await endProcesses(context);
  }
  log.info({ run: run.id }, 'The Run is complete');
}

/** Ends the processes that last for the Run. */
async function endProcesses(context: RunContext): Promise<void> {
  for (const scenario of context.run.evaluation.scenarios) {
    using processes = new ScenarioProcesses(context, { roundId: '', scenario });
    await processes.endOfRun();
  }
}

async function executePlan(
  context: RunContext,
  { added, completed }: { added: readonly AddedRounds[]; completed: ReadonlySet<number> },
): Promise<void> {
  const { run, store } = context;
  // What was not measured of earlier Blocks stays so: the hosts and the network may have changed since.
  const plan = expandEvaluation(run.evaluation, run.seed, added).filter(({ addition }) => addition === added.length);
  for (const [position, planned] of plan.entries()) {
    if (!completed.has(planned.index)) {
      await untilResumed(context);
      const { index: round, scenario } = planned;
      await inLogContext({ round, scenario }, () => executeUntilCompleted(context, planned));
      await store((db) => rollUpRun(db, run.id));
    }
    if (!endsBlock(plan, position)) continue;
    const { stopReason } = await decideAfterBlock(context, planned.block);
    context.notify();
    if (stopReason !== null) break;
  }
}

/** Whether a Block that counts is complete with this Round. The Blocks of a sequential Run are complete at its end only. */
export function endsBlock(plan: readonly PlannedRound[], position: number): boolean {
  const { block, warmUp } = plan[position]!;
  return !warmUp && plan.slice(position + 1).every((later) => later.block > block);
}

async function executeUntilCompleted(context: RunContext, planned: PlannedRound): Promise<void> {
  const { run, hub, disk, metrics, signal, time, log } = context;
  const { attempts } = run.evaluation.repetition;
  const hosts = hostsOf(run.evaluation, findScenario(context, planned.scenario));
  let attempt = 1;
  for (;;) {
    await untilSpace(context);
    const startedMs = performance.now();
    await waitForAgents(context, hosts, { timeoutMs: agentWaitMs, signal });
    requireObeyedSettings(hub, run.evaluation);
    requireAllowedSettings(hub, run.evaluation);
    requireTestbedKey(hub, run.evaluation);
    try {
      await executeRound(context, planned);
      metrics.countRound('completed');
      return;
    } catch (error) {
      signal.throwIfAborted(); // the Run ends as requested, even if something broke on the way out
      if (!(error instanceof RoundBrokenError)) throw error;
      metrics.countRound('broken');
      log.warn({ run: run.id, round: planned.index, attempt }, `A Round is broken: ${error.message}`);
      await disk.findProblem();
      // Nothing could be stored: that says nothing of the Round, and is no attempt.
      if (disk.wasFullSince(startedMs)) continue;
      if (attempt >= attempts) {
        const which = planned.warmUp ? 'The warm-up Round' : `The Round of Block ${planned.block}`;
        throw new AppError(
          'run-failed',
          `${which} of "${planned.scenario}" was broken ${attempt} times. Last problem: ${error.message}`,
          { cause: error },
        );
      }
      if (attempt > 1) await time.sleep(restBeforeAttemptMs, signal);
      attempt++;
    }
  }
}

/** A Round that another Controller, or an earlier start of this one, left unfinished: its hosts are put back, and it is kept as broken. */
async function clearAway(context: RunContext, round: { id: string; scenario: string }): Promise<void> {
  const { run, hub, store, leaving, log } = context;
  const interruption = 'The Controller was interrupted in this Round';
  const scenario = findScenario(context, round.scenario);
  let problem = interruption;
  await context.lookForAgents();
  for (const { id: passId, agent } of await store((db) => readPassAgents(db, round.id)))
    hub.send(agent, { type: 'cancel-pass', passId, reason: interruption });
  try {
    using processes = new ScenarioProcesses(context, { roundId: round.id, scenario });
    await putBack(context, { roundId: round.id, scenario, processes });
  } catch (error) {
    leaving.throwIfAborted(); // the next owner tries it again
    if (!(error instanceof RoundBrokenError || error instanceof AppError)) throw error;
    problem = `${interruption}; ${error.message}`;
    log.warn({ run: run.id }, problem);
  }
  await store((db) => setRoundState(db, run, { id: round.id, state: 'broken', problem }));
}

/** Resolves at once, or when a paused Run is resumed. Rejects with the signal's reason when that is aborted. */
async function untilResumed({ run, store, signal, notify, time, log }: RunContext): Promise<void> {
  if (!(await store((db) => isPaused(db, run.id)))) return;
  log.info({ run: run.id }, 'The Run is paused');
  notify();
  do {
    await time.sleep(lookEveryMs, signal);
  } while (await store((db) => isPaused(db, run.id)));
  log.info({ run: run.id }, 'The Run continues');
}

/** Throws `preference-not-allowed` when the Agent of a User Agent, which is connected, would refuse what a Scenario sets. */
function requireAllowedSettings(
  hub: Pick<OrderLine, 'factsOf'>,
  { userAgents, scenarios }: Pick<Evaluation, 'userAgents' | 'scenarios'>,
): void {
  for (const { host, engine } of userAgents) {
    const facts = hub.factsOf(host);
    if (facts?.anyPreferenceAllowed !== false) continue;
    for (const { name, browser } of scenarios) {
      const refusal = explainRefusedSettings(browser, { ...findEngineOnHost(engine, facts), agent: host });
      if (refusal !== null) throw new AppError('preference-not-allowed', `Scenario "${name}": ${refusal}`);
    }
  }
}

/** Throws `setting-not-obeyed` when a Scenario has a setting that the engine of a User Agent, whose Agent is connected, does not obey there. */
function requireObeyedSettings(
  hub: Pick<OrderLine, 'factsOf'>,
  { userAgents, scenarios }: Pick<Evaluation, 'userAgents' | 'scenarios'>,
): void {
  const obeyers = userAgents.map(({ name, host, engine }) => {
    const facts = hub.factsOf(host);
    return { name, ...(facts ? findEngineOnHost(engine, facts) : { engine }) };
  });
  for (const scenario of scenarios) {
    const [unsupported] = explainUnsupportedSettings(browserOf(scenario), obeyers);
    if (unsupported)
      throw new AppError(
        'setting-not-obeyed',
        `Scenario "${scenario.name}": ${placeOfSetting(scenario, unsupported.setting).slice(-1).join()} ${unsupported.message}`,
      );
  }
}

/** Whether the Run ends after this Block. A decision stays, no matter which Controller made it. */
export async function decideAfterBlock({ run, store }: RunContext, block: number): Promise<BlockDecision> {
  const earlier = await store((db) => findDecision(db, run.id, block));
  if (earlier) return earlier;

  const added = await store((db) => listAddedRounds(db, run.id));
  const counted = added.length > 0 ? await store((db) => listCountedBlocks(db, run.id)) : [];
  const { repetition, primaryMetric, comparison } = run.evaluation;
  const { confidence } = comparison;
  await store((db) => rollUpRun(db, run.id));
  const cells = repetition.adaptive
    ? await store((db) => readStopCells(db, run.id, repetition.adaptive?.metrics ?? [primaryMetric]))
    : [];
  const pace = await store((db) => readRunPace(db, run.id));

  const last = added.at(-1);
  const ofAdded = last && {
    lastBlock: last.firstBlock + last.blocks - 1,
    looks: listLooks(added, counted).slice(0, -1),
  };
  const blocksExpected =
    ofAdded?.lastBlock ?? estimateRun({ repetition, confidence, blockMs: pace.blockMs ?? 0, cells }).rounds;
  const decision = recordDecision(
    decideStop({ ...pace, blocks: block, added: ofAdded, repetition, confidence, cells }),
    {
      ...pace,
      blocks: block,
      blocksExpected,
    },
  );
  const roundsExpected = expandEvaluation(run.evaluation, run.seed, added).filter(
    (planned) => planned.block <= decision.blocksExpected,
  ).length;
  await store((db) => storeDecision(db, run, { decision, roundsExpected }));
  return decision;
}

/** Resolves at once, or when a full disk has room again and the store of artefacts works. Rejects with the signal's reason when that is aborted. */
async function untilSpace({
  run,
  disk,
  storeWatch,
  signal,
  notify,
  time,
  log,
}: Pick<RunContext, 'run' | 'disk' | 'storeWatch' | 'signal' | 'notify' | 'time' | 'log'>): Promise<void> {
  const findProblem = () => findStorageProblem({ disk, storeWatch }, run.evaluation);
  const problem = await findProblem();
  if (problem === null) return;
  log.warn({ run: run.id }, `The Run waits. ${problem}`);
  notify();
  do {
    await time.sleep(lookForSpaceEveryMs, signal);
  } while ((await findProblem()) !== null);
  log.info({ run: run.id }, 'There is room again: the Run continues');
  notify();
}
