import { frameTypes, headerBytes, type Frame, type FrameType } from './frame.ts';
import { TunnelError } from './tunnel-error.ts';

const known = new Set<number>(Object.values(frameTypes));

/** Finds the frames in the bytes of a connection, in any pieces. Holds at most one frame. */
export class FrameReader {
  #rest: Buffer[] = [];
  #restBytes = 0;
  #neededBytes = headerBytes;

  /** The frames that are whole now. Their payloads share the memory of `chunk`. Throws `protocol` for a type that does not exist. */
  read(chunk: Buffer): Frame[] {
    this.#rest.push(chunk);
    this.#restBytes += chunk.length;
    if (this.#restBytes < this.#neededBytes) return [];
    const bytes = this.#rest.length === 1 ? chunk : Buffer.concat(this.#rest, this.#restBytes);
    const frames: Frame[] = [];
    let place = 0;
    this.#neededBytes = headerBytes;
    while (bytes.length - place >= headerBytes) {
      const frameBytes = headerBytes + bytes.readUInt16BE(place);
      if (bytes.length - place < frameBytes) {
        this.#neededBytes = frameBytes;
        break;
      }
      frames.push(decode(bytes.subarray(place, place + frameBytes)));
      place += frameBytes;
    }
    const rest = bytes.subarray(place);
    this.#rest = rest.length > 0 ? [rest] : [];
    this.#restBytes = rest.length;
    return frames;
  }
}

function decode(bytes: Buffer): Frame {
  const type = bytes[2]!;
  if (!known.has(type)) throw new TunnelError('protocol', `A frame has type ${type}, which does not exist`);
  return {
    type: type as FrameType,
    stream: bytes.readUIntBE(3, 6),
    offset: bytes.readUIntBE(9, 6),
    payload: bytes.subarray(headerBytes),
  };
}
