import { actAfter, type Time } from '#core/clock/time.ts';
import type { Pacer } from '../pacer/pacer.ts';
import type { Flow } from '../scheduler/flow.ts';
import type { Moment } from '../pacer/trial.ts';
import type { Scheduler } from '../scheduler/scheduler.ts';
import type { TunnelConnection } from './tunnel-connection.ts';
import type { TunnelStream } from './tunnel-stream.ts';

/**
 * Reads the reports of the other end in bytes that its connections have sent. The other end counts since its own start, and also what
 * came by connections that are gone.
 */
class ArrivalReports {
  readonly #connections: ReadonlySet<TunnelConnection>;
  #last: Moment | null = null;
  /** What the other end counts beyond the connections that there are, at most. */
  #beyondBytes = Infinity;

  constructor(connections: ReadonlySet<TunnelConnection>) {
    this.#connections = connections;
  }

  /**
   * What had arrived of the bytes that the connections sent. Null for a report that says nothing new, and while too little is known.
   * Called before what comes with the report is acknowledged: by then the connections have acknowledged what the last report covered.
   */
  read(report: Moment): Moment | null {
    if (this.#last && report.atMs <= this.#last.atMs) return null;
    // An acknowledgement may be late: then it looks like more.
    if (this.#last)
      this.#beyondBytes = Math.min(this.#beyondBytes, this.#last.bytes - sumOf(this.#connections, 'ackedBytes'));
    this.#last = report;
    return Number.isFinite(this.#beyondBytes) ? { bytes: report.bytes - this.#beyondBytes, atMs: report.atMs } : null;
  }

  /** Of the connections that there are. */
  get sentBytes(): number {
    return sumOf(this.#connections, 'sentBytes');
  }

  /** A connection is gone, or the other end was started again. */
  restart(): void {
    this.#last = null;
    this.#beyondBytes = Infinity;
  }
}

export interface SenderOptions {
  connections: ReadonlySet<TunnelConnection>;
  scheduler: Scheduler;
  /** Null: as fast as TCP lets it. */
  pacer: Pacer | null;
  /** The longest piece of a stream that is sent before another stream may send. */
  chunkBytes: () => number;
  time: Time;
}

/** What may wait before the kernel when nothing is paced. */
const bufferedBytes = 64 * 1024;
/** TCP acknowledges two segments at once, if they come by one connection. */
const piecesInRow = 2;

/** Chooses what a tunnel sends next, when, and by which of its connections. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #reports: ArrivalReports;
  readonly #streamOf = new Map<Flow, TunnelStream>();
  /** Sent before everything else: control frames, and what has to be sent again. */
  #urgent: Buffer[] = [];
  #isWaiting = false;
  readonly #end = new AbortController();
  /** By which connection the last pieces went, and how many. */
  #row: { connection: TunnelConnection; pieces: number } | null = null;
  #isPumping = false;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#reports = new ArrivalReports(options.connections);
  }

  addUrgent(frames: readonly Buffer[]): void {
    this.#urgent.push(...frames);
  }

  dropUrgent(): void {
    this.#urgent = [];
  }

  /** The stream may have something to send. */
  wake(stream: TunnelStream): void {
    if (!stream.hasToSend) return;
    this.#streamOf.set(stream.flow, stream);
    this.#options.scheduler.add(stream.flow);
    this.pump();
  }

  forget(stream: TunnelStream): void {
    this.#options.scheduler.remove(stream.flow);
    this.#streamOf.delete(stream.flow);
  }

  /** The other end reports what has arrived: before it is acknowledged. */
  noteReport(report: Moment): void {
    const arrival = this.#options.pacer?.estimator && this.#reports.read(report);
    if (arrival) this.#options.pacer!.estimator!.noteArrival(arrival, this.#options.time.clock());
  }

  /** A connection is gone. */
  noteLoss(): void {
    this.#reports.restart();
    this.#options.pacer?.estimator?.restart();
  }

  /** Waits for no later moment to send. */
  stop(): void {
    this.#end.abort();
  }

  /** Sends what may be sent now. */
  pump(): void {
    if (this.#isPumping) return;
    this.#isPumping = true;
    try {
      while (this.#sendOne());
    } finally {
      this.#isPumping = false;
    }
  }

  #sendOne(): boolean {
    const connection = this.#findRoom();
    if (!connection || !this.#isTime()) return false;
    const bytes = this.#urgent.shift() ?? this.#takeScheduled();
    const { pacer } = this.#options;
    if (!bytes) {
      pacer?.estimator?.noteIdle();
      return false;
    }
    const now = this.#options.time.clock();
    connection.send(bytes);
    this.#row = { connection, pieces: this.#row?.connection === connection ? this.#row.pieces + 1 : 1 };
    pacer?.estimator?.noteSent({ bytes: this.#reports.sentBytes, atMs: now });
    pacer?.spend(bytes.length, now);
    return true;
  }

  #takeScheduled(): Buffer | null {
    const { scheduler, chunkBytes } = this.#options;
    const flow = scheduler.next();
    if (!flow) return null;
    const stream = this.#streamOf.get(flow)!;
    const bytes = stream.takeFrame(chunkBytes());
    if (this.#streamOf.has(flow)) {
      scheduler.charge(flow, bytes.length);
      if (!stream.hasToSend) scheduler.remove(flow);
    }
    return bytes;
  }

  /** The one that has least on its way, so that a slow one gets less. */
  #findRoom(): TunnelConnection | null {
    const buffered = this.#options.pacer ? 0 : bufferedBytes;
    const { connections } = this.#options;
    const row = this.#row;
    if (row && row.pieces % piecesInRow > 0 && connections.has(row.connection) && row.connection.hasRoom(buffered))
      return row.connection;
    let best: TunnelConnection | null = null;
    for (const connection of connections) {
      if (connection.hasRoom(buffered) && (!best || connection.unackedBytes < best.unackedBytes)) best = connection;
    }
    return best;
  }

  #isTime(): boolean {
    const waitMs = this.#options.pacer?.waitMs(this.#options.time.clock()) ?? 0;
    if (waitMs < 0.5) return true;
    if (!this.#isWaiting) this.#waitFor(waitMs);
    return false;
  }
  #waitFor(durationMs: number): void {
    const wakeUp = () => {
      this.#isWaiting = false;
      this.pump();
    };
    this.#isWaiting = true;
    actAfter(durationMs, wakeUp, { sleep: this.#options.time.sleep, signal: this.#end.signal });
  }
}

function sumOf(connections: ReadonlySet<TunnelConnection>, count: 'sentBytes' | 'ackedBytes'): number {
  let sum = 0;
  for (const connection of connections) sum += connection[count];
  return sum;
}
