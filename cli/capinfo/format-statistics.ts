import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import type { DelaySummary } from '#core/packets/measures/delay-summary.ts';
import type { Traffic } from '#core/packets/measures/traffic.ts';
import { showPlainly } from '../show-plainly.ts';
import { formatSeconds } from './exact-seconds.ts';
import { formatTwoDecimals } from './format-two-decimals.ts';

/** One file for people: a label and a figure on each line, with the digits that capinfos prints. */
export function formatStatistics(file: string, statistics: CaptureStatistics): string {
  const rows: Row[] = [
    ['File', showPlainly(file)],
    ...describeTotals(statistics),
    ...describeTraffic(statistics),
    ...describeTcp(statistics),
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 3;
  return rows.map(([label, figure]) => `${`${label}:`.padEnd(width)}${figure}`).join('\n');
}

type Row = readonly [label: string, figure: string];
const unknown = 'n/a';

function describeTotals(statistics: CaptureStatistics): Row[] {
  const { startEpochNs, endEpochNs, timeDigits, damage } = statistics;
  const rate = (value: number | null, unit: string) =>
    value === null ? unknown : `${formatTwoDecimals(value)} ${unit}`;
  const times: Row[] =
    startEpochNs === null || endEpochNs === null
      ? [
          ['First packet', unknown],
          ['Last packet', unknown],
          ['Duration', unknown],
        ]
      : [
          ['First packet', `${formatSeconds(BigInt(startEpochNs), timeDigits.start)} s`],
          ['Last packet', `${formatSeconds(BigInt(endEpochNs), timeDigits.end)} s`],
          [
            'Duration',
            `${formatSeconds(BigInt(endEpochNs) - BigInt(startEpochNs), Math.max(timeDigits.start, timeDigits.end))} s`,
          ],
        ];
  return [
    ...(damage === null ? [] : [['Damage', `${damage.kind}, read up to byte ${damage.readToBytes}`] as const]),
    [
      'Link types',
      statistics.linkTypes.map(({ name, packets }) => `${name} (${packets} packets)`).join(', ') || unknown,
    ],
    ['Packets', String(statistics.packets)],
    ['Data', `${statistics.dataBytes} bytes`],
    ['Captured', `${statistics.capturedBytes} bytes`],
    ...times,
    ['Byte rate', rate(statistics.bytesPerS, 'bytes/s')],
    ['Bit rate', rate(statistics.bitsPerS, 'bits/s')],
    ['Mean packet size', rate(statistics.meanPacketBytes, 'bytes')],
    ['Mean packet rate', rate(statistics.packetsPerS, 'packets/s')],
  ];
}

function describeTraffic({ directions, ip, udp, cutPackets, malformedPackets }: CaptureStatistics): Row[] {
  const traffic = ({ packets, bytes }: Traffic) => `${packets} packets, ${bytes} bytes`;
  return [
    ...(directions === null
      ? []
      : ([
          ['Sent', traffic(directions.sent)],
          ['Received', traffic(directions.received)],
          ['Neither', traffic(directions.other)],
        ] as const)),
    ...(ip === null ? [] : [['IPv4, IPv6, fragments', `${ip.v4Packets}, ${ip.v6Packets}, ${ip.fragments}`] as const]),
    ...(udp === null
      ? []
      : [['UDP', `${udp.packets} packets, ${udp.flows} flows, ${udp.quicFlows} of them QUIC`] as const]),
    ...(cutPackets === 0 ? [] : [['Truncated headers', `${cutPackets} packets`] as const]),
    ...(malformedPackets === 0 ? [] : [['Malformed headers', `${malformedPackets} packets`] as const]),
  ];
}

function describeTcp({ tcp }: CaptureStatistics): Row[] {
  if (tcp === null) return [['TCP', unknown]];
  const delay = (summary: DelaySummary | null) =>
    summary === null
      ? unknown
      : `${summary.minMs.toFixed(3)} / ${summary.meanMs.toFixed(3)} / ${summary.maxMs.toFixed(3)} ms (min / mean / max of ${summary.count})`;
  return [
    ['TCP', `${tcp.packets} packets, ${tcp.payloadBytes} bytes of payload`],
    [
      'TCP connections',
      `${tcp.connections}: ${tcp.opened} opened, ${tcp.failed} failed, ${tcp.joined} already open; ${tcp.reusedPorts} on reused ports`,
    ],
    ['SYN, SYN-ACK, FIN, RST', `${tcp.syn}, ${tcp.synAck}, ${tcp.fin}, ${tcp.rst}`],
    ...(tcp.httpRequests === undefined ? [] : [['HTTP requests', String(tcp.httpRequests)] as [string, string]]),
    ['Pure ACK', String(tcp.pureAck)],
    ['Signalling', `${tcp.signalling.packets} packets, ${tcp.signalling.bytes} bytes`],
    [
      'Retransmissions',
      `${tcp.retransmissions}: ${tcp.fastRetransmissions} fast, ${tcp.spuriousRetransmissions} spurious`,
    ],
    ['Out of order', String(tcp.outOfOrder)],
    ['Duplicate ACKs', String(tcp.duplicateAcks)],
    ['Zero windows, keep-alives', `${tcp.zeroWindows}, ${tcp.keepAlives}`],
    ['Handshake RTT', delay(tcp.handshakeRtt)],
    ['ACK RTT', delay(tcp.ackRtt)],
  ];
}
