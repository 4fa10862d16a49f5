import type { DelaySummary } from '#core/packets/measures/delay-summary.ts';
import type { CaptureOutcome } from '#core/protocol/capture-outcome.ts';
import { AbsentValue } from '../../components/absent-value.tsx';
import type { Fact } from '../../components/facts.tsx';
import { Term } from '../../components/terms/term.tsx';
import { formatBytes } from '../../format/format-bytes.ts';
import { formatMs } from '../../format/format-ms.ts';
import { formatNumber } from '../../format/format-number.ts';

/** The figures of a Capture, shown beside its timeline. */
export function listCaptureFacts(capture: Extract<CaptureOutcome, { kind: 'captured' }>): Fact[] {
  const { packets, directions, tcp } = capture.statistics;
  const dropped = capture.droppedByKernel + capture.droppedByInterface;
  return [
    { label: 'packets', value: formatNumber(packets) },
    ...(directions
      ? [
          { label: 'received', value: formatBytes(directions.received.bytes) },
          { label: 'sent', value: formatBytes(directions.sent.bytes) },
        ]
      : []),
    ...(tcp
      ? [
          { label: 'TCP connections', value: formatNumber(tcp.connections) },
          { label: 'connections failed', value: formatNumber(tcp.failed), isAlarming: tcp.failed > 0 },
          {
            label: <Term of="signalling">signalling</Term>,
            value: `${formatNumber(tcp.signalling.packets)} packets, ${formatBytes(tcp.signalling.bytes)}`,
          },
          { label: 'retransmissions', value: formatNumber(tcp.retransmissions) },
          {
            label: 'handshake RTT',
            value: <Delay delay={tcp.handshakeRtt} absence="No connection was opened in this Capture." />,
          },
          {
            label: 'RTT of requests',
            value: <Delay delay={tcp.sentAckRtt} absence="No segment that was sent once was acknowledged." />,
          },
        ]
      : []),
    { label: 'dropped', value: formatNumber(dropped), isAlarming: dropped > 0 },
  ];
}

function Delay({ delay, absence }: { delay: DelaySummary | null; absence: string }) {
  return delay ? formatMs(delay.meanMs) : <AbsentValue reason={absence} />;
}
