import { noticeChannel } from '../../database/listening-line.ts';
import type { Queryable } from '../../database/queryable.ts';
import { silenceSeconds } from './controllers.ts';

/** One message of a Controller to another. */
export interface SentMessage {
  to: string;
  /** Counts what this sender sends. */
  number: number;
  /** Of an order, by whose right it is given. */
  run: { id: string; epoch: number } | null;
  body: string;
}

/** Stores messages and wakes those that they are for. What is for a Controller that is gone, or silent for longer than a lease, is dropped. To repeat it changes nothing. */
export async function insertMessages(db: Queryable, from: string, messages: readonly SentMessage[]): Promise<void> {
  await db.query(
    // They are locked, so that none of them is removed before this is committed.
    `with living as (select id from controller where id = any($2::uuid[]) and seen_at > now() - make_interval(secs => ${silenceSeconds}) order by id for key share),
     sent as (
       insert into controller_message (to_controller, from_controller, number, run_id, epoch, body)
       select living.id, $1, number, run_id, epoch, body
       from unnest($2::uuid[], $3::bigint[], $4::bigint[], $5::int[], $6::text[]) as message (recipient, number, run_id, epoch, body)
         join living on living.id = recipient
       on conflict do nothing returning to_controller)
     select pg_notify($7, json_build_object('kind', 'messages', 'to', recipient)::text)
     from (select distinct to_controller as recipient from sent) as woken`,
    [
      from,
      messages.map(({ to }) => to),
      messages.map(({ number }) => number),
      messages.map(({ run }) => run?.id ?? null),
      messages.map(({ run }) => run?.epoch ?? null),
      messages.map(({ body }) => body),
      noticeChannel,
    ],
  );
}

export interface ReceivedMessage {
  from: string;
  number: number;
  /** False when the Run has another owner by now than the one that gave this order. */
  isCurrent: boolean;
  body: string;
}

/**
 * Removes what a Controller has dealt with, up to a number of each sender, and returns what comes next: at most 500 messages, those of a sender in their order.
 */
export async function exchangeMessages(
  db: Queryable,
  to: string,
  done: ReadonlyMap<string, number>,
): Promise<ReceivedMessage[]> {
  const { rows } = await db.query<{ from_controller: string; number: string; is_current: boolean; body: string }>(
    `with done as (select * from unnest($2::uuid[], $3::bigint[]) as done (sender, last)),
     removed as (
       delete from controller_message using done where to_controller = $1 and from_controller = sender and number <= last)
     select from_controller, number, body,
       run_id is null or exists (select from run where run.id = run_id and run.epoch = controller_message.epoch) as is_current
     from controller_message left join done on sender = from_controller
     where to_controller = $1 and (last is null or number > last)
     order by from_controller, number limit 500`,
    [to, [...done.keys()], [...done.values()]],
  );
  return rows.map((row) => ({
    from: row.from_controller,
    number: Number(row.number),
    isCurrent: row.is_current,
    body: row.body,
  }));
}
