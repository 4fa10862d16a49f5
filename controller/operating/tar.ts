import { AppError } from '#core/app-error.ts';

/** POSIX.1-1988 "ustar": blocks of 512 bytes, a header block before each file. */
const blockBytes = 512;
const largestOctalSize = 8 ** 11 - 1;

export interface TarEntry {
  name: string;
  size: number;
  /** To be read before the next entry is asked for; what is left is skipped. */
  contents: AsyncIterable<Buffer>;
}

/** The header of a file. A size beyond 8 GiB is written in base 256, as GNU tar does. */
export function formatTarHeader({ name, size, epochMs }: { name: string; size: number; epochMs: number }): Buffer {
  const header = Buffer.alloc(blockBytes);
  if (Buffer.byteLength(name) > 100) throw new Error(`The name is too long for a tar file: ${name}`);
  header.write(name, 0);
  header.write('0000600\0', 100);
  header.write('0000000\0', 108);
  header.write('0000000\0', 116);
  if (size > largestOctalSize) {
    header.writeUInt8(0x80, 124);
    header.writeBigUInt64BE(BigInt(size), 128);
  } else header.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  header.write(
    `${Math.floor(epochMs / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  header.write('        ', 148);
  header.write('0', 156);
  header.write('ustar\0' + '00', 257);
  header.write(`${sumOf(header).toString(8).padStart(6, '0')}\0 `, 148);
  return header;
}

/** The zeros after the contents of a file of that size. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}

/** The end of a tar file. */
export const tarEnd: Buffer = Buffer.alloc(2 * blockBytes);

/** The files of a tar file as `formatTarHeader` writes them, in order. Throws `invalid-input` when it is damaged or cut. */
export async function* readTar(source: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const reader = new BlockReader(source);
  for (;;) {
    const header = await reader.read(blockBytes);
    if (header.every((byte) => byte === 0)) return;
    const stated = Number.parseInt(header.toString('latin1', 148, 154), 8);
    const summed = Buffer.from(header);
    summed.write('        ', 148);
    if (stated !== sumOf(summed)) throw damaged('a header has another checksum');
    const size = readSize(header);
    const contents = readContents(reader, size);
    yield { name: header.toString('utf8', 0, header.indexOf(0)), size, contents };
    await skip(contents);
    await reader.read(tarPadding(size).length);
  }
}

async function skip(contents: AsyncIterable<Buffer>): Promise<void> {
  const rest = contents[Symbol.asyncIterator]();
  let part = await rest.next();
  while (part.done !== true) part = await rest.next();
}

async function* readContents(reader: BlockReader, size: number): AsyncGenerator<Buffer> {
  for (let left = size; left > 0;) {
    const part = await reader.readSome(left);
    left -= part.length;
    yield part;
  }
}

function readSize(header: Buffer): number {
  const size =
    header[124] === 0x80
      ? Number(header.readBigUInt64BE(128))
      : Number.parseInt(header.toString('latin1', 124, 135), 8);
  if (!Number.isSafeInteger(size)) throw damaged('a header has no size');
  return size;
}

function sumOf(header: Buffer): number {
  return header.reduce((sum, byte) => sum + byte, 0);
}

function damaged(how: string): AppError {
  return new AppError('invalid-input', `The backup is damaged: ${how}. Nothing was restored`);
}

/** Takes chunks of any length apart. */
class BlockReader {
  readonly #source: AsyncIterator<Buffer>;
  #held = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  async read(bytes: number): Promise<Buffer> {
    const parts: Buffer[] = [];
    for (let left = bytes; left > 0;) {
      const part = await this.readSome(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  }

  /** At least one byte, at most so many. */
  async readSome(most: number): Promise<Buffer> {
    while (this.#held.length === 0) {
      const next = await this.#source.next();
      if (next.done === true) throw damaged('its end is missing');
      this.#held = Buffer.from(next.value);
    }
    const part = this.#held.subarray(0, most);
    this.#held = this.#held.subarray(part.length);
    return part;
  }
}
