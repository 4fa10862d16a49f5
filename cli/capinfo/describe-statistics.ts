import type { CaptureStatistics } from '#core/packets/capture-statistics.ts';
import { secondsAsJson } from './exact-seconds.ts';

/** One file in the JSON document of `capinfo`: the statistics with times in seconds, and `readTo` and `problem` when it was not read to its end. */
export function describeStatistics(file: string, statistics: CaptureStatistics): unknown {
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
