import { noticeChannel } from '../../database/listening-line.ts';
import type { Queryable } from '../../database/queryable.ts';

/** A Controller that was not seen for so long is taken for dead, and its lines to Agents for broken. As long as the lease of a Run. */
export const silenceSeconds = 10;
/** How long a Controller that was killed is remembered. */
const forgottenAfterSeconds = 3600;
/** What is sent to a Controller that was silent for so long is void: its Agents have left it. */
const voidAfterSeconds = 60;

/** The lease of an owner that is gone ends so long after its last renewal. Longer than an owner that lives takes to renew it. */
export const unrenewedSeconds = 3;

/** Of the advisory locks by which Controllers show that they live; any number that nothing else uses. */
const signClass = 1_212_237_089;
const signOf = (id: string) => `(hashtext(${id}) & 2147483647)`;

/** Whether the process of a Controller with a sign is gone: its lock ended with its connection. `id`: an expression of its id as text. */
const isSignGone = (id: string) => `not exists (
  select from pg_locks where locktype = 'advisory' and classid = ${signClass} and objid = ${signOf(id)}::oid and granted
    and database = (select oid from pg_database where datname = current_database()))`;

/** Whether the process of a Controller is gone. Not known soon after a start of PostgreSQL, when nobody has its lock again. */
const isGone = `(has_sign and pg_postmaster_start_time() < now() - make_interval(secs => ${silenceSeconds})
  and ${isSignGone('controller.id::text')})`;

/** The same of the owner of a Run. */
export const isOwnerGone = `exists (select from controller where controller.id::text = owner and ${isGone})`;

/** What is sent to a Controller that was silent for so long may never arrive: one that lives announces itself every two seconds. */
const doubtfulSeconds = 5;

/** The current line of each connected Agent. To be used as `with held as (…)`. */
export const heldLines = `
  with living as materialized (
    select id, name, seen_at from controller where seen_at > now() - make_interval(secs => ${silenceSeconds}) and not ${isGone})
  select distinct on (agent) agent, controller, line, living.name as controller_name, seen_at
  from agent_line join living on living.id = controller order by agent, line desc`;

/** Shows that a Controller lives as long as this connection does. False when another has its lock. */
export async function holdSign(connection: Queryable, id: string): Promise<boolean> {
  const { rows } = await connection.query<{ is_held: boolean }>(
    `select pg_try_advisory_lock(${signClass}, ${signOf('$1')}) as is_held`,
    [id],
  );
  return rows[0]!.is_held;
}

export interface LivingController {
  id: string;
  name: string;
  /** Whether it was started so that this database has one Run at a time. */
  oneRunAtATime: boolean;
  /** Whether its lock ends with its process. */
  hasSign: boolean;
}

/** Says that a Controller lives, and which Agents are connected to it. To repeat it changes nothing. Returns how many others live. */
export async function announceController(
  db: Queryable,
  { id, name, oneRunAtATime, hasSign }: LivingController,
  lines: readonly { agent: string; line: number }[],
): Promise<number> {
  const { rows } = await db.query<{ others: number }>(
    `with forgotten as (delete from controller where id <> $1 and seen_at < now() - make_interval(secs => ${forgottenAfterSeconds})),
     outdated as (
       delete from controller_message using controller
       where to_controller = controller.id and seen_at < now() - make_interval(secs => ${voidAfterSeconds})),
     living as (
       insert into controller (id, name, one_run_at_a_time, has_sign) values ($1, $2, $5, $6)
       on conflict (id) do update set seen_at = now(), has_sign = excluded.has_sign returning id),
     broken as (delete from agent_line where controller = $1 and agent <> all ($3::text[])),
     held as (
       insert into agent_line (agent, controller, line)
       select agent, living.id, number from living, unnest($3::text[], $4::bigint[]) as line (agent, number)
       on conflict (agent, controller) do update set line = excluded.line where agent_line.line <> excluded.line)
     select count(*)::int as others from controller where id <> $1 and seen_at > now() - make_interval(secs => ${silenceSeconds})`,
    [id, name, lines.map(({ agent }) => agent), lines.map(({ line }) => line), oneRunAtATime, hasSign],
  );
  return rows[0]!.others;
}

/** Forgets a Controller that is shut down. */
export async function removeController(db: Queryable, id: string): Promise<void> {
  await db.query('delete from controller where id = $1', [id]);
}

/** Forgets the earlier starts of this Controller that were killed: those of the same name. Their Runs need not wait for the whole lease. */
export async function removeEarlierStarts(
  db: Queryable,
  { id, name }: Pick<LivingController, 'id' | 'name'>,
): Promise<void> {
  await db.query(
    `with removed as (delete from controller where name = $2 and id <> $1 returning id, has_sign)
     update run set owner_until = owner_until - make_interval(secs => ${silenceSeconds - unrenewedSeconds})
     from removed where owner = removed.id::text and has_sign and ${isSignGone('removed.id::text')}`,
    [id, name],
  );
}

/** The Agents that are connected to another Controller, with its name. */
export async function readLinesElsewhere(db: Queryable, id: string): Promise<Map<string, string>> {
  const { rows } = await db.query<{ agent: string; controller_name: string }>(
    `with held as (${heldLines}) select agent, controller_name from held where controller <> $1`,
    [id],
  );
  return new Map(rows.map((row) => [row.agent, row.controller_name]));
}

/** The current line of an Agent. */
export interface HeldLine {
  agent: string;
  controller: string;
  line: number;
}

/** The lines of those of these Agents that are connected. `isSure`: only those of Controllers that were seen just now. */
export async function readLinesOf(
  db: Queryable,
  agents: readonly string[],
  { isSure = false }: { isSure?: boolean } = {},
): Promise<HeldLine[]> {
  const { rows } = await db.query<{ agent: string; controller: string; line: string }>(
    `with held as (${heldLines})
     select agent, controller, line from held where agent = any($1) and seen_at > now() - make_interval(secs => $2)`,
    [agents, isSure ? doubtfulSeconds : silenceSeconds],
  );
  return rows.map(({ line, ...row }) => ({ ...row, line: Number(line) }));
}

/** The other Controllers that own Runs of these Agents. */
export async function readOwnersOf(
  db: Queryable,
  { id, agents }: { id: string; agents: readonly string[] },
): Promise<Map<string, string[]>> {
  const { rows } = await db.query<{ agent: string; owners: string[] }>(
    `select needed.agent, array_agg(distinct owner) as owners
     from run cross join unnest(run.agents) as needed (agent)
     where state in ('running', 'stopping') and owner is not null and owner <> $1::text and needed.agent = any($2)
     group by needed.agent`,
    [id, agents],
  );
  return new Map(rows.map(({ agent, owners }) => [agent, owners]));
}

/** Wakes the other Controllers, which have something to read or to do. */
export async function sendNotice(db: Queryable, notice: string): Promise<void> {
  await db.query('select pg_notify($1, $2)', [noticeChannel, notice]);
}
