import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { formatTwoDecimals, formatSeconds } from '#cli/capinfo/run-capinfo.ts';
import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';

const run = promisify(execFile);

const unknown = 'n/a';

/**
 * The figures that `capinfos -T -M -S` prints for each file, by its name: packets, data size, duration, first and last time, byte and bit rate,
 * mean size, mean rate. A file that it cannot read to a packet's end is left out; one that is cut short is not.
 */
export async function readCapinfos(files: string[]): Promise<Map<string, string[]>> {
  const args = ['-T', '-M', '-S', '-r', '-c', '-d', '-u', '-a', '-e', '-y', '-i', '-z', '-x', ...files];
  const { stdout } = await run('capinfos', args, { maxBuffer: 1 << 28 }).catch(
    (error: unknown) => error as { stdout: string },
  );
  const rows = stdout
    .split('\n')
    .filter((line) => line.includes('\t'))
    .map((line) => line.split('\t'));
  return new Map(rows.map(([file, ...figures]) => [file!, figures]));
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
