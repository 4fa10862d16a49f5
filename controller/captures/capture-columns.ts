import { z } from 'zod';
import { AppError } from '#core/app-error.ts';
import type { CsvValue, TypedColumn } from '#core/export/format-csv-row.ts';
import { CaptureStatisticsSchema } from '#core/packets/capture-statistics.ts';
import type { RoundState } from '#core/protocol/api/run.ts';
import type { Queryable } from '../database/queryable.ts';

interface Column extends TypedColumn {
  valueOf: (capture: ExportedCapture) => CsvValue;
}

type Captured = Extract<ExportedCapture['outcome'], { kind: 'captured' }>;
type Statistics = Captured['statistics'];

const ofOutcome = (name: string, type: TypedColumn['type'], read: (outcome: Captured) => CsvValue): Column => ({
  name,
  type,
  ...(type === 'integer' && { unit: 'count' }),
  valueOf: ({ outcome }) => (outcome.kind === 'captured' ? read(outcome) : null),
});

const count = (name: string, read: (statistics: Statistics) => number | null | undefined): Column =>
  ofOutcome(name, 'integer', ({ statistics }) => read(statistics) ?? null);

const bytes = (name: string, read: (statistics: Statistics) => number | null | undefined): Column => ({
  ...count(name, read),
  unit: 'bytes',
});

const time = (name: string, read: (statistics: Statistics) => number | null | undefined): Column => ({
  ...ofOutcome(name, 'number', ({ statistics }) => read(statistics) ?? null),
  unit: 'ms',
});

/** The columns of an exported Capture. Their order and names are agreed: evaluators' scripts read them. */
export const captureColumns: Column[] = [
  { name: 'run', type: 'integer', valueOf: ({ runId }) => Number(runId) },
  { name: 'block', type: 'integer', valueOf: ({ block }) => block },
  { name: 'scenario', type: 'text', valueOf: ({ scenario }) => scenario },
  { name: 'user_agent', type: 'text', valueOf: ({ userAgent }) => userAgent },
  { name: 'capture_point', type: 'text', valueOf: ({ capturePoint }) => capturePoint },
  { name: 'host', type: 'text', valueOf: ({ agent }) => agent },
  { name: 'warm_up', type: 'boolean', valueOf: ({ warmUp }) => warmUp },
  { name: 'round_state', type: 'text', valueOf: ({ roundState }) => roundState },
  { name: 'attempt', type: 'integer', valueOf: ({ attempt }) => attempt },
  { name: 'capture_id', type: 'text', valueOf: ({ captureId }) => captureId },
  { name: 'absence', type: 'text', valueOf: ({ outcome }) => (outcome.kind === 'absent' ? outcome.reason : null) },
  ofOutcome('limited', 'boolean', ({ isLimited }) => isLimited),
  ofOutcome('broken_off', 'boolean', ({ isBrokenOff }) => isBrokenOff),
  ofOutcome('dropped_packets', 'integer', (each) => each.droppedByKernel + each.droppedByInterface),
  count('packets', (each) => each.packets),
  bytes('bytes', (each) => each.dataBytes),
  time('duration_ms', ({ durationS }) => durationS && durationS * 1000),
  count('sent_packets', ({ directions }) => directions?.sent.packets),
  bytes('sent_bytes', ({ directions }) => directions?.sent.bytes),
  count('received_packets', ({ directions }) => directions?.received.packets),
  bytes('received_bytes', ({ directions }) => directions?.received.bytes),
  count('cut_packets', (each) => each.cutPackets),
  count('malformed_packets', (each) => each.malformedPackets),
  count('ip_fragments', ({ ip }) => ip?.fragments),
  count('tcp_packets', ({ tcp }) => tcp?.packets),
  bytes('tcp_payload_bytes', ({ tcp }) => tcp?.payloadBytes),
  count('tcp_connections', ({ tcp }) => tcp?.connections),
  count('tcp_opened', ({ tcp }) => tcp?.opened),
  count('tcp_failed', ({ tcp }) => tcp?.failed),
  count('tcp_signalling_packets', ({ tcp }) => tcp?.signalling.packets),
  bytes('tcp_signalling_bytes', ({ tcp }) => tcp?.signalling.bytes),
  count('tcp_resets', ({ tcp }) => tcp?.rst),
  count('tcp_retransmissions', ({ tcp }) => tcp?.retransmissions),
  count('tcp_fast_retransmissions', ({ tcp }) => tcp?.fastRetransmissions),
  count('tcp_spurious_retransmissions', ({ tcp }) => tcp?.spuriousRetransmissions),
  count('tcp_out_of_order', ({ tcp }) => tcp?.outOfOrder),
  count('tcp_duplicate_acks', ({ tcp }) => tcp?.duplicateAcks),
  count('tcp_zero_windows', ({ tcp }) => tcp?.zeroWindows),
  count('http1_requests', ({ tcp }) => tcp?.httpRequests),
  time('handshake_rtt_min_ms', ({ tcp }) => tcp?.handshakeRtt?.minMs),
  time('handshake_rtt_mean_ms', ({ tcp }) => tcp?.handshakeRtt?.meanMs),
  time('handshake_rtt_max_ms', ({ tcp }) => tcp?.handshakeRtt?.maxMs),
  time('sent_ack_rtt_min_ms', ({ tcp }) => tcp?.sentAckRtt?.minMs),
  time('sent_ack_rtt_mean_ms', ({ tcp }) => tcp?.sentAckRtt?.meanMs),
  time('sent_ack_rtt_max_ms', ({ tcp }) => tcp?.sentAckRtt?.maxMs),
  count('udp_packets', ({ udp }) => udp?.packets),
  count('udp_flows', ({ udp }) => udp?.flows),
  count('quic_flows', ({ udp }) => udp?.quicFlows),
];

/** An object per line, which can be read while it comes. A last line counts them, so that a reader notices an end that came too early. */
export async function* formatCapturesAsLines(captures: AsyncIterable<ExportedCapture>): AsyncGenerator<string> {
  let lines = 0;
  for await (const capture of captures) {
    const row = Object.fromEntries(captureColumns.map(({ name, valueOf }) => [name, valueOf(capture)]));
    yield `${JSON.stringify(row)}\n`;
    lines++;
  }
  yield `${JSON.stringify({ captures: lines })}\n`;
}

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
interface ExportedCapture {
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

/** Every Capture of a Run, Round by Round: no more than one Round is held in memory, and no connection between two. Throws `not-found` at the end where the Run was deleted meanwhile. */
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
  const { rowCount } = await db.query('select from run where id = $1 and deleted_at is null', [runId]);
  if (rowCount === 0) throw new AppError('not-found', `Run ${runId} was deleted during its export`);
}
