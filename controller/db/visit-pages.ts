import { ListedVisitSchema, type VisitPage, type VisitStatus } from '#core/protocol/api/listed-visit.ts';
import type { Queryable } from './connection/queryable.ts';

export interface VisitPlace {
  block: number;
  id: string;
}

interface PageOptions {
  runId: string;
  /** Null, here and below: of all. */
  scenario: string | null;
  url: string | null;
  userAgent: string | null;
  status: VisitStatus | null;
  /** The last Visit of the page before; null for the first page. */
  after: VisitPlace | null;
  limit: number;
}

/** Of the statement below; none holds a value of a caller. As in a report, an excluded Visit is in none of the other states; all but `ok` have an index: `visit_flagged`, `visit_with_failed_objects` or that of exclusions. */
const statusConditions: Record<VisitStatus | 'any', string> = {
  any: 'true',
  ok: `status = 'ok' and exclusion.id is null`,
  failed: `status = 'failed' and exclusion.id is null`,
  'failed-objects': 'failed_objects > 0 and exclusion.id is null',
  unsettled: 'not is_settled and exclusion.id is null',
  hidden: 'is_hidden and exclusion.id is null',
  excluded: 'exclusion.id is not null',
};

/** The Visits that the report, or a cell of it, is made of, by Block: those of completed Rounds without warm-ups and unmeasured loads, excluded ones too. */
export async function listVisits(
  db: Queryable,
  { runId, scenario, url, userAgent, status, after, limit }: PageOptions,
): Promise<VisitPage['visits']> {
  const { rows } = await db.query<{ visit: unknown }>(
    `select jsonb_build_object('id', visit.id, 'block', block, 'scenario', scenario, 'url', url, 'address', coalesce(address, url), 'userAgent', user_agent, 'repetition', repetition, 'startedAt', visit.started_at,
       'status', status, 'code', code, 'isSettled', is_settled, 'isHidden', is_hidden, 'failedObjects', failed_objects, 'exclusionReason', exclusion.reason,
       'baseMs', readings->'baseMs', 'viewportMs', readings->'viewportMs', 'totalMs', readings->'totalMs') as visit
     from round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
       left join exclusion on exclusion.visit_id = visit.id and reversed_at is null
     where run_id = $1 and ($2::text is null or scenario = $2) and ($3::text is null or url = $3) and ($4::text is null or user_agent = $4)
       and ${statusConditions[status ?? 'any']}
       and round.state = 'completed' and not warm_up and repetition > 0
       and ($5::int is null or (block, visit.id) > ($5, $6::uuid))
     order by block, visit.id limit $7`,
    [runId, scenario, url, userAgent, after?.block ?? null, after?.id ?? null, limit],
  );
  return rows.map((row) => ListedVisitSchema.parse(row.visit));
}
