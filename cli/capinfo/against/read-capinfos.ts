import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { formatTwoDecimals, formatSeconds } from '../format-digits.ts';

const run = promisify(execFile);

const unknown = 'n/a';

/** The figures that `capinfos -T -M -S` prints of each file, in this order, and the options that choose them. */
export const capinfosFigures = [
  'packets',
  'data size',
  'duration',
  'first packet',
  'last packet',
  'byte rate',
  'bit rate',
  'mean packet size',
  'mean packet rate',
] as const;
const options = ['-T', '-M', '-S', '-r', '-c', '-d', '-u', '-a', '-e', '-y', '-i', '-z', '-x'];

/** Of each file that it can read, by its name. A file that it cannot read to a packet's end is left out; one that is cut short is not. */
export async function readCapinfos(files: string[]): Promise<Map<string, string[]>> {
  const { stdout } = await run('capinfos', [...options, ...files], { maxBuffer: 1 << 28 }).catch((error: unknown) => {
    // What it read is printed also when it could not read all.
    if (typeof (error as { stdout?: unknown }).stdout !== 'string') throw error;
    return error as { stdout: string };
  });
  const rows = stdout
    .split('\n')
    .map((line) => line.split('\t'))
    .filter((row) => row.length > capinfosFigures.length);
  // A name may have tabs too.
  return new Map(
    rows.map((row) => [row.slice(0, -capinfosFigures.length).join('\t'), row.slice(-capinfosFigures.length)]),
  );
}

/** Our figures as capinfos prints them. What is absent here because it is undefined is 0.00 there (see docs/metrics.md). */
export function formatAsCapinfos(statistics: CaptureStatistics): string[] {
  const { packets, startEpochNs, endEpochNs, timeDigits, bytesPerS, bitsPerS, meanPacketBytes, packetsPerS } =
    statistics;
  const isTimeUnknown = packets > 0 && startEpochNs === null;
  const rate = (value: number | null) => (isTimeUnknown ? unknown : formatTwoDecimals(value ?? 0));
  const times =
    startEpochNs === null || endEpochNs === null
      ? [unknown, unknown, unknown]
      : [
          formatSeconds(BigInt(endEpochNs) - BigInt(startEpochNs), Math.max(timeDigits.start, timeDigits.end)),
          formatSeconds(BigInt(startEpochNs), timeDigits.start),
          formatSeconds(BigInt(endEpochNs), timeDigits.end),
        ];
  return [
    String(packets),
    String(statistics.dataBytes),
    ...times,
    rate(bytesPerS),
    rate(bitsPerS),
    formatTwoDecimals(meanPacketBytes ?? 0),
    rate(packetsPerS),
  ];
}
