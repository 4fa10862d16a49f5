import type { AgentSummary } from '#core/protocol/api/access.ts';
import { HostFactsSchema, type HostFacts } from '#core/protocol/host-facts.ts';
import { isLoopback } from '#core/protocol/loopback.ts';
import { fromRow, type Queryable, type RowOf } from '../database/queryable.ts';

/** An Agent as it was seen last; whether it is connected, only the hub knows. */
export type RecordedAgent = Omit<AgentSummary, 'isConnected'>;

export async function listAgents(db: Queryable): Promise<RecordedAgent[]> {
  const { rows } = await db.query<RowOf<RecordedAgent>>(
    `select name, agent_version as "agentVersion", last_seen_at as "lastSeenAt", clock_offset_ms as "clockOffsetMs", clock_error_ms as "clockErrorMs",
       case when token_id is null then 0 else count(*) over (partition by token_id)::int - 1 end as "tokenSharedWith", facts
     from agent order by name`,
  );
  return rows.map((row) => ({ ...fromRow<RecordedAgent>(row), facts: HostFactsSchema.parse(row.facts) }));
}

interface ConnectedAgent {
  name: string;
  tokenId: string;
  agentVersion: string;
  facts: HostFacts;
  /** Where its line comes from; null where that is not known. */
  address?: string | null;
  /** Of the Controller: a line over loopback is of the same machine. */
  controllerMachineId?: string | null;
}

/** Stores the facts that an Agent reported when it connected, and where it is, and returns the number of its line. Its clock is unknown until it has read it again. */
export async function recordAgent(db: Queryable, agent: ConnectedAgent): Promise<number> {
  const { address = null, controllerMachineId = null } = agent;
  const isHere = address !== null && isLoopback(address);
  const { rows } = await db.query<{ line: string }>(
    `insert into agent (name, token_id, agent_version, facts, machine, address) values ($1, $2, $3, $4, $5, $6)
     on conflict (name) do update set token_id = excluded.token_id, agent_version = excluded.agent_version, facts = excluded.facts,
       machine = excluded.machine, address = excluded.address, clock_offset_ms = null, clock_error_ms = null, last_seen_at = now(), line = default
     returning line`,
    [
      agent.name,
      agent.tokenId,
      agent.agentVersion,
      JSON.stringify(agent.facts),
      agent.facts.machineId ?? (isHere ? controllerMachineId : null),
      isHere ? null : address,
    ],
  );
  return Number(rows[0]!.line);
}

/** What each of these Agents reported when it connected last. */
export async function readFactsOf(db: Queryable, names: readonly string[]): Promise<Map<string, HostFacts>> {
  const { rows } = await db.query<{ name: string; facts: unknown }>(
    'select name, facts from agent where name = any($1)',
    [names],
  );
  return new Map(rows.map(({ name, facts }) => [name, HostFactsSchema.parse(facts)]));
}

/** `offsetMs`: Controller clock minus Agent clock; `errorMs`: the bound of its error. */
export interface ReadClock {
  name: string;
  offsetMs: number;
  errorMs: number;
}

/** Of several of one Agent, the last one counts. */
export async function recordAgentClocks(db: Queryable, clocks: readonly ReadClock[]): Promise<void> {
  const last = [...new Map(clocks.map((clock) => [clock.name, clock])).values()];
  await db.query(
    `update agent set clock_offset_ms = offset_ms, clock_error_ms = error_ms, last_seen_at = now()
     from unnest($1::text[], $2::float8[], $3::float8[]) as clock (name, offset_ms, error_ms) where agent.name = clock.name`,
    [
      last.map(({ name }) => name),
      last.map(({ offsetMs }) => toNanoseconds(offsetMs)),
      last.map(({ errorMs }) => toNanoseconds(errorMs)),
    ],
  );
}

/** PostgreSQL has no number as small as an Agent may send, and one that it refuses must not hold up those of other Agents. */
function toNanoseconds(ms: number): number {
  return Math.round(ms * 1e6) / 1e6;
}

export async function recordAgentSeen(db: Queryable, name: string): Promise<void> {
  await db.query('update agent set last_seen_at = now() where name = $1', [name]);
}

/** Revokes the token that an Agent came with and forgets the Agent. Null when there is none of this name; `tokenId` is null when its token is gone already. */
export async function removeAgent(db: Queryable, name: string): Promise<{ tokenId: string | null } | null> {
  const { rows } = await db.query<{ token_id: string | null }>(
    `with removed as (delete from agent where name = $1 returning token_id),
     revoked as (update token set revoked_at = coalesce(revoked_at, now()) from removed where token.id = removed.token_id)
     select token_id from removed`,
    [name],
  );
  return rows[0] ? { tokenId: rows[0].token_id } : null;
}
