import { isDeepStrictEqual } from 'node:util';
import type { Pool } from 'pg';
import { type Evaluation, EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import type { EstimateAnswer } from '#core/protocol/api/estimate-answer.ts';
import { estimateRun } from '#controller/estimates/estimate-run.ts';
import type { StopCell } from '#core/stop-rule/decide-stop.ts';
import { readStopCells, rollUpRun } from '../runs/rollups.ts';
import { readRunPace } from '../runs/run-pace.ts';
import type { Queryable } from '../database/queryable.ts';
import { visitCounter } from '#core/evaluation/pages/list-visits.ts';
import { isInStep, roundLimits } from '#core/evaluation/rounds/repetition.ts';
import { startLeadMs } from '../coordinator/order-passes.ts';
import { meanRestMs } from '#core/evaluation/users/rest.ts';
import type { Scenario } from '#core/evaluation/scenarios/scenario.ts';
import { takesPart } from '#core/evaluation/scenarios/solo-scenarios.ts';
import { type UserAgent, rhythmOf } from '#core/evaluation/users/user-agent.ts';

interface PlannedRun {
  /** Null of an Evaluation that is not stored: its earlier Runs are known by its name then. */
  evaluationId: string | null;
  evaluation: Evaluation;
  /** The Run whose Evaluation it is a change of. */
  changedFromRun?: string | null;
}

/** Rounds and time of a Run that was not begun yet, by an earlier one: of the Evaluation, else the one that it is a change of, else one of the same settings. */
export async function estimateBeforeRun(pool: Pool, plan: PlannedRun): Promise<EstimateAnswer> {
  const { evaluation } = plan;
  const earlier = await findEarlierRun(pool, plan);
  if (!earlier)
    return needsPilot(
      evaluation,
      `No earlier Run of "${evaluation.name}" has a completed Round with a loaded page: run a pilot, such as with "rounds: 3", then estimate again`,
    );
  const { runId, blocks } = earlier;
  await rollUpRun(pool, runId);
  // Visits that fail at once do not show how long pages take.
  const pace = await readRunPace(pool, runId, { isOfLoadedPages: true });
  if (pace.blockMs === null)
    return needsPilot(
      evaluation,
      `Run ${runId} does not show how long a Round takes: run a pilot, such as with "rounds: 3", then estimate again`,
    );

  const { repetition, primaryMetric, comparison, scenarios } = evaluation;
  const blockMs = (pace.blockMs * scenarios.length) / earlier.evaluation.scenarios.length;
  const measured = await readStopCells(pool, runId, repetition.adaptive?.metrics ?? [primaryMetric]);
  const { cells, others } = repetition.adaptive ? matchCells(evaluation, measured) : { cells: [], others: 0 };
  const { rounds, durationMs, endsBy, slowest } = estimateRun({
    repetition,
    confidence: comparison.confidence,
    blockMs,
    cells,
    unknownCells: others,
  });
  return {
    kind: 'estimated',
    rounds,
    durationMs,
    endsBy,
    slowest: slowest && {
      metric: slowest.cell.metric,
      scenario: slowest.cell.scenario,
      userAgent: slowest.cell.userAgent,
      url: slowest.cell.url,
      rounds: Math.min(slowest.rounds, repetition.adaptive!.maxRounds),
    },
    unknownCells: others + cells.filter((cell) => cell.rounds?.standardDeviation == null).length,
    basis: { runId, blocks, blockMs, isSameConfiguration: isSame(evaluation, earlier.evaluation) },
  };
}

/** The measured cells that the Evaluation is going to have, too, and how many others: they are not listed, as there may be billions. */
function matchCells(evaluation: Evaluation, measured: readonly StopCell[]): { cells: StopCell[]; others: number } {
  const { repetition, primaryMetric, scenarios, userAgents, urlLists } = evaluation;
  const urlsOfList = new Map(
    Object.keys(urlLists).map((list) => [list, new Set(urlsOf(evaluation, list).map(({ url }) => url))]),
  );
  const urlsOfUser = new Map(userAgents.map(({ name, urlList }) => [name, urlsOfList.get(urlList)]));
  const byName = new Map(scenarios.map((scenario) => [scenario.name, scenario]));
  const cells = measured.filter(({ scenario: name, userAgent, url }) => {
    const scenario = byName.get(name);
    return scenario && takesPart(scenario, userAgent) && urlsOfUser.get(userAgent)?.has(url);
  });
  const pages = scenarios.map(({ userAgents: own = urlsOfUser.keys() }) =>
    [...new Set(own)].reduce((sum, name) => sum + (urlsOfUser.get(name)?.size ?? 0), 0),
  );
  const planned = pages.reduce((sum, each) => sum + each, 0) * (repetition.adaptive?.metrics ?? [primaryMetric]).length;
  return { cells, others: planned - cells.length };
}

/** Apart from what changes nothing of a Round. */
function isSame(one: Evaluation, other: Evaluation): boolean {
  const { description, repetition, comparison, primaryMetric, pageLoad, figures } = one;
  if (isInStep(repetition) !== isInStep(other.repetition)) return false;
  return isDeepStrictEqual(
    { ...one, trend: null },
    {
      ...other,
      description,
      repetition,
      comparison,
      primaryMetric,
      figures,
      trend: null,
      pageLoad: { ...other.pageLoad, failedObjects: pageLoad.failedObjects },
    },
  );
}

function needsPilot(evaluation: Evaluation, reason: string): EstimateAnswer {
  return { kind: 'needs-pilot', reason, leastDurationMs: leastRunMs(evaluation) };
}

interface EarlierMeasurement {
  runId: string;
  evaluation: Evaluation;
  /** Blocks that count, in which at least one Round was completed and loaded a page. */
  blocks: number;
}

/** What an earlier Run is known by, the nearest first. `$1` is the value. */
const earlierBy = {
  evaluation: 'run.evaluation_id = $1::bigint',
  name: 'run.name = $1',
  run: 'run.id = $1::bigint',
  // As of `run.settings_md5`.
  settings: `run.settings_md5 = md5(($1::jsonb - 'name' - 'description' - 'figures' - 'resources' - 'trend')::text)`,
} as const;

/** The newest Run of the first kind that has one in which a Round that counts was completed and a page was loaded in it; null without any. */
async function findEarlierRun(
  db: Queryable,
  { evaluationId, evaluation, changedFromRun = null }: PlannedRun,
): Promise<EarlierMeasurement | null> {
  const own = evaluationId === null ? (['name', evaluation.name] as const) : (['evaluation', evaluationId] as const);
  const kinds: (readonly [keyof typeof earlierBy, string])[] = [
    own,
    ...(changedFromRun === null ? [] : ([['run', changedFromRun]] as const)),
    ['settings', JSON.stringify(evaluation)],
  ];
  for (const [kind, value] of kinds) {
    const found = await findNewestRun(db, { condition: earlierBy[kind], value });
    if (found) return found;
  }
  return null;
}

async function findNewestRun(
  db: Queryable,
  { condition, value }: { condition: (typeof earlierBy)[keyof typeof earlierBy]; value: string },
): Promise<EarlierMeasurement | null> {
  const { rows } = await db.query<{ id: string; document: unknown; blocks: number }>(
    `select run.id, run.document, count(distinct round.block)::int as blocks
     from run join round on round.run_id = run.id
     where ${condition} and round.state = 'completed' and not round.warm_up and not is_try and deleted_at is null and visits_deleted_at is null
       and exists (select from pass join visit on visit.pass_id = pass.id where pass.round_id = round.id and visit.status = 'ok')
     group by run.id order by run.id desc limit 1`,
    [value],
  );
  const row = rows[0];
  return row ? { runId: row.id, evaluation: EvaluationSchema.parse(row.document), blocks: row.blocks } : null;
}

/**
 * The time that a Run cannot fall short of where its pages load, in ms: what a User Agent begins later, the rest before each Visit, and the quiet that a
 * browser awaits after each, one Visit after the other and one Round after the other. Think times count with their mean, which they come to over a Run. In step, each page takes as long as
 * the slowest User Agent needs for it. What the pages themselves take, and the start of browsers, is not in it.
 */
export function leastRunMs(
  evaluation: Pick<Evaluation, 'urlLists' | 'userAgents' | 'scenarios' | 'repetition' | 'pageLoad'>,
): number {
  const { userAgents, scenarios, repetition, pageLoad } = evaluation;
  const countOf = visitCounter(evaluation);
  const passOf = (userAgent: UserAgent, scenario: Scenario): LeastPass => {
    const { rest, startOffsetMs } = rhythmOf(evaluation, userAgent);
    const { measured, cacheFilling } = countOf(userAgent, scenario);
    // The engine http reads every object to its end, and awaits no quiet.
    const quietMs = userAgent.engine === 'http' ? 0 : Math.min(pageLoad.quietMs, pageLoad.timeoutMs);
    const visitMs = meanRestMs(rest) + quietMs;
    // Nobody thinks before the first Visit.
    const firstMs = startOffsetMs + (typeof rest === 'number' ? visitMs : quietMs);
    return { visits: measured + cacheFilling, firstMs, visitMs };
  };
  const blockMs = scenarios.reduce((total, scenario) => {
    const passes = userAgents
      .filter(({ name }) => takesPart(scenario, name))
      .map((userAgent) => passOf(userAgent, scenario));
    return total + (isInStep(repetition) ? leastInStepMs(passes) : Math.max(...passes.map(leastPassMs)));
  }, 0);
  const warmUpBlocks = repetition.warmUp ? 1 : 0;
  const blocks = roundLimits(repetition).minRounds + warmUpBlocks;
  // One Block that counts is always measured. A budget ends the Run where one more would exceed it, so before it is spent.
  const first = 1 + warmUpBlocks;
  const budgetMs = repetition.adaptive?.timeBudgetMs ?? Infinity;
  return Math.min(blocks * blockMs, Math.max(first * blockMs, (budgetMs * first) / (first + 1)));
}

interface LeastPass {
  visits: number;
  /** The first Visit, and each later one, with the rest before it. */
  firstMs: number;
  visitMs: number;
}

function leastPassMs({ visits, firstMs, visitMs }: LeastPass): number {
  return firstMs + (visits - 1) * visitMs;
}

/** Each page but the first waits for the word of its start, too. The last pages are those of the longest Passes alone. */
function leastInStepMs(passes: readonly LeastPass[]): number {
  const longestFirst = passes.toSorted((one, other) => other.visits - one.visits);
  let [slowestMs, laterMs] = [0, 0];
  for (const [index, { visits, visitMs }] of longestFirst.entries()) {
    slowestMs = Math.max(slowestMs, visitMs);
    const shared = Math.max(1, longestFirst[index + 1]?.visits ?? 1);
    laterMs += Math.max(0, visits - shared) * (startLeadMs + slowestMs);
  }
  return Math.max(...passes.map(({ firstMs }) => firstMs)) + laterMs;
}
