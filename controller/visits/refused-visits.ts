import type { VisitRefusal } from '#core/protocol/visit-refusal.ts';
import type { Queryable } from '../database/queryable.ts';

const mostPerPass = 1000;

/** Notes Visits that are never to be stored, of Passes that exist; to repeat it changes nothing. */
export async function noteRefusedVisits(
  db: Queryable,
  visits: readonly { id: string; passId: string; code: VisitRefusal }[],
): Promise<void> {
  if (visits.length === 0) return;
  await db.query(
    `insert into refused_visit (visit_id, pass_id, code)
     select visit_id, pass_id, code from unnest($1::uuid[], $2::uuid[], $3::text[]) as refused (visit_id, pass_id, code)
     where exists (select from pass where id = pass_id)
       and (select count(*) from refused_visit noted where noted.pass_id = refused.pass_id) < $4
     on conflict do nothing`,
    [visits.map(({ id }) => id), visits.map(({ passId }) => passId), visits.map(({ code }) => code), mostPerPass],
  );
}

/** Of each Pass of a Round that was made as ordered and yet cannot be stored as a whole: how many Visits cannot be. */
export async function countUnstorableVisits(db: Queryable, roundId: string): Promise<Map<string, number>> {
  const { rows } = await db.query<{ pass_id: string; visits: number }>(
    `select pass_id, count(*)::int as visits from refused_visit join pass on pass.id = pass_id
     where round_id = $1 and code in ('unreadable', 'too-large', 'unstorable') group by pass_id`,
    [roundId],
  );
  return new Map(rows.map((row) => [row.pass_id, row.visits]));
}
