import { z } from 'zod';

/** The first bytes of a stream, put together from segments in any order, as far as they were captured. Bounded: what comes later is left out. */
class StreamStart {
  static readonly maximumBytes = 16 * 1024;
  #bytes = new Uint8Array(0);
  #pieces: { start: number; end: number }[] = [];

  add(start: number, captured: Uint8Array): void {
    const end = Math.min(start + captured.length, StreamStart.maximumBytes);
    if (start < 0 || start >= end) return;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.min(StreamStart.maximumBytes, 2 * end));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#bytes.set(captured.subarray(0, end - start), start);
    this.#join({ start, end });
  }

  /** What is there without a gap. */
  read(): Uint8Array {
    const first = this.#pieces[0];
    return first?.start === 0 ? this.#bytes.subarray(0, first.end) : this.#bytes.subarray(0, 0);
  }

  #join(piece: { start: number; end: number }): void {
    const apart = this.#pieces.filter(({ start, end }) => end < piece.start || start > piece.end);
    const touching = this.#pieces.filter((each) => !apart.includes(each));
    const joined = {
      start: Math.min(piece.start, ...touching.map(({ start }) => start)),
      end: Math.max(piece.end, ...touching.map(({ end }) => end)),
    };
    this.#pieces = [...apart, joined].sort((a, b) => a.start - b.start);
  }
}

/** What the hellos of a TLS connection say. Null is what they do not say, or what `isCut` took away. */
export const TlsSchema = z.object({
  /** Chosen by the server: `TLS 1.3`. */
  version: z.string().nullable(),
  offeredProtocols: z.array(z.string()).nullable(),
  /** The application protocol that the server chose. TLS 1.3 encrypts it. */
  protocol: z.string().nullable(),
  /** Whether part of a hello is missing: the snap length or loss took it. */
  isCut: z.boolean(),
});
export type Tls = z.infer<typeof TlsSchema>;

const versionNames: ReadonlyMap<number, string> = new Map([
  [0x0300, 'SSL 3.0'],
  [0x0301, 'TLS 1.0'],
  [0x0302, 'TLS 1.1'],
  [0x0303, 'TLS 1.2'],
  [0x0304, 'TLS 1.3'],
]);

/** Reads the two hellos at the beginning of a connection, and keeps no more of it than they take. */
export class TlsHandshake {
  readonly #streams = { forward: new StreamStart(), backward: new StreamStart() };
  readonly #hellos = new Map<Hello['sender'], Hello>();
  isReading = true;

  add(direction: 'forward' | 'backward', start: number, captured: Uint8Array): void {
    if (start >= StreamStart.maximumBytes) {
      this.isReading = false;
      return;
    }
    const stream = this.#streams[direction];
    stream.add(start, captured);
    const bytes = stream.read();
    if (bytes.length === 0) return;
    const hello = readHello(bytes);
    if (hello === null) this.isReading = bytes[0] === 22 && bytes.length < 6;
    else {
      this.#hellos.set(hello.sender, hello);
      if (this.#hellos.size === 2 && [...this.#hellos.values()].every(({ isWhole }) => isWhole)) this.isReading = false;
    }
  }

  summarize(): Tls | null {
    if (this.#hellos.size === 0) return null;
    const client = this.#hellos.get('client');
    const server = this.#hellos.get('server');
    const version = server?.version ?? null;
    return {
      version: version === null ? null : (versionNames.get(version) ?? `0x${version.toString(16)}`),
      offeredProtocols: client?.protocols ?? null,
      protocol: server?.protocols?.[0] ?? null,
      isCut: client?.isWhole !== true || server?.isWhole !== true,
    };
  }
}

interface Hello {
  sender: 'client' | 'server';
  /** What the server chose; null for a client's hello, which offers several. */
  version: number | null;
  /** Application protocols, all that the client offers or the one that the server chose. */
  protocols: string[] | null;
  /** Whether all of it was there. */
  isWhole: boolean;
}

const contentTypes = { handshake: 22 } as const;
const handshakeTypes = { clientHello: 1, serverHello: 2 } as const;
const extensionTypes = { applicationProtocols: 16, supportedVersions: 43 } as const;
const sessionHeaderBytes = 4;

/**
 * The hello that a TLS stream begins with, or what there is of it; null when it begins with anything else.
 * RFC 8446, 4.1; RFC 5246, 7.4.1; RFC 7301.
 */
function readHello(stream: Uint8Array): Hello | null {
  const handshake = joinRecords(stream);
  const reader = new ByteReader(handshake);
  const type = reader.readNumber(1);
  if (type !== handshakeTypes.clientHello && type !== handshakeTypes.serverHello) return null;
  const length = reader.readNumber(3);
  const isWhole = length !== null && handshake.length >= sessionHeaderBytes + length;
  const body = new ByteReader(
    isWhole
      ? handshake.subarray(sessionHeaderBytes, sessionHeaderBytes + length)
      : handshake.subarray(sessionHeaderBytes),
  );

  const isClient = type === handshakeTypes.clientHello;
  const legacyVersion = body.readNumber(2);
  body.readBytes(32); // random
  body.readVector(1); // session id
  if (isClient) {
    body.readVector(2); // cipher suites
    body.readVector(1); // compression methods
  } else {
    body.readBytes(3);
  }
  const extensions = readExtensions(body.readCutVector(2).bytes);
  const protocols = extensions.get(extensionTypes.applicationProtocols);
  const chosenVersion = extensions.get(extensionTypes.supportedVersions);
  // Without all extensions, the one that shows TLS 1.3 may be among the missing.
  const version =
    chosenVersion === undefined ? (isWhole ? legacyVersion : null) : new ByteReader(chosenVersion).readNumber(2);
  return {
    sender: isClient ? 'client' : 'server',
    version: isClient ? null : version,
    protocols: protocols === undefined ? null : readProtocols(protocols),
    isWhole,
  };
}

/** The handshake bytes of the records that the stream begins with. */
function joinRecords(stream: Uint8Array): Uint8Array {
  const parts: number[] = [];
  const reader = new ByteReader(stream);
  while (!reader.isAtEnd && reader.readNumber(1) === contentTypes.handshake) {
    reader.readBytes(2); // legacy version
    parts.push(...reader.readCutVector(2).bytes);
  }
  return Uint8Array.from(parts);
}

function readExtensions(bytes: Uint8Array): Map<number, Uint8Array> {
  const extensions = new Map<number, Uint8Array>();
  const reader = new ByteReader(bytes);
  while (!reader.isAtEnd) {
    const type = reader.readNumber(2);
    const body = reader.readVector(2);
    if (type !== null && body !== null) extensions.set(type, body);
  }
  return extensions;
}

function readProtocols(body: Uint8Array): string[] {
  const list = new ByteReader(new ByteReader(body).readVector(2) ?? new Uint8Array(0));
  const protocols: string[] = [];
  while (!list.isAtEnd) {
    const name = list.readVector(1);
    // Printable ASCII in all that is registered; anything else (GREASE) is shown in hexadecimal.
    if (name !== null)
      protocols.push(
        name.every((byte) => byte > 0x20 && byte < 0x7f)
          ? String.fromCharCode(...name)
          : `0x${Array.from(name, (byte) => byte.toString(16).padStart(2, '0')).join('')}`,
      );
  }
  return protocols;
}

/** Reads fields one after the other from bytes that may end too early: then every further field is null. */
class ByteReader {
  readonly #bytes: Uint8Array;
  #offset = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#offset >= this.#bytes.length;
  }

  /** A big-endian number of `byteCount` bytes. */
  readNumber(byteCount: number): number | null {
    const field = this.readBytes(byteCount);
    return field === null ? null : field.reduce((number, byte) => number * 256 + byte, 0);
  }

  readBytes(byteCount: number): Uint8Array | null {
    if (this.#offset + byteCount > this.#bytes.length) {
      this.#offset = this.#bytes.length;
      return null;
    }
    this.#offset += byteCount;
    return this.#bytes.subarray(this.#offset - byteCount, this.#offset);
  }

  /** Bytes after their own length, as TLS writes its vectors. */
  readVector(lengthBytes: number): Uint8Array | null {
    const length = this.readNumber(lengthBytes);
    return length === null ? null : this.readBytes(length);
  }

  /** As `readVector`, but what there is of a vector that is cut off. */
  readCutVector(lengthBytes: number): { bytes: Uint8Array; isWhole: boolean } {
    const length = this.readNumber(lengthBytes);
    if (length === null) return { bytes: new Uint8Array(0), isWhole: false };
    const bytes = this.#bytes.subarray(this.#offset, this.#offset + length);
    this.#offset += length;
    return { bytes, isWhole: bytes.length === length };
  }
}
