import { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { realTime, type Time } from '#core/clock/time.ts';
import type { Pacer } from '../pacer/pacer.ts';
import type { WatchedConnection } from '../counters/retransmission-reader.ts';
import { type ConnectionCounts, connectionHelp } from '../counters/counter-help.ts';
import { Acknowledger } from './acknowledger.ts';
import { ranks, type Flow } from '../scheduler/flow.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import { encodeFrame, frameTypes, type Frame } from './frame.ts';
import { Sender } from './sender.ts';
import { TunnelConnection } from './tunnel-connection.ts';
import { TunnelError } from './tunnel-error.ts';
import { TunnelStream, type StreamEnding } from './tunnel-stream.ts';

/** How many streams the other end may open while an earlier one is still on its way. */
const reach = 65_536;

/** The streams that the other end has opened so far, so that what is sent again does not open one again. Bounded. */
class SeenStreams {
  readonly #ids = new Set<number>();
  #floor = 0;

  has(id: number): boolean {
    return id <= this.#floor || this.#ids.has(id);
  }

  /** The other end counts from the start again. */
  clear(): void {
    this.#ids.clear();
    this.#floor = 0;
  }

  add(id: number): void {
    this.#ids.add(id);
    if (this.#ids.size <= 2 * reach) return;
    const sorted = [...this.#ids].sort((one, other) => one - other);
    for (const old of sorted.slice(0, reach)) this.#ids.delete(old);
    this.#floor = sorted[reach - 1]!;
  }
}

export interface TunnelOptions {
  /** The remote end opens odd streams, the ground end even ones. */
  end: 'remote' | 'ground';
  scheduler: Scheduler;
  /** Null: as fast as TCP lets it. */
  pacer: Pacer | null;
  /** The longest piece of a stream that is sent before another stream may send. */
  chunkBytes: () => number;
  /** How many streams may be open. More that the other end opens are reset. */
  maxStreams: number;
  /** Of this process unless given. */
  time?: Time;
}

interface TunnelEvents {
  /** The other end opened a stream. */
  stream: [TunnelStream];
  /** A connection closed, and none is left. */
  bare: [];
  /** All that was under way is lost. */
  lost: [];
  heard: [];
  /** So many milliseconds from a ping to its pong, or from the first word of a greeting to its answer. */
  roundTrip: [number];
}

/** What all windows together may have beyond their first size. */
const maxWidenedBytes = 64 * 1024 * 1024;

/**
 * Streams of bytes between two ends over several connections. Any connection carries any piece. What a lost connection may not have
 * delivered is sent again by another.
 */
export class Tunnel extends EventEmitter<TunnelEvents> {
  readonly #options: TunnelOptions;
  readonly #time: Time;
  readonly #connections = new Set<TunnelConnection>();
  readonly #sender: Sender;
  readonly #acknowledger: Acknowledger;
  readonly #streams = new Map<number, TunnelStream>();
  readonly #seen = new SeenStreams();
  /** Whose stop came before what opens them. */
  readonly #stopped = new Set<number>();
  readonly #connectionCounts = new Map<number, ConnectionCounts>();
  #session: string | null = null;
  #nextId: number;
  #order = 0;
  #widenedBytes = 0;

  constructor(options: TunnelOptions) {
    super();
    this.#options = options;
    this.#time = options.time ?? realTime;
    this.#sender = new Sender({ ...options, connections: this.#connections, time: this.#time });
    this.#acknowledger = new Acknowledger(this.#connections, this.#time);
    this.#nextId = options.end === 'remote' ? 1 : 2;
  }

  get connectionCount(): number {
    return this.#connections.size;
  }

  /** By slot, since the start. */
  get connectionCounts(): ReadonlyMap<number, ConnectionCounts> {
    return this.#connectionCounts;
  }

  get watchedConnections(): WatchedConnection[] {
    return [...this.#connections];
  }

  get streamCount(): number {
    return this.#streams.size;
  }

  /** A stream to the other end, also while no connection stands: what is written then waits. */
  open(flow: Omit<Flow, 'order'>): TunnelStream {
    const id = this.#nextId;
    this.#nextId += 2;
    return this.#addStream(id, flow);
  }

  /**
   * Uses a connection whose other end has proved that it knows the key. `session` names a life of the other end: when it changes, what
   * was under way is lost, and all streams but fresh ones are destroyed. Replaces an older connection of the same slot. The end that
   * greeted first knows how long the answer took.
   */
  attach(
    socket: Duplex,
    { slot, session, roundTripMs }: { slot: number; session: string; roundTripMs?: number },
  ): void {
    if (this.#session !== null && this.#session !== session) this.#loseSession();
    this.#session = session;
    const counts = this.#connectionCounts.get(slot) ?? makeConnectionCounts();
    this.#connectionCounts.set(slot, counts);
    counts.opened += 1;
    const connection: TunnelConnection = new TunnelConnection(socket, {
      slot,
      counts,
      session,
      clock: this.#time.clock,
      listener: {
        onFrame: (frame) => this.#take(frame),
        onHeard: () => this.emit('heard'),
        onReceived: (bytes) => this.#acknowledger.note(connection, bytes),
        onReport: (report) => this.#sender.noteReport(report),
        onRoundTrip: (ms) => this.emit('roundTrip', ms),
        onRoom: () => this.#sender.pump(),
        onClose: (closed) => this.#drop(closed),
      },
    });
    this.#connections.add(connection);
    // Only now: the tunnel is not without a connection meanwhile.
    for (const old of [...this.#connections]) if (old.slot === slot && old !== connection) old.close();
    // The greeting came from the other end.
    this.emit('heard');
    if (roundTripMs !== undefined) this.emit('roundTrip', roundTripMs);
    this.#sender.pump();
  }

  /** Gives up a stream that the other end is to open, if it has not yet. */
  refuse(id: number): void {
    if (this.#streams.has(id) || this.#seen.has(id)) return;
    this.#seen.add(id);
    this.#sendUrgent({ type: frameTypes.reset, stream: id, offset: 0 });
  }

  /** Asks for a sign of life by every connection. */
  ping(): void {
    for (const connection of this.#connections) connection.ping();
  }

  /** Closes the connections. Their unacknowledged frames are sent again by new ones. */
  disconnect(): void {
    for (const connection of [...this.#connections]) connection.close();
  }

  /** Destroys what is under way. New streams may be opened. */
  giveUp(): void {
    const error = new TunnelError('lost', 'The other end of the tunnel does not answer');
    for (const stream of [...this.#streams.values()]) stream.destroy(error);
    this.emit('lost');
  }

  destroy(error: TunnelError): void {
    this.#sender.stop();
    this.#acknowledger.stop();
    for (const stream of [...this.#streams.values()]) stream.destroy(error);
    this.#sender.dropUrgent();
    this.disconnect();
  }

  #addStream(id: number, flow: Omit<Flow, 'order'>): TunnelStream {
    const stream = new TunnelStream(id, {
      flow: { ...flow, order: this.#order++ },
      clock: this.#time.clock,
      host: {
        wake: (woken) => this.#sender.wake(woken),
        grant: ({ id: stream }, limit) => this.#sendUrgent({ type: frameTypes.window, stream, offset: limit }),
        widen: (bytes) => this.#widen(bytes),
        forget: (forgotten, ending) => this.#forget(forgotten, ending),
      },
    });
    this.#streams.set(id, stream);
    return stream;
  }

  /** Takes bytes of what windows may have beyond their first size; less than 0 gives them back. */
  #widen(bytes: number): boolean {
    if (this.#widenedBytes + bytes > maxWidenedBytes) return false;
    this.#widenedBytes += bytes;
    return true;
  }

  #forget(stream: TunnelStream, ending: StreamEnding): void {
    if (!this.#streams.delete(stream.id)) return;
    this.#sender.forget(stream);
    if (ending === 'stopped') this.#sendUrgent({ type: frameTypes.stop, stream: stream.id, offset: 0 });
    if (ending === 'reset') this.#sendUrgent({ type: frameTypes.reset, stream: stream.id, offset: 0 });
  }

  #sendUrgent(frame: { type: Frame['type']; stream: number; offset: number }): void {
    if (this.#connections.size === 0 && this.#session === null) return;
    this.#sender.addUrgent([encodeFrame(frame)]);
    this.#sender.pump();
  }

  #take({ type, stream: id, offset, payload }: Frame): void {
    const stream = this.#streams.get(id) ?? this.#openByPeer(id, type);
    if (!stream) return;
    switch (type) {
      case frameTypes.data:
      case frameTypes.end:
        stream.receive(offset, payload);
        if (type === frameTypes.end) stream.receiveEnd(offset + payload.length);
        return;
      case frameTypes.window:
        stream.allow(offset);
        return;
      case frameTypes.stop:
        this.#options.scheduler.remove(stream.flow);
        stream.stop();
        return;
      case frameTypes.reset:
        stream.destroy(new TunnelError('reset', 'The other end of the tunnel gave the stream up'));
    }
  }

  /** Null for a stream that is over already, or one too many. */
  #openByPeer(id: number, type: Frame['type']): TunnelStream | null {
    const isOwn = (id % 2 === 1) === (this.#options.end === 'remote');
    if (isOwn || this.#seen.has(id)) return null;
    // A window or a stop may overtake what opens the stream.
    if (type === frameTypes.stop && this.#stopped.size < this.#options.maxStreams) this.#stopped.add(id);
    if (type === frameTypes.window || type === frameTypes.stop) return null;
    this.#seen.add(id);
    const isStopped = this.#stopped.delete(id);
    if (type === frameTypes.reset) return null;
    if (this.#streams.size >= this.#options.maxStreams) {
      this.#sendUrgent({ type: frameTypes.reset, stream: id, offset: 0 });
      return null;
    }
    const stream = this.#addStream(id, { user: '', userClass: '', rank: ranks.other });
    this.emit('stream', stream);
    if (isStopped) this.#take({ type: frameTypes.stop, stream: id, offset: 0, payload: Buffer.alloc(0) });
    return stream.destroyed ? null : stream;
  }

  #loseSession(): void {
    this.#sender.dropUrgent();
    for (const connection of [...this.#connections]) {
      connection.takeUnacked();
      connection.close();
    }
    const error = new TunnelError('lost', 'The other end of the tunnel was started again');
    for (const stream of [...this.#streams.values()]) if (!stream.isFresh) stream.destroy(error);
    this.#sender.dropUrgent();
    this.#seen.clear();
    this.#stopped.clear();
    this.emit('lost');
  }

  #drop(connection: TunnelConnection): void {
    if (!this.#connections.delete(connection)) return;
    const unacked = connection.takeUnacked();
    connection.counts.framesResent += unacked.length;
    this.#sender.noteLoss();
    this.#sender.addUrgent(unacked);
    if (this.#connections.size === 0) this.emit('bare');
    else this.#sender.pump();
  }
}

function makeConnectionCounts(): ConnectionCounts {
  return Object.fromEntries(
    Object.keys(connectionHelp).flatMap((name) => (name === 'retransmissions' ? [] : [[name, 0]])),
  ) as ConnectionCounts;
}
