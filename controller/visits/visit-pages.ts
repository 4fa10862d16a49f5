import {
  ListedVisitSchema,
  type VisitPage,
  type VisitSort,
  type VisitStatus,
} from '#core/protocol/api/listed-visit.ts';
import type { SortOrder } from '#core/protocol/api/run-search.ts';
import type { Queryable } from '../database/queryable.ts';

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
  /** Limits of the total latency. A Visit without it is in neither. */
  atLeastMs?: number | null;
  atMostMs?: number | null;
  /** By Block unless given. */
  sort?: VisitSort;
  order?: SortOrder;
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

/** Likewise. */
const places: Record<VisitSort, string> = {
  block: 'round.block',
  scenario: 'round.scenario',
  'user-agent': 'pass.user_agent',
  url: 'visit.url',
  started: 'visit.started_at',
  state: `coalesce(visit.code, 'ok')`,
  base: 'visit.base_ms',
  viewport: 'visit.viewport_ms',
  total: 'visit.total_ms',
};

/** Whether a Visit comes after the last one of the page before, $6, in the order of Blocks, and within them of their starts. */
const isLater =
  '(block, visit.started_at, visit.id) > ($5, (select started_at from visit where id = $6::uuid), $6::uuid)';

/** What a page has of each of its Visits. The others are not read in full. */
const selectListed = `select jsonb_build_object('id', visit.id, 'block', round.block, 'scenario', scenario, 'url', url, 'address', coalesce(address, url), 'userAgent', user_agent,
  'repetition', repetition, 'startedAt', visit.started_at, 'status', status, 'code', code, 'isSettled', is_settled, 'isHidden', is_hidden,
  'failedObjects', failed_objects, 'exclusionReason', exclusion.reason, 'baseMs', readings->'baseMs', 'viewportMs', readings->'viewportMs', 'totalMs', readings->'totalMs')`;

const visits = `
  round join pass on pass.round_id = round.id join visit on visit.pass_id = pass.id
  left join exclusion on exclusion.visit_id = visit.id and reversed_at is null`;

/**
 * The Visits that the report, or a cell of it, is made of: those of completed Rounds without warm-ups and unmeasured loads, excluded ones too. They come in the order of `sort`, those without a
 * value last; equal ones by Block, and within it as they began. Any order but that by Block looks at all Visits of the Run that match.
 */
export async function listVisits(db: Queryable, options: PageOptions): Promise<VisitPage['visits']> {
  const { runId, scenario, url, userAgent, status, after, limit } = options;
  const { atLeastMs = null, atMostMs = null, sort = 'block', order = 'ascending' } = options;
  const isByBlock = sort === 'block' && order === 'ascending';
  const { rows } = await db.query<{ visit: unknown }>(
    `with page as (
       select visit.id, ${places[sort]} as place, round.block
       from ${visits}
       where run_id = $1 and ($2::text is null or scenario = $2) and ($3::text is null or url = $3) and ($4::text is null or user_agent = $4)
         and ${statusConditions[status ?? 'any']}
         and ($8::float8 is null or total_ms >= $8) and ($9::float8 is null or total_ms <= $9)
         and round.state = 'completed' and not warm_up and repetition > 0
         and ($5::int is null or ${isByBlock ? isLater : followsLast(places[sort], order)})
       order by ${isByBlock ? '' : `place ${order === 'ascending' ? 'asc' : 'desc'} nulls last,`} block, visit.started_at, visit.id limit $7)
     ${selectListed} as visit
     from page join visit on visit.id = page.id join pass on pass.id = visit.pass_id join round on round.id = pass.round_id
       left join exclusion on exclusion.visit_id = visit.id and reversed_at is null
     order by ${isByBlock ? '' : `page.place ${order === 'ascending' ? 'asc' : 'desc'} nulls last,`} page.block, visit.started_at, visit.id`,
    [runId, scenario, url, userAgent, after?.block ?? null, after?.id ?? null, limit, atLeastMs, atMostMs],
  );
  return rows.map((row) => ListedVisitSchema.parse(row.visit));
}

/** Whether a Visit comes after the last one of the page before, $6, whose place is read once. */
function followsLast(place: string, order: SortOrder): string {
  const last = `(select ${place} from visit join pass on pass.id = visit.pass_id join round on round.id = pass.round_id where visit.id = $6::uuid)`;
  return `(${place} ${order === 'ascending' ? '>' : '<'} ${last} or ${place} is null and ${last} is not null
    or ${place} is not distinct from ${last} and ${isLater})`;
}
