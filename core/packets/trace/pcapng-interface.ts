import { AppError } from '../../app-error.ts';
import { readTimeResolution, type TimeScale } from './pcapng-time.ts';

export interface PcapngInterface {
  linkType: number;
  /** Zero: no limit. */
  snapBytes: number;
  /** Of the frame check sequence that each packet ends with. */
  checkBytes: number;
  time: TimeScale;
}

const optionCodes = { end: 0, timeResolution: 9, checkLength: 13, timeOffset: 14 } as const;

/** The body of an Interface Description Block, options included. */
export function readInterface(body: DataView, littleEndian: boolean): PcapngInterface {
  const time: TimeScale = { ...readTimeResolution(6), offsetSeconds: 0 };
  let checkBytes = 0;
  let offset = 8;
  while (offset + 4 <= body.byteLength) {
    const code = body.getUint16(offset, littleEndian);
    const valueBytes = body.getUint16(offset + 2, littleEndian);
    const valueOffset = offset + 4;
    if (valueOffset + valueBytes > body.byteLength)
      throw new AppError('corrupt-trace', 'an option of an interface is longer than its block');
    if (code === optionCodes.end) break;
    if (code === optionCodes.timeResolution && valueBytes === 1)
      Object.assign(time, readTimeResolution(body.getUint8(valueOffset)));
    if (code === optionCodes.checkLength && valueBytes === 1) checkBytes = body.getUint8(valueOffset);
    if (code === optionCodes.timeOffset && valueBytes === 8)
      time.offsetSeconds = Number(body.getBigInt64(valueOffset, littleEndian));
    offset = valueOffset + 4 * Math.ceil(valueBytes / 4);
  }
  return { linkType: body.getUint16(0, littleEndian), snapBytes: body.getUint32(4, littleEndian), checkBytes, time };
}
