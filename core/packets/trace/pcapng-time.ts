import { AppError } from '../../app-error.ts';
import type { PacketRecord } from './packet-record.ts';

/** As far as a JavaScript date goes: 273,790 years. An offset of 64 bits goes further than whole numbers of a double. */
const latestEpochSeconds = 8.64e12;

/** How an interface of a pcapng section counts time. */
export interface TimeScale {
  unitsPerSecond: bigint;
  /** Decimal places of the second that it can resolve, at most 9. */
  digits: number;
  offsetSeconds: number;
}

/** The value of the option `if_tsresol`: the upper bit chooses powers of 2 over powers of 10. */
export function readTimeResolution(value: number): Pick<TimeScale, 'unitsPerSecond' | 'digits'> {
  const exponent = value & 0x7f;
  const isBinary = value > 0x7f;
  if (exponent > (isBinary ? 63 : 19))
    throw new AppError(
      'corrupt-trace',
      `an interface counts time in units of ${isBinary ? 2 : 10}^-${exponent} s, which no 64-bit number can hold`,
    );
  return {
    unitsPerSecond: (isBinary ? 2n : 10n) ** BigInt(exponent),
    digits: Math.min(9, isBinary ? Math.floor(exponent * Math.log10(2)) : exponent),
  };
}

/** Sets the time of a record from a 64-bit count of units, rounded down to whole nanoseconds. */
export function setTime(record: PacketRecord, scale: TimeScale, units: { high: number; low: number }): void {
  if (scale.unitsPerSecond === 1_000_000n) divideExactly(record, units, 1_000_000);
  else if (scale.unitsPerSecond === 1_000_000_000n) divideExactly(record, units, 1_000_000_000);
  else {
    const count = (BigInt(units.high) << 32n) | BigInt(units.low);
    record.epochSeconds = Number(count / scale.unitsPerSecond);
    record.nanoseconds = Number(((count % scale.unitsPerSecond) * 1_000_000_000n) / scale.unitsPerSecond);
  }
  record.epochSeconds += scale.offsetSeconds;
  if (Math.abs(record.epochSeconds) > latestEpochSeconds)
    throw new AppError('corrupt-trace', 'the time of a packet is further from 1970 than a date can be');
  record.timeDigits = scale.digits;
}

/**
 * Long division by digits of 16 bits: every step stays below 2^53, so that doubles are exact where the count itself,
 * nanoseconds since 1970, would lose its last digits.
 */
function divideExactly(
  record: PacketRecord,
  { high, low }: { high: number; low: number },
  unitsPerSecond: number,
): void {
  let quotient = 0;
  let remainder = 0;
  for (let digit = 0; digit < 4; digit++) {
    const word = digit < 2 ? high : low;
    const current = remainder * 65_536 + (digit % 2 === 0 ? word >>> 16 : word & 0xffff);
    const part = Math.floor(current / unitsPerSecond);
    quotient = quotient * 65_536 + part;
    remainder = current - part * unitsPerSecond;
  }
  record.epochSeconds = quotient;
  record.nanoseconds = remainder * (1e9 / unitsPerSecond);
}
