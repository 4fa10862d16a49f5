import { listVisits, type PlannedVisit } from '#core/evaluation/pages/list-visits.ts';
import type { SentVisit } from '#core/protocol/sent-visit.ts';
import type { VisitRefusal } from '#core/protocol/visit-refusal.ts';
import type { Queryable } from '../database/queryable.ts';
import { Together } from '../database/together.ts';
import { readRun } from '../runs/stored-runs.ts';
import { findOrderedPasses, findVisitsMade, type OrderedPass } from '../visits/store-visits.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';

/** Runs whose Evaluations are held: one is under way, and Visits of an earlier one may come late. */
const mostRuns = 4;
/** Lists of Visits that are held of a Run: those of the Round under way, and of some before. */
const mostLists = 500;

/** Between two looks at the database, in which other uploads come. */
const lookRestMs = 5;

/** Why a Visit is not to be stored, or the page that it is of. */
export type VisitJudgement = { refusal: VisitRefusal } | { page: string };

interface FoundVisits {
  passes: ReadonlyMap<string, OrderedPass>;
  /** Ids of Visits that are stored, by Pass and sequence. */
  made: ReadonlyMap<string, string>;
}

/** What Agents were ordered to visit: an Agent may store these Visits, each once, and no other. */
export class OrderedVisits {
  readonly #db: Queryable;
  /** Of all that upload at a time together: a look for each upload costs more than the rest of its storing. */
  readonly #found: Together<readonly SentVisit[], FoundVisits>;
  readonly #runs = new Map<string, Promise<RunOrders>>();
  /** By Agent, Pass and sequence, the ids of Visits that are being stored: the database does not show them yet. */
  readonly #held = new Map<string, string[]>();

  constructor(db: Queryable) {
    this.#db = db;
    this.#found = new Together(
      async (uploads) => {
        const found = await this.#find(uploads.flat());
        return uploads.map(() => found);
      },
      { restMs: lookRestMs },
    );
  }

  /**
   * Keeps the places of these Visits in their Passes until `release` is called, before they are judged and until they are stored. `doubled`: those whose place another upload keeps for
   * another Visit.
   */
  hold(agent: string, visits: readonly SentVisit[]): { doubled: ReadonlySet<SentVisit>; release: () => void } {
    const idsAt = (visit: SentVisit) => this.#held.get(`${agent}/${keyOf(visit)}`) ?? [];
    const doubled = new Set(visits.filter((visit) => idsAt(visit).some((id) => id !== visit.id)));
    const own = visits.filter((visit) => !doubled.has(visit));
    for (const visit of own) this.#held.set(`${agent}/${keyOf(visit)}`, [...idsAt(visit), visit.id]);
    const release = () => {
      for (const visit of own) {
        const ids = idsAt(visit);
        const left = ids.toSpliced(ids.indexOf(visit.id), 1);
        if (left.length > 0) this.#held.set(`${agent}/${keyOf(visit)}`, left);
        else this.#held.delete(`${agent}/${keyOf(visit)}`);
      }
    };
    return { doubled, release };
  }

  /** Of each of these Visits of an Agent, why it is not to be stored or, where it is or is stored already, the page that it is of. */
  async judge(agent: string, visits: readonly SentVisit[]): Promise<Map<SentVisit, VisitJudgement>> {
    const { passes, made: storedBefore } = await this.#found.add(visits);
    const made = new Map(storedBefore);
    const judgements = new Map<SentVisit, VisitJudgement>();
    for (const visit of visits) {
      const pass = passes.get(visit.passId);
      const judgement =
        pass?.agent === agent ? await this.#judgeOne(visit, { pass, made }) : { refusal: 'not-ordered' as const };
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

  async #find(visits: readonly SentVisit[]): Promise<FoundVisits> {
    const passes = await findOrderedPasses(this.#db, [...new Set(visits.map(({ passId }) => passId))]);
    const made = await findVisitsMade(
      this.#db,
      visits.filter(({ passId, sequence }) => sequence < (passes.get(passId)?.visitsExpected ?? 0)),
    );
    return { passes, made };
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
