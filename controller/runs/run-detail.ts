import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { expandEvaluation } from '#core/evaluation/rounds/expand-evaluation.ts';
import { findStorageProblem } from '../captures/artefacts/disk-space.ts';
import type { Queryable } from '../database/queryable.ts';
import { hostsOfAll } from './hosts-of.ts';
import type { RunDetail } from '#core/protocol/api/run.ts';
import type { ShownPasses } from '#core/protocol/api/run-contents.ts';
import { findRoundView, listRoundViews, listScriptExecutions, type RoundView } from './round-views.ts';
import { findRunSummary } from './run-summaries.ts';
import { listAddedRounds } from './store-added-rounds.ts';
import { readRun } from './stored-runs.ts';
import { explainNoCaptureOfPass } from '../captures/captures.ts';
import type { Services } from '../http/services.ts';
import { listVisits } from '#core/evaluation/pages/list-visits.ts';
import { rhythmOf } from '#core/evaluation/users/user-agent.ts';
import { isOpen } from '#core/protocol/api/run-summary.ts';

const passStatesUnderWay = new Set(['ordered', 'ready', 'running', 'ended']);

/** A Run as stored, together with what connected Agents have reported of it since; null when there is none of this id. */
export async function readRunDetail(
  {
    pool,
    disk,
    storeWatch,
    runControl,
    agents,
  }: Pick<Services, 'pool' | 'disk' | 'storeWatch' | 'runControl' | 'agents'>,
  runId: string,
  shown: ShownPasses,
): Promise<RunDetail | null> {
  const view = await findRunView(pool, runId, shown);
  if (!view) return null;
  const addProgress = progressAdder(view.evaluation, runControl);
  return {
    ...view,
    rounds: view.rounds.map(addProgress),
    diskProblem: isOpen(view.state) ? await findStorageProblem({ disk, storeWatch }, view.evaluation) : null,
    missingAgents: isOpen(view.state) ? await findMissing(view, agents) : [],
  };
}

/** The Passes of some Rounds, as their page shows them; null when there is no such Run. */
export async function readPasses(
  { pool, runControl }: Pick<Services, 'pool' | 'runControl'>,
  { runId, roundId }: { runId: string; roundId: string },
): Promise<PassProgress[] | null> {
  const run = await readRun(pool, runId);
  const round = run && (await findRoundView(pool, { runId, roundId }));
  return round && progressAdder(EvaluationSchema.parse(run.document), runControl)(round).passes;
}

type PassProgress = RunDetail['rounds'][number]['passes'][number];

/** Adds to a Round what Agents have reported of its Passes, which come as the Evaluation lists their User Agents. */
function progressAdder(
  evaluation: RunView['evaluation'],
  runControl: Services['runControl'],
): (round: RoundView) => RunDetail['rounds'][number] {
  const places = new Map(evaluation.userAgents.map(({ name }, place) => [name, place]));
  const placeOf = ({ userAgent }: { userAgent: string }) => places.get(userAgent) ?? places.size;
  const urlAfter = planUrls(evaluation);
  return (round) => ({
    ...round,
    passes: round.passes
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map(({ capture, ...pass }) => {
        const progress = passStatesUnderWay.has(pass.state) ? runControl.passProgress(pass.id) : null;
        const place = { ...pass, scenario: round.scenario };
        const visitsMade = Math.max(pass.visitsMade, progress?.visitsMade ?? 0);
        return {
          ...pass,
          visitsMade,
          currentUrl: pass.state === 'running' ? urlAfter({ ...place, visitsMade }) : null,
          lastUrl: progress && (progress.lastUrl ?? urlAfter({ ...place, visitsMade: progress.visitsMade - 1 })),
          lastTotalMs: progress?.lastTotalMs ?? null,
          captureAbsence: capture
            ? capture.absence
            : explainNoCaptureOfPass({ evaluation, userAgent: pass.userAgent, isBroken: round.state === 'broken' }),
        };
      }),
  });
}

/** Which Agents of a Run are connected to no Controller. */
async function findMissing({ evaluation }: RunView, agents: Services['agents']): Promise<string[]> {
  const away = hostsOfAll(evaluation).filter((agent) => !agents.isConnected(agent));
  if (away.length === 0) return [];
  const elsewhere = await agents.listElsewhere();
  return away.filter((agent) => !elsewhere.has(agent));
}

/** Finds the address that a User Agent loads after a count of Visits of a Pass; null after the last. User Agents with the same list share its addresses. */
export function planUrls(
  evaluation: Evaluation,
): (pass: { scenario: string; userAgent: string; visitsMade: number }) => string | null {
  const userAgents = new Map(evaluation.userAgents.map((userAgent) => [userAgent.name, userAgent]));
  const scenarios = new Map(evaluation.scenarios.map((scenario) => [scenario.name, scenario]));
  const planned = new Map<string, string[]>();
  return (pass) => {
    const userAgent = userAgents.get(pass.userAgent);
    const scenario = scenarios.get(pass.scenario);
    if (!userAgent || !scenario) return null;
    const key = JSON.stringify([scenario.name, userAgent.urlList, rhythmOf(evaluation, userAgent).visitsPerUrl]);
    const urls = planned.get(key) ?? listVisits(evaluation, userAgent, scenario).map(({ url }) => url);
    planned.set(key, urls);
    return urls[pass.visitsMade] ?? null;
  };
}

/** A Run with all that is stored of its progress; what only connected Agents know is not in it. */
export type RunView = Omit<RunDetail, 'rounds' | 'missingAgents' | 'diskProblem'> & {
  rounds: RoundView[];
};

export async function findRunView(db: Queryable, runId: string, whose: ShownPasses = 'all'): Promise<RunView | null> {
  const found = await findRunSummary(db, runId);
  if (!found) return null;
  const { rows } = await db.query<{ seed: string; document: unknown }>('select seed, document from run where id = $1', [
    runId,
  ]);
  const seed = Number(rows[0]!.seed);
  const evaluation = EvaluationSchema.parse(rows[0]!.document);
  const added = await listAddedRounds(db, runId);
  return {
    ...found,
    seed,
    added,
    evaluation,
    // Of a Run that its stop rule ends, as far as it is expected to go.
    plan: expandEvaluation(evaluation, seed, added).slice(0, Math.max(found.roundsPlanned, found.roundsCompleted)),
    rounds: await listRoundViews(db, runId, whose),
    scripts: await listScriptExecutions(db, runId),
  };
}
