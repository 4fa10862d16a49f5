import { verdictsOf } from '#core/comparison/outcome/run-outcome.ts';
import { type RunSearch, type RunSort, splitWords } from '#core/protocol/api/run-search.ts';
import type { RunSummary } from '#core/protocol/api/run-summary.ts';
import type { Queryable } from '../database/queryable.ts';
import { digestDefinition, isCurrentDigest } from './run-digests.ts';
import { explainWaiting } from './run-queue.ts';
import { runsWithDigests, summaryColumns, toRunSummary, visitsOfRun, type RunRow } from './run-summaries.ts';

interface RunPage {
  search: RunSearch;
  /** The last Run of the page before; null for the first page. */
  before: string | null;
  withTries: boolean;
  limit: number;
}

/** Of the statement below; none holds a value of a caller. The Visits are counted of Runs without a digest only. */
const places: Record<RunSort, string> = {
  run: 'run.id',
  evaluation: 'lower(run.name)',
  state: 'run.state',
  outcome: `(digest.outcome ->> 'ratio')::float8`,
  rounds: `(select count(*) from round where run_id = run.id and round.state = 'completed')`,
  visits: `coalesce(digest.visits, (select visits from (${visitsOfRun}) made))`,
  failed: `coalesce(digest.failed_visits, (select failed_visits from (${visitsOfRun}) made))`,
  duration: 'extract(epoch from run.ended_at - run.started_at) * 1000 - run.paused_ms',
  started: 'run.started_at',
};

/** Runs that are found, in the order of the search: those without a value come last, and of equal ones the newest first. */
export async function listRuns(db: Queryable, { search, before, withTries, limit }: RunPage): Promise<RunSummary[]> {
  const { words = '', state, outcome, tag, evaluation, sort, order } = search;
  const sought = splitWords(words);
  const { rows } = await db.query<RunRow>(
    `with found as (
       select run.id, ${places[sort]} as place
       from run left join run_digest digest on ${isCurrentDigest}
       where deleted_at is null and ($2 or not is_try)
         and ($3::text is null or run.state = $3)
         and ($4::text[] is null or case digest.outcome ->> 'kind' when 'none' then 'none' else digest.outcome ->> 'verdict' end = any($4))
         and ($5::text is null or $5 = any(run.tags))
         and ($6::bigint is null or evaluation_id = $6)
         and not exists (
           select from unnest($7::text[], $8::text[]) as sought (word, pattern)
           where not (run.name ilike pattern or run.note ilike pattern or array_to_string(run.tags, ' ') ilike pattern
             or exists (select from jsonb_each_text(run.labels) where key || '=' || value ilike pattern)
             or coalesce(digest.outcome ->> 'text', '') ilike pattern or run.id::text = word))),
     page as (${sort === 'run' ? pageById(order) : pageByPlace(places[sort], order)})
     select ${summaryColumns} from page join ${runsWithDigests.trim()} on true where run.id = page.id order by page.number`,
    [
      digestDefinition,
      withTries,
      state ?? null,
      outcome === undefined ? null : verdictsOf(outcome),
      tag ?? null,
      evaluation ?? null,
      sought,
      sought.map((word) => `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`),
      before,
      limit,
    ],
  );
  return explainWaiting(db, rows.map(toRunSummary));
}

/** $9 is the last Run of the page before, $10 the length of a page. The index of ids gives the order. */
function pageById(order: RunSearch['order']): string {
  const [isAfter, direction] = order === 'ascending' ? ['>', 'asc'] : ['<', 'desc'];
  return `
    select id, row_number() over () as number
    from (select id from found where $9::bigint is null or id ${isAfter} $9 order by id ${direction} limit $10) in_order`;
}

/** As `pageById`. The last Run is found by its id alone: it may no longer match the search. */
function pageByPlace(place: string, order: RunSearch['order']): string {
  const [isAfter, direction] = order === 'ascending' ? ['>', 'asc'] : ['<', 'desc'];
  return `
    select id, row_number() over () as number
    from (
      select found.id from found
      left join (select run.id, ${place} as place from run left join run_digest digest on ${isCurrentDigest} where run.id = $9) last on true
      where last.id is null
        or found.place ${isAfter} last.place
        or found.place is null and last.place is not null
        or found.place is not distinct from last.place and found.id < last.id
      order by found.place ${direction} nulls last, found.id desc limit $10) in_order`;
}
