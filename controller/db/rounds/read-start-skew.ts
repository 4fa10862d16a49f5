import type { UserAgent } from '#core/evaluation/users/user-agent.ts';
import type { StartSkew } from '#core/protocol/start-skew.ts';
import { measureSkew, type Start } from '#core/clock/measure-skew.ts';
import type { Queryable } from '../connection/queryable.ts';

interface PassRow {
  user_agent: string;
  agent: string;
  epoch_ms: number;
  error_ms: number;
  packet_epoch_ms: number | null;
  packet_error_ms: number | null;
}

/**
 * How far apart the Passes of a Round began, by their first Visits and by the first packets of their Captures, as far as these are stored. A User Agent that is to begin
 * later counts as if it had begun earlier by that offset.
 */
export async function readStartSkew(
  db: Queryable,
  round: { id: string; userAgents: readonly Pick<UserAgent, 'name' | 'startOffsetMs'>[] },
): Promise<StartSkew> {
  const { rows } = await db.query<PassRow>(
    `select user_agent, agent, epoch_ms, error_ms, (outcome->>'firstPacketEpochMs')::float8 + (outcome->>'clockOffsetMs')::float8 as packet_epoch_ms,
       (outcome->>'clockErrorMs')::float8 as packet_error_ms
     from pass left join capture on capture.pass_id = pass.id
     cross join lateral (
       select (extract(epoch from visit.started_at) * 1000)::float8 as epoch_ms, clock_error_ms as error_ms
       from visit where visit.pass_id = pass.id order by sequence limit 1) first_visit
     where round_id = $1`,
    [round.id],
  );
  const offsets = new Map(round.userAgents.map(({ name, startOffsetMs = 0 }) => [name, startOffsetMs]));
  const starts = rows.map((row) => ({ ...row, host: row.agent, offsetMs: offsets.get(row.user_agent) ?? 0 }));
  const ordered = measureSkew(
    starts.map(({ host, epoch_ms, error_ms, offsetMs }) => ({ host, epochMs: epoch_ms - offsetMs, errorMs: error_ms })),
  );
  const packets = starts.flatMap(({ host, offsetMs, packet_epoch_ms: epochMs, packet_error_ms: errorMs }): Start[] =>
    epochMs === null || errorMs === null ? [] : [{ host, epochMs: epochMs - offsetMs, errorMs }],
  );
  const captured = packets.length === rows.length ? measureSkew(packets) : null;
  return {
    startSkewMs: ordered?.skewMs ?? null,
    startSkewErrorMs: ordered?.errorMs ?? null,
    firstPacketSkewMs: captured?.skewMs ?? null,
    firstPacketSkewErrorMs: captured?.errorMs ?? null,
  };
}
