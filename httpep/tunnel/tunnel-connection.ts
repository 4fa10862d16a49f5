import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { ConnectionCounts } from '../counters/counter-help.ts';
import type { Ports } from '../counters/retransmission-reader.ts';
import type { Moment } from '../pacer/trial.ts';
import { encodeFrame, frameTypes, type Frame, headerBytes, type FrameType } from './frame.ts';
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

/** How many bytes of a connection may be unacknowledged: what is kept to be sent again. */
const unackedLimitBytes = 2 * 1024 * 1024;

/** Length of the total in an acknowledgement. */
const reportBytes = 6;

export interface ConnectionListener {
  onFrame(frame: Frame): void;
  /** Bytes came. */
  onHeard(): void;
  /** Their frames were handed over. */
  onReceived(bytes: number): void;
  /** The other end reports what it had by all connections at a moment of its clock. */
  onReport(report: Moment): void;
  /** From a ping to its pong, in milliseconds. */
  onRoundTrip(ms: number): void;
  /** There may be room for more. */
  onRoom(): void;
  /** Once. */
  onClose(connection: TunnelConnection): void;
}

/** One connection of a tunnel, whose other end has proved that it knows the key. */
export class TunnelConnection {
  /** Which of the tunnel's connections it is, from 0. */
  readonly slot: number;
  /** Which life of the other end it belongs to. */
  readonly session: string;
  /** Of its slot. */
  readonly counts: ConnectionCounts;
  readonly #socket: Duplex;
  readonly #listener: ConnectionListener;
  readonly #clock: () => number;
  readonly #reader = new FrameReader();
  readonly #unacked: { endsAt: number; bytes: Buffer }[] = [];
  #sentBytes = 0;
  #ackedBytes = 0;
  #receivedBytes = 0;
  #reportedBytes = 0;
  #owesAck = false;
  #retransmissions = 0;
  #isOpen = true;
  /** When the ping was sent that has no pong yet. */
  #pingedMs: number | null = null;

  constructor(
    socket: Duplex,
    options: {
      slot: number;
      session: string;
      counts: ConnectionCounts;
      /** In milliseconds. Never goes back. */
      clock: () => number;
      listener: ConnectionListener;
    },
  ) {
    this.slot = options.slot;
    this.session = options.session;
    this.counts = options.counts;
    this.#socket = socket;
    this.#listener = options.listener;
    this.#clock = options.clock;
    socket.on('data', (chunk: Buffer) => this.#read(chunk));
    socket.on('end', () => this.close());
    socket.on('error', () => this.close());
    socket.on('close', () => this.close());
    socket.resume();
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Since it was opened. */
  get sentBytes(): number {
    return this.#sentBytes;
  }

  /** Of these, what the other end has. */
  get ackedBytes(): number {
    return this.#ackedBytes;
  }

  get unackedBytes(): number {
    return this.#sentBytes - this.#ackedBytes;
  }

  /** Of its TCP connection; null where it is none, or closed. */
  get ports(): Ports | null {
    if (!(this.#socket instanceof Socket)) return null;
    const { localPort: local, remotePort: remote } = this.#socket;
    return local === undefined || remote === undefined ? null : { local, remote };
  }

  /** Segments that the kernel has sent again since the connection was opened: the slot's counter gets what is new. */
  noteRetransmissions(total: number): void {
    this.counts.retransmissions = (this.counts.retransmissions ?? 0) + total - this.#retransmissions;
    this.#retransmissions = total;
  }

  /** Whether it takes more, when at most `bufferedBytes` may wait before the kernel. */
  hasRoom(bufferedBytes: number): boolean {
    return this.#isOpen && this.#socket.writableLength <= bufferedBytes && this.unackedBytes < unackedLimitBytes;
  }

  /** Sends a frame, and keeps it until it is acknowledged. */
  send(bytes: Buffer): void {
    this.#write(bytes);
    this.#unacked.push({ endsAt: this.#sentBytes, bytes });
  }

  /** Asks the other end for a sign of life, unless it is asked already: a second ping could not come before the first. */
  ping(): void {
    if (this.#pingedMs !== null) return;
    this.#pingedMs = this.#clock();
    this.#write(encodeFrame({ type: frameTypes.ping, stream: 0, offset: 0 }));
  }

  /** Whether it received frames of streams that it has not acknowledged. */
  get owesAck(): boolean {
    return this.#owesAck && this.#isOpen;
  }

  get unreportedBytes(): number {
    return this.#receivedBytes - this.#reportedBytes;
  }

  /** Acknowledges what came, with a report on all connections. */
  acknowledge({ bytes, atMs }: Moment): void {
    if (!this.#isOpen) return;
    this.#owesAck = false;
    this.#reportedBytes = this.#receivedBytes;
    const payload = Buffer.alloc(reportBytes);
    payload.writeUIntBE(bytes, 0, reportBytes);
    const stream = Math.round(atMs * 1000);
    this.#write(encodeFrame({ type: frameTypes.ack, stream, offset: this.#receivedBytes, payload }));
  }

  /** The frames that may not have arrived, in their order. */
  takeUnacked(): Buffer[] {
    return this.#unacked.splice(0).map(({ bytes }) => bytes);
  }

  close(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#socket.destroy();
    this.#listener.onClose(this);
  }

  #write(bytes: Buffer): void {
    this.#sentBytes += bytes.length;
    this.counts.framesSent += 1;
    this.counts.bytesSent += bytes.length;
    this.#socket.write(bytes, () => {
      if (this.#isOpen) this.#listener.onRoom();
    });
  }

  #read(chunk: Buffer): void {
    if (!this.#isOpen) return;
    this.#receivedBytes += chunk.length;
    this.counts.bytesReceived += chunk.length;
    this.#listener.onHeard();
    try {
      for (const frame of this.#reader.read(chunk)) {
        this.counts.framesReceived += 1;
        this.#take(frame);
      }
    } catch {
      // The other end does not keep to the protocol: what it sends cannot be trusted any more.
      this.close();
    }
    this.#listener.onReceived(chunk.length);
  }

  #take(frame: Frame): void {
    switch (frame.type) {
      case frameTypes.ack:
        this.#listener.onReport({ bytes: frame.payload.readUIntBE(0, reportBytes), atMs: frame.stream / 1000 });
        this.#forgetUntil(frame.offset);
        return;
      case frameTypes.ping:
        this.#write(encodeFrame({ type: frameTypes.pong, stream: 0, offset: 0 }));
        return;
      case frameTypes.pong:
        if (this.#pingedMs !== null) this.#listener.onRoundTrip(this.#clock() - this.#pingedMs);
        this.#pingedMs = null;
        return;
      default:
        this.#owesAck = true;
        this.#listener.onFrame(frame);
    }
  }

  #forgetUntil(total: number): void {
    this.#ackedBytes = Math.min(this.#sentBytes, Math.max(this.#ackedBytes, total));
    const kept = this.#unacked.findIndex(({ endsAt }) => endsAt > this.#ackedBytes);
    this.#unacked.splice(0, kept === -1 ? this.#unacked.length : kept);
    this.#listener.onRoom();
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
