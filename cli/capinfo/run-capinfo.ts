import { AppError } from '#core/app-error.ts';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { AddressSet } from '#core/packets/decode/address-set.ts';
import { exitStatus } from '../report-error.ts';
import type { DelaySummary } from '#core/packets/measures/delay-summary.ts';
import type { Traffic } from '#core/packets/measures/traffic.ts';
import { showPlainly } from '../plain-text.ts';
import { formatSeconds, formatTwoDecimals } from './format-digits.ts';
import { measureFile } from './measure-file.ts';

type Row = readonly [label: string, figure: string];
const unknown = 'n/a';

export interface CapinfoOptions {
  local: string[];
  against?: 'capinfos';
  json?: true;
  verbose?: true;
}

/** Prints the statistics of each file. A file that cannot be read to its end is reported on standard error, and the others are still printed. */
export async function runCapinfo(files: string[], options: CapinfoOptions): Promise<void> {
  if (options.against !== undefined) {
    const { runComparison } = await import('./against/compare-captures.ts');
    await runComparison(files, options);
    return;
  }
  new AddressSet(options.local); // says what is wrong with them before any file is read
  const entries: unknown[] = [];
  const complain = (file: string, problem: string, status: number) => {
    process.stderr.write(`${showPlainly(file)}: ${problem}\n`);
    process.exitCode = Math.max(Number(process.exitCode ?? exitStatus.done), status);
  };

  for (const file of files) {
    try {
      const statistics = await measureFile(file, options.local);
      entries.push(describeStatistics(file, statistics));
      if (!options.json)
        process.stdout.write(`${entries.length > 1 ? '\n' : ''}${formatStatistics(file, statistics)}\n`);
      for (const { problem, status } of findProblems(statistics)) complain(file, problem, status);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      if (options.verbose) process.stderr.write(`${error.stack}\n`);
      entries.push({ file, problem: error.message });
      complain(file, error.message, exitStatus.misused);
    }
  }
  if (options.json) process.stdout.write(`${JSON.stringify(entries)}\n`);
}

function findProblems({
  damage,
  linkTypes,
  carriers = [],
  cutPackets,
  tcp,
}: CaptureStatistics): { problem: string; status: number }[] {
  const problems: { problem: string; status: number }[] = linkTypes
    .filter(({ isDecoded }) => !isDecoded)
    .map(({ name, packets }) => ({
      problem: `${name} is not decoded: its ${packets} packets are only counted`,
      status: exitStatus.done,
    }));
  for (const { name, packets } of carriers)
    problems.push({
      problem: `${packets} packets carry others in ${name}, which is not looked into: TCP and UDP counts leave these out`,
      status: exitStatus.done,
    });
  if (damage !== null)
    problems.push({
      problem: `${damage.kind}: read up to byte ${damage.readToBytes}, because ${damage.problem}`,
      status: exitStatus.failed,
    });
  if (cutPackets > 0)
    problems.push({
      problem: `the snap length cut the headers of ${cutPackets} packets: TCP and UDP counts leave them out`,
      status: exitStatus.done,
    });
  if (tcp?.unfollowedSegments !== undefined)
    problems.push({
      problem: `too many segments were unacknowledged: round trips leave ${tcp.unfollowedSegments} of them out`,
      status: exitStatus.done,
    });
  return problems;
}

/** One file in the JSON document of `capinfo`: the statistics with times in seconds, and `readTo` and `problem` when it was not read to its end. */
function describeStatistics(file: string, statistics: CaptureStatistics): unknown {
  const {
    startEpochNs,
    endEpochNs,
    timeDigits,
    damage,
    packets,
    dataBytes,
    capturedBytes,
    bytesPerS,
    bitsPerS,
    meanPacketBytes,
    packetsPerS,
    ...more
  } = statistics;
  const { version, durationS, ...rest } = more;
  return {
    file,
    packets,
    dataBytes,
    capturedBytes,
    startEpochS: startEpochNs === null ? null : secondsAsJson(BigInt(startEpochNs), timeDigits.start),
    endEpochS: endEpochNs === null ? null : secondsAsJson(BigInt(endEpochNs), timeDigits.end),
    durationS:
      durationS === null || startEpochNs === null || endEpochNs === null
        ? null
        : secondsAsJson(BigInt(endEpochNs) - BigInt(startEpochNs), Math.max(timeDigits.start, timeDigits.end)),
    bytesPerS,
    bitsPerS,
    meanPacketBytes,
    packetsPerS,
    ...(damage && { readTo: damage.readToBytes, problem: damage.problem }),
    ...rest,
    version,
  };
}

/** One file for people: a label and a figure on each line, with the digits that capinfos prints. */
function formatStatistics(file: string, statistics: CaptureStatistics): string {
  const rows: Row[] = [
    ['File', showPlainly(file)],
    ...describeTotals(statistics),
    ...describeTraffic(statistics),
    ...describeTcp(statistics),
  ];
  const width = Math.max(...rows.map(([label]) => label.length)) + 3;
  return rows.map(([label, figure]) => `${`${label}:`.padEnd(width)}${figure}`).join('\n');
}

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

function describeTraffic({
  directions,
  ip,
  udp,
  carriers = [],
  cutPackets,
  malformedPackets,
}: CaptureStatistics): Row[] {
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
    ...carriers.map(({ name, packets }) => [`In ${name}`, `${packets} packets, not looked into`] as const),
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

/** The same as a JSON number with all its digits. Reading it into a double loses the last digits. */
function secondsAsJson(nanoseconds: bigint, digits: number): unknown {
  return (JSON as unknown as { rawJSON: (text: string) => unknown }).rawJSON(formatSeconds(nanoseconds, digits));
}
