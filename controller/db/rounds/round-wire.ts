import type { RoundWire } from '#core/comparison/network/compare-wire.ts';
import type { Queryable } from '../connection/queryable.ts';

interface PassRow {
  id: string;
  scenario: string;
  visits: number;
  is_captured: boolean;
  packets: number | null;
  bytes: number | null;
  connections: number | null;
  unused_connections: number | null;
  signalling: number | null;
  retransmissions: number | null;
}

/** The packets of every Pass of each completed Round that is no warm-up. Of each Capture only these counts are read. */
export async function readRoundWire(db: Queryable, runId: string): Promise<RoundWire[]> {
  const { rows } = await db.query<PassRow>(
    `select round.id, scenario, (select count(*)::int from visit where pass_id = pass.id) as visits,
       coalesce(outcome->>'kind' = 'captured', false) as is_captured,
       (statistics->'packets')::float8 as packets, (statistics->'dataBytes')::float8 as bytes,
       (select sum((wire->>'openedConnections')::float8) from jsonb_each(capture.visits) as each (visit_id, wire)) as connections,
       (select sum((wire->>'unusedConnections')::float8) from jsonb_each(capture.visits) as each (visit_id, wire)) as unused_connections,
       (nullif(statistics->'tcp', 'null')->'signalling'->'packets')::float8 as signalling,
       (nullif(statistics->'tcp', 'null')->'retransmissions')::float8 as retransmissions
     from round join pass on round_id = round.id left join capture on pass_id = pass.id, lateral (select outcome->'statistics' as statistics) as read
     where run_id = $1 and round.state = 'completed' and not warm_up
     order by round.index`,
    [runId],
  );
  return [...Map.groupBy(rows, (row) => row.id).values()].map((passes) => ({
    scenario: passes[0]!.scenario,
    passes: passes.map(
      ({
        visits,
        is_captured,
        packets,
        bytes,
        connections,
        unused_connections: unusedConnections,
        signalling,
        retransmissions,
      }) => ({
        visits,
        counts: is_captured ? { packets, bytes, connections, unusedConnections, signalling, retransmissions } : null,
      }),
    ),
  }));
}
