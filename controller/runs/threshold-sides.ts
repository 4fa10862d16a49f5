import type { ThresholdSide } from '#core/trend/judge-threshold.ts';
import type { Queryable } from '../database/queryable.ts';

/** After these the message of a Run is given up. */
const mostAttempts = 5;
const retryAfterSeconds = 30;
/** Older Runs are news to nobody, such as those that ended before there was a webhook. */
const longestWaitHours = 24;
/** A Run that ended so long ago, and could not be judged, is waited for no longer. */
const longestUnjudgedHours = 6;

/**
 * A Run crosses its threshold if it is on the other side than the decided Run before it of its Evaluation, or is the first of all and below. One that is judged again counts its own side before.
 * Runs are judged in any order, so the decided Run after it is compared again.
 */
export async function storeThresholdSide(db: Queryable, runId: string, side: ThresholdSide): Promise<void> {
  await db.query(
    `with decided as (
       select judged.run_id, judged.side from run join run other using (evaluation_id) join run_threshold judged on judged.run_id = other.id
       where run.id = $1 and other.id <> $1 and other.deleted_at is null and judged.side <> 'undecided'),
     before as (
       select coalesce((select side from decided where run_id < $1 order by run_id desc limit 1), 'above') as side),
     own as (select coalesce((select side from run_threshold where run_id = $1 and side <> 'undecided'), before.side) as side from before),
     stored as (
       insert into run_threshold (run_id, side, crosses)
       select $1, $2::text, $2::text <> 'undecided' and $2::text <> own.side from own
       on conflict (run_id) do update set side = excluded.side, crosses = excluded.crosses, judged_at = now(),
         attempts = 0, tried_at = null, delivered_at = null, problem = null
       where run_threshold.side <> excluded.side
       returning case side when 'undecided' then (select before.side from before) else side end as side)
     update run_threshold later set crosses = later.side <> stored.side, attempts = 0, tried_at = null, delivered_at = null, problem = null
     from stored
     where later.run_id = (select min(run_id) from decided where run_id > $1) and later.crosses <> (later.side <> stored.side)`,
    [runId, side],
  );
}

/** A completed Run before it is to be judged first: it may be on the other side. */
const waitsForEarlier = `select from run join run earlier using (evaluation_id)
  where run.id = run_threshold.run_id and earlier.id < run.id and earlier.state = 'completed' and not earlier.is_try
    and earlier.deleted_at is null and earlier.visits_deleted_at is null and earlier.document -> 'trend' ->> 'threshold' is not null
    and earlier.ended_at > now() - make_interval(hours => $4)
    and not exists (select from run_threshold judged where judged.run_id = earlier.id)`;

/** A Run whose message is to be sent now, by one Controller of all: the attempt is counted before it is made. Null when there is none. */
export async function claimCrossing(db: Queryable): Promise<{ runId: string; side: ThresholdSide } | null> {
  const { rows } = await db.query<{ runId: string; side: ThresholdSide }>(
    `update run_threshold set attempts = attempts + 1, tried_at = now()
     where run_id = (
       select run_id from run_threshold
       where crosses and delivered_at is null and attempts < $1 and judged_at > now() - make_interval(hours => $3)
         and (tried_at is null or tried_at < now() - make_interval(secs => $2)) and not exists (${waitsForEarlier})
       order by run_id limit 1 for update skip locked)
     returning run_id as "runId", side`,
    [mostAttempts, retryAfterSeconds, longestWaitHours, longestUnjudgedHours],
  );
  return rows[0] ?? null;
}

/** `problem`: why it was not delivered; null if it was. */
export async function recordDelivery(db: Queryable, runId: string, problem: string | null): Promise<void> {
  await db.query(
    `update run_threshold set problem = $2, delivered_at = case when $2::text is null then now() end where run_id = $1`,
    [runId, problem],
  );
}
