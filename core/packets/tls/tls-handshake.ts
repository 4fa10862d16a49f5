import { z } from 'zod';
import { readHello, type Hello } from './read-hello.ts';

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
