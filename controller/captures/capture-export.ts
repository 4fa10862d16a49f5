import { z } from 'zod';
import { CaptureStatisticsSchema } from '#core/packets/capture-statistics.ts';
import type { RoundState } from '#core/protocol/api/run.ts';
import type { Queryable } from '../database/queryable.ts';

const StatisticsSchema = CaptureStatisticsSchema.pick({
  packets: true,
  dataBytes: true,
  durationS: true,
  directions: true,
  cutPackets: true,
  malformedPackets: true,
  ip: true,
  tcp: true,
  udp: true,
});

/** What an export has of the outcome: no connections, and nothing over time, which are long. */
const OutcomeSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('captured'),
    statistics: StatisticsSchema,
    droppedByKernel: z.int(),
    droppedByInterface: z.int(),
    isLimited: z.boolean(),
    isBrokenOff: z.boolean().default(false),
  }),
  z.object({ kind: z.literal('absent'), reason: z.string() }),
]);

/** One Capture with what shows where it belongs. */
export interface ExportedCapture {
  captureId: string;
  runId: string;
  block: number;
  scenario: string;
  warmUp: boolean;
  attempt: number;
  roundState: RoundState;
  /** Null of a Capture Point. */
  userAgent: string | null;
  /** Null of a User Agent. */
  capturePoint: string | null;
  agent: string;
  outcome: z.infer<typeof OutcomeSchema>;
}

const withoutLongParts = `capture.outcome #- '{statistics,connections}' #- '{statistics,udpFlows}' #- '{statistics,throughput}' #- '{statistics,repairs}' as outcome`;

/** Every Capture of a Run, Round by Round: no more than one Round is held in memory, and no connection between two. */
export async function* exportCaptures(db: Queryable, runId: string): AsyncGenerator<ExportedCapture> {
  const { rows: rounds } = await db.query<
    { id: string } & Pick<ExportedCapture, 'block' | 'scenario' | 'warmUp' | 'attempt' | 'roundState'>
  >(
    `select id, block, scenario, warm_up as "warmUp", attempt, state as "roundState" from round where run_id = $1 order by index, attempt`,
    [runId],
  );
  for (const { id, ...round } of rounds) {
    const { rows } = await db.query<
      { outcome: unknown } & Pick<ExportedCapture, 'captureId' | 'userAgent' | 'capturePoint' | 'agent'>
    >(
      `select pass.id as "captureId", user_agent as "userAgent", null as "capturePoint", agent, ${withoutLongParts}
       from pass join capture on pass_id = pass.id where round_id = $1
       union all
       select capture_point.id, null, name, agent, ${withoutLongParts}
       from capture_point join capture on point_id = capture_point.id where round_id = $1
       order by "userAgent", "capturePoint"`,
      [id],
    );
    for (const { outcome, ...row } of rows) yield { ...round, ...row, runId, outcome: OutcomeSchema.parse(outcome) };
  }
}
