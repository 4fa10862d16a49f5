import { listVisits, type PlannedVisit } from '#core/evaluation/list-visits.ts';
import type { SentVisit } from '#core/protocol/sent-visit.ts';
import type { VisitRefusal } from '#core/protocol/visit-refusal.ts';
import type { Queryable } from '../db/connection/queryable.ts';
import { readRun } from '../db/runs.ts';
import { findOrderedPasses, findVisitsMade, type OrderedPass } from '../db/visits.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';

/** Runs whose Evaluations are held: one is under way, and Visits of an earlier one may come late. */
const mostRuns = 4;
/** Lists of Visits that are held of a Run: those of the Round under way, and of some before. */
const mostLists = 500;

/** Why a Visit is not to be stored, or the page that it is of. */
export type VisitJudgement = { refusal: VisitRefusal } | { page: string };

/** What Agents were ordered to visit: an Agent may store these Visits, each once, and no other. */
export class OrderedVisits {
  readonly #db: Queryable;
  readonly #runs = new Map<string, Promise<RunOrders>>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Of each of these Visits of an Agent, why it is not to be stored or, where it is or is stored already, the page that it is of. */
  async judge(agent: string, visits: readonly SentVisit[]): Promise<Map<SentVisit, VisitJudgement>> {
    const passIds = [...new Set(visits.map(({ passId }) => passId))];
    const passes = await findOrderedPasses(this.#db, agent, passIds);
    const made = await findVisitsMade(this.#db, {
      passIds: [...passes.keys()],
      sequences: [...new Set(visits.map(({ sequence }) => sequence))],
    });
    const judgements = new Map<SentVisit, VisitJudgement>();
    for (const visit of visits) {
      const pass = passes.get(visit.passId);
      const judgement = pass ? await this.#judgeOne(visit, { pass, made }) : { refusal: 'not-ordered' as const };
      judgements.set(visit, judgement);
      if ('page' in judgement) made.set(keyOf(visit), visit.id);
    }
    return judgements;
  }

  async #judgeOne(
    visit: SentVisit,
    { pass, made }: { pass: OrderedPass; made: ReadonlyMap<string, string> },
  ): Promise<VisitJudgement> {
    const madeId = made.get(keyOf(visit));
    const ordered = (await this.#ordersOf(pass.runId)).of(pass)[visit.sequence];
    if (madeId === visit.id) return { page: ordered?.page ?? visit.url }; // its acknowledgement was lost
    if (ordered?.url !== visit.url || ordered.repetition !== visit.repetition || visit.sequence >= pass.visitsExpected)
      return { refusal: 'not-as-ordered' };
    return madeId === undefined ? { page: ordered.page } : { refusal: 'made-already' }; // a completed Round has all its Visits
  }

  #ordersOf(runId: string): Promise<RunOrders> {
    const held = this.#runs.get(runId) ?? this.#read(runId);
    this.#runs.delete(runId);
    this.#runs.set(runId, held);
    for (const old of this.#runs.keys()) if (this.#runs.size > mostRuns) this.#runs.delete(old);
    held.catch(() => this.#runs.delete(runId));
    return held;
  }

  async #read(runId: string): Promise<RunOrders> {
    const run = await readRun(this.#db, runId);
    if (!run) throw new Error(`There is no Run ${runId}`);
    return new RunOrders(EvaluationSchema.parse(run.document));
  }
}

class RunOrders {
  readonly #evaluation: Evaluation;
  readonly #userAgents: ReadonlyMap<string, Evaluation['userAgents'][number]>;
  readonly #made = new Map<string, PlannedVisit[]>();

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
    this.#userAgents = new Map(evaluation.userAgents.map((userAgent) => [userAgent.name, userAgent]));
  }

  of(pass: Pick<OrderedPass, 'userAgent' | 'scenario'>): readonly PlannedVisit[] {
    const userAgent = this.#userAgents.get(pass.userAgent);
    const scenario = this.#evaluation.scenarios.find(({ name }) => name === pass.scenario);
    if (!userAgent || !scenario) return [];
    const { urlList, visitsPerUrl } = userAgent;
    // All that its Visits depend on: User Agents that differ in nothing of it share one list.
    const key = JSON.stringify([urlList, visitsPerUrl, scenario.variables, scenario.browser.cache]);
    const visits = this.#made.get(key) ?? listVisits(this.#evaluation, userAgent, scenario);
    this.#made.delete(key);
    this.#made.set(key, visits);
    for (const old of this.#made.keys()) if (this.#made.size > mostLists) this.#made.delete(old);
    return visits;
  }
}

function keyOf({ passId, sequence }: Pick<SentVisit, 'passId' | 'sequence'>): string {
  return `${passId}/${sequence}`;
}
