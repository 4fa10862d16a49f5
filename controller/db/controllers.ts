import type { Queryable } from './connection/queryable.ts';

/** A Controller that was not seen for so long is taken for dead, and its lines to Agents for broken. As long as the lease of a Run. */
export const silenceSeconds = 10;
/** A Controller that was killed may come back for so long: until then others leave it the Runs whose Agents are not connected to them. */
const forgottenAfterSeconds = 3600;

/** The current line of each connected Agent. To be used as `with held as (…)`. */
export const heldLines = `
  select distinct on (agent) agent, controller, controller.name as controller_name
  from agent_line join controller on controller.id = controller
  where seen_at > now() - make_interval(secs => ${silenceSeconds}) order by agent, connected_at desc`;

export interface LivingController {
  id: string;
  name: string;
  /** Whether it was started so that this database has one Run at a time. */
  oneRunAtATime: boolean;
}

/** Says that a Controller lives, and which Agents are connected to it. To repeat it changes nothing. */
export async function announceController(
  db: Queryable,
  { id, name, oneRunAtATime }: LivingController,
  lines: readonly { agent: string; ageMs: number }[],
): Promise<void> {
  await db.query(
    `with forgotten as (delete from controller where id <> $1 and seen_at < now() - make_interval(secs => ${forgottenAfterSeconds})),
     living as (insert into controller (id, name, one_run_at_a_time) values ($1, $2, $5) on conflict (id) do update set seen_at = now() returning id),
     broken as (delete from agent_line where controller = $1 and agent <> all ($3::text[]))
     insert into agent_line (agent, controller, connected_at)
     select agent, living.id, now() - make_interval(secs => age_ms / 1000) from living, unnest($3::text[], $4::float8[]) as line (agent, age_ms)
     on conflict (agent, controller) do update set connected_at = excluded.connected_at
     where abs(extract(epoch from excluded.connected_at - agent_line.connected_at)) > 0.5`,
    [id, name, lines.map(({ agent }) => agent), lines.map(({ ageMs }) => ageMs), oneRunAtATime],
  );
}

/** Forgets a Controller that is shut down. */
export async function removeController(db: Queryable, id: string): Promise<void> {
  await db.query('delete from controller where id = $1', [id]);
}

/** Forgets the earlier starts of this Controller that were killed: those of the same name. */
export async function removeEarlierStarts(
  db: Queryable,
  { id, name }: Pick<LivingController, 'id' | 'name'>,
): Promise<void> {
  await db.query('delete from controller where name = $2 and id <> $1', [id, name]);
}

/** The Agents that are connected to another Controller, with its name. */
export async function readLinesElsewhere(db: Queryable, id: string): Promise<Map<string, string>> {
  const { rows } = await db.query<{ agent: string; controller_name: string }>(
    `with held as (${heldLines}) select agent, controller_name from held where controller <> $1`,
    [id],
  );
  return new Map(rows.map((row) => [row.agent, row.controller_name]));
}
