import { listVisits, type PlannedVisit } from '#core/evaluation/list-visits.ts';
import type { Visit } from '#core/protocol/visit.ts';
import type { VisitRefusal } from '#core/protocol/visit-refusal.ts';
import type { Queryable } from '../db/connection/queryable.ts';
import { readRun } from '../db/runs.ts';
import { findOrderedPasses, findVisitsMade, type OrderedPass } from '../db/visits.ts';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';

/** Runs whose Evaluations are held: one is under way, and Visits of an earlier one may come late. */
const mostRuns = 4;

/** What Agents were ordered to visit: an Agent may store these Visits, each once, and no other. */
export class OrderedVisits {
  readonly #db: Queryable;
  readonly #runs = new Map<string, Promise<RunOrders>>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** Why each of these Visits of an Agent is not to be stored; nothing of those that are, and of those that are stored already. */
  async findRefusals(agent: string, visits: readonly Visit[]): Promise<Map<Visit, VisitRefusal>> {
    const passIds = [...new Set(visits.map(({ passId }) => passId))];
    const passes = await findOrderedPasses(this.#db, agent, passIds);
    const made = await findVisitsMade(this.#db, {
      passIds: [...passes.keys()],
      sequences: [...new Set(visits.map(({ sequence }) => sequence))],
    });
    const refusals = new Map<Visit, VisitRefusal>();
    for (const visit of visits) {
      const pass = passes.get(visit.passId);
      const refusal = pass ? await this.#explain(visit, { pass, made }) : 'not-ordered';
      if (refusal !== null) refusals.set(visit, refusal);
      else made.set(keyOf(visit), visit.id);
    }
    return refusals;
  }

  async #explain(
    visit: Visit,
    { pass, made }: { pass: OrderedPass; made: ReadonlyMap<string, string> },
  ): Promise<VisitRefusal | null> {
    const madeId = made.get(keyOf(visit));
    if (madeId === visit.id) return null; // its acknowledgement was lost
    const ordered = (await this.#ordersOf(pass.runId)).of(pass.userAgent)[visit.sequence];
    if (ordered?.url !== visit.url || ordered.repetition !== visit.repetition || visit.sequence >= pass.visitsExpected)
      return 'not-as-ordered';
    return madeId === undefined ? null : 'made-already'; // a completed Round has all its Visits
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
  readonly #byUser = new Map<string, PlannedVisit[]>();

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  of(name: string): readonly PlannedVisit[] {
    const userAgent = this.#evaluation.userAgents.find((each) => each.name === name);
    if (userAgent === undefined) return [];
    const visits = this.#byUser.get(name) ?? listVisits(this.#evaluation, userAgent);
    this.#byUser.set(name, visits);
    return visits;
  }
}

function keyOf({ passId, sequence }: Pick<Visit, 'passId' | 'sequence'>): string {
  return `${passId}/${sequence}`;
}
