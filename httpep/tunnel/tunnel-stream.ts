import { Duplex } from 'node:stream';
import type { Flow } from '../scheduler/flow.ts';
import { encodeFrame, frameTypes } from './frame.ts';
import { TunnelError } from './tunnel-error.ts';

/** Puts the bytes of a stream in order, which come in pieces by any way and more than once. */
export class ByteOrder {
  /** The first byte that is missing. */
  #next = 0;
  #end: number | null = null;
  #ahead = new Map<number, Buffer>();

  /** Bytes that are in order, from the first on. */
  get orderedBytes(): number {
    return this.#next;
  }

  /** Whether all bytes came, up to the end. */
  get isWhole(): boolean {
    return this.#next === this.#end;
  }

  /** The pieces that are next in order now. Throws `protocol` for bytes after the end. */
  add(offset: number, bytes: Buffer): Buffer[] {
    if (this.#end !== null && offset + bytes.length > this.#end) throw beyondEnd();
    if (offset + bytes.length <= this.#next) return [];
    if ((this.#ahead.get(offset)?.length ?? 0) < bytes.length) this.#ahead.set(offset, bytes);
    if (offset > this.#next) return [];
    const ordered: Buffer[] = [];
    for (let piece = this.#takeNext(); piece; piece = this.#takeNext()) {
      ordered.push(piece);
      this.#next += piece.length;
    }
    return ordered;
  }

  /** Throws `protocol` for an end before bytes that came, or beside another one. */
  endAt(offset: number): void {
    const last = Math.max(this.#next, ...[...this.#ahead].map(([start, piece]) => start + piece.length));
    if ((this.#end !== null && this.#end !== offset) || last > offset) throw beyondEnd();
    this.#end = offset;
  }

  /** Copies are not made: a piece is usually what came. */
  #takeNext(): Buffer | null {
    const exact = this.#ahead.get(this.#next);
    if (exact) {
      this.#ahead.delete(this.#next);
      return exact;
    }
    for (const [start, piece] of this.#ahead) {
      if (start > this.#next) continue;
      this.#ahead.delete(start);
      if (start + piece.length > this.#next) return piece.subarray(this.#next - start);
    }
    return null;
  }
}

/** How many bytes of a stream may be on their way or unread, at first, … */
export const windowBytes = 512 * 1024;
/** … and at most: 56 Mb/s at a round trip of 600 ms. */
const maxWindowBytes = 4 * 1024 * 1024;
/** A window of which half was read within so long holds the stream up: some round trips by satellite. */
const widenMs = 2000;
/** How many bytes may wait to be sent. */
const waitingBytes = 64 * 1024;

/** `stopped`: all was sent, but not all was read. `reset`: not all was sent. */
export type StreamEnding = 'whole' | 'stopped' | 'reset';

/** What a stream needs of its tunnel. */
export interface StreamHost {
  /** The stream may have something to send. */
  wake(stream: TunnelStream): void;
  /** The other end may send up to this byte. */
  grant(stream: TunnelStream, limit: number): void;
  /** Whether the window may have so many bytes more; less than 0 gives them back. */
  widen(bytes: number): boolean;
  /** The stream is over here. */
  forget(stream: TunnelStream, ending: StreamEnding): void;
}

/** One stream of bytes each way. Back pressure reaches the other end. */
export class TunnelStream extends Duplex {
  readonly id: number;
  /** How it is scheduled. May be set until the first byte is written. */
  flow: Flow;
  readonly #host: StreamHost;
  readonly #clock: () => number;
  readonly #order = new ByteOrder();
  /** In order, but nobody has read them. */
  readonly #unread: Buffer[] = [];
  #isWanted = false;
  #windowBytes = windowBytes;
  #grantedBytes = windowBytes;
  #grantedMs: number;
  #readBytes = 0;
  #hasReadAll = false;
  readonly #waiting: Buffer[] = [];
  #sentBytes = 0;
  #mayBytes = windowBytes;
  #onWritten: ((error?: Error | null) => void) | null = null;
  #onEnded: ((error?: Error | null) => void) | null = null;
  #hasEnded = false;
  #isStopped = false;

  /** `clock` is in milliseconds, and never goes back. */
  constructor(id: number, { host, flow, clock }: { host: StreamHost; flow: Flow; clock: () => number }) {
    super({ highWaterMark: waitingBytes });
    this.id = id;
    this.flow = flow;
    this.#host = host;
    this.#clock = clock;
    this.#grantedMs = clock();
  }

  /** Nothing was sent or received. */
  get isFresh(): boolean {
    return this.#sentBytes === 0 && !this.#hasEnded && this.#order.orderedBytes === 0;
  }

  get hasToSend(): boolean {
    if (this.#waiting.length > 0) return this.#sentBytes < this.#mayBytes;
    return this.#onEnded !== null;
  }

  /** The next frame, with at most this many bytes. Only while `hasToSend`. */
  takeFrame(maxBytes: number): Buffer {
    const limit = Math.min(maxBytes, this.#mayBytes - this.#sentBytes);
    const payload = takeBytes(this.#waiting, limit);
    const offset = this.#sentBytes;
    this.#sentBytes += payload.length;
    const isLast = this.#waiting.length === 0 && this.#onEnded !== null;
    const frame = encodeFrame({ type: isLast ? frameTypes.end : frameTypes.data, stream: this.id, offset, payload });
    if (isLast) this.#hasEnded = true;
    if (this.#waiting.length === 0) this.#finishWriting();
    return frame;
  }

  allow(limit: number): void {
    if (limit <= this.#mayBytes) return;
    this.#mayBytes = limit;
    this.#host.wake(this);
  }

  /** The other end has sent all, and reads no more: what is written is dropped. Emits `stopped`. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#hasEnded = true;
    this.#waiting.length = 0;
    this.#finishWriting();
    this.emit('stopped');
  }

  /** Throws `protocol` for more than was granted. */
  receive(offset: number, bytes: Buffer): void {
    if (offset + bytes.length > this.#grantedBytes) {
      throw new TunnelError('protocol', `Stream ${this.id} sends more than was granted`);
    }
    this.#unread.push(...this.#order.add(offset, bytes));
    this.#deliver();
  }

  /** Throws `protocol` for an end that contradicts what came. */
  receiveEnd(offset: number): void {
    this.#order.endAt(offset);
    this.#deliver();
  }

  override _read(): void {
    this.#isWanted = true;
    this.#deliver();
  }

  override _write(chunk: Buffer, _: BufferEncoding, callback: (error?: Error | null) => void): void {
    this.#send([chunk], callback);
  }

  override _writev(chunks: { chunk: Buffer }[], callback: (error?: Error | null) => void): void {
    this.#send(
      chunks.map(({ chunk }) => chunk),
      callback,
    );
  }

  override _final(callback: (error?: Error | null) => void): void {
    if (this.#isStopped) {
      callback();
      return;
    }
    this.#onEnded = callback;
    this.#host.wake(this);
  }

  override _destroy(error: Error | null, callback: (error: Error | null) => void): void {
    const isWhole = this.#hasReadAll || this.#isStopped;
    const ending = error || !this.#hasEnded ? 'reset' : isWhole ? 'whole' : 'stopped';
    this.#waiting.length = 0;
    this.#unread.length = 0;
    this.#host.widen(windowBytes - this.#windowBytes);
    this.#windowBytes = windowBytes;
    this.#host.forget(this, ending);
    this.#finishWriting(error ?? new TunnelError('closed', 'The stream was closed'));
    callback(error);
  }

  #finishWriting(error: Error | null = null): void {
    const written = this.#onWritten;
    const ended = this.#hasEnded || error ? this.#onEnded : null;
    this.#onWritten = null;
    if (ended) this.#onEnded = null;
    written?.(error);
    ended?.(error);
  }

  #send(chunks: Buffer[], callback: (error?: Error | null) => void): void {
    if (!this.#isStopped) this.#waiting.push(...chunks.filter(({ length }) => length > 0));
    if (this.#waiting.length === 0) {
      callback();
      return;
    }
    this.#onWritten = callback;
    this.#host.wake(this);
  }

  #deliver(): void {
    while (this.#isWanted && this.#unread.length > 0) {
      const piece = this.#unread.shift()!;
      this.#readBytes += piece.length;
      this.#isWanted = this.push(piece);
    }
    if (this.#unread.length === 0 && this.#order.isWhole && !this.#hasReadAll) {
      this.#hasReadAll = true;
      this.push(null);
    }
    if (this.#readBytes + this.#windowBytes / 2 < this.#grantedBytes || this.#hasReadAll) return;
    this.#widenIfFast();
    this.#grantedBytes = this.#readBytes + this.#windowBytes;
    this.#host.grant(this, this.#grantedBytes);
  }

  /** A reader that keeps up may have more on its way: as much as a fast link with a long delay holds. */
  #widenIfFast(): void {
    const nowMs = this.#clock();
    const isFast = nowMs - this.#grantedMs < widenMs && this.#unread.length === 0;
    this.#grantedMs = nowMs;
    if (isFast && this.#windowBytes < maxWindowBytes && this.#host.widen(this.#windowBytes)) this.#windowBytes *= 2;
  }
}

/** Up to `maxBytes` from the front, as one. */
function takeBytes(queue: Buffer[], maxBytes: number): Buffer {
  const taken: Buffer[] = [];
  let left = maxBytes;
  while (left > 0 && queue.length > 0) {
    const first = queue[0]!;
    if (first.length <= left) {
      taken.push(first);
      queue.shift();
      left -= first.length;
    } else {
      taken.push(first.subarray(0, left));
      queue[0] = first.subarray(left);
      left = 0;
    }
  }
  return taken.length === 1 ? taken[0]! : Buffer.concat(taken);
}

function beyondEnd(): TunnelError {
  return new TunnelError('protocol', 'A stream has bytes after its end');
}
