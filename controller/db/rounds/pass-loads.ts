import { HostLoadSchema } from '#core/protocol/host-load.ts';
import type { PassLoad } from '#core/record/run-record.ts';
import type { Queryable } from '../connection/queryable.ts';

/** How busy the hosts were over each Pass of the completed Rounds that are no warm-up, in the order of execution. */
export async function readPassLoads(db: Queryable, runId: string): Promise<PassLoad[]> {
  const { rows } = await db.query<Omit<PassLoad, 'load'> & { load: unknown }>(
    `select round.block, round.scenario, pass.agent as host, host_load as load from round join pass on pass.round_id = round.id
     where round.run_id = $1 and round.state = 'completed' and not round.warm_up order by round.index, pass.user_agent`,
    [runId],
  );
  return rows.map((row) => ({ ...row, load: HostLoadSchema.nullable().parse(row.load) }));
}
