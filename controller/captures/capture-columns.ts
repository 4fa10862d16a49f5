import type { TypedColumn } from '#core/export/typed-column.ts';
import type { CsvValue } from '#core/export/format-csv-row.ts';
import type { ExportedCapture } from './capture-export.ts';

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
