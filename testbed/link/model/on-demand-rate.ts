import type { RateOnDemand } from '#core/evaluation/network/link-profile-demand.ts';
import { CapacityCount, type CapacityUse } from './capacity-count.ts';
import { Fifo } from './fifo.ts';

/** What a terminal requested at the end of a frame. */
interface CapacityRequest {
  grantedFromMs: number;
  /** Null where the frame had no request for a rate: the last one remains. */
  rateKbps: number | null;
  volumeBytes: number;
}

/** EN 301 790, 6.6.1.2: a rate that is not requested again ends after this many frames. */
const rateTimeoutFrames = 2;

/**
 * The rate of a link whose capacity is assigned on demand. At the end of each frame two requests are made. The rate-based one is the rate at which
 * packets arrived in that frame, and a part of what waits from earlier ones, so that the queue drains. It remains until the next, or its time-out. The
 * volume-based one is for the bytes that no request covers yet. Both are granted from the first frame on that begins `grantDelayMs` later.
 * A granted slot is gone when its frame ends, whether or not there was something to send, as in DVB-RCS.
 */
export class OnDemandRate implements RateSource {
  readonly #demand: RateOnDemand;
  readonly #grantDelayMs: number;
  readonly #requests = new Fifo<CapacityRequest>();
  readonly #count = new CapacityCount();
  #frameStartMs: number;
  #frameKbps: number;
  #arrivedBytes = 0;
  /** Packets are cut into slots: what was sent of one waits no more. */
  #waitingBits = 0;
  #grantedKbps = 0;
  #grantedFrames = 0;
  /** Of rates that were requested and are not granted yet: what each covers in one frame. */
  #coveredBits = 0;
  /** Volumes that were requested or granted, and not yet assigned to a frame. */
  #askedBytes = 0;
  #grantedVolumeBytes = 0;

  constructor({ demand, grantDelayMs, startMs }: { demand: RateOnDemand; grantDelayMs: number; startMs: number }) {
    this.#demand = demand;
    this.#grantDelayMs = grantDelayMs;
    this.#frameStartMs = startMs;
    this.#frameKbps = demand.constantKbps;
  }

  segmentAt(ms: number): RateSegment {
    this.#advance(ms);
    return { kbps: this.#frameKbps, untilMs: this.#frameStartMs + this.#demand.frameMs };
  }

  noteArrival(sizeBytes: number, ms: number): void {
    this.#advance(ms);
    this.#arrivedBytes += sizeBytes;
    this.#waitingBits += sizeBytes * 8;
    this.#count.arrive();
  }

  noteSent(bits: number): void {
    this.#waitingBits = Math.max(0, this.#waitingBits - bits);
    this.#count.use(bits);
  }

  noteDropped(sizeBytes: number): void {
    this.#waitingBits = Math.max(0, this.#waitingBits - sizeBytes * 8);
  }

  beginRound(ms: number): void {
    this.#advance(ms);
    this.#count.begin();
  }

  capacityUse(ms: number): CapacityUse {
    this.#advance(ms);
    return this.#count.read();
  }

  #advance(ms: number): void {
    const { frameMs } = this.#demand;
    while (ms >= this.#frameStartMs + frameMs) {
      this.#count.endFrame(this.#frameKbps * frameMs, frameMs);
      this.#request(this.#frameStartMs + frameMs);
      this.#frameStartMs += frameMs;
      this.#frameKbps = this.#grant();
      if (this.#isIdle()) this.#skip(Math.floor((ms - this.#frameStartMs) / frameMs));
    }
  }

  #skip(frames: number): void {
    const { frameMs } = this.#demand;
    this.#count.endFrame(frames * this.#frameKbps * frameMs, frames * frameMs);
    this.#frameStartMs += frames * frameMs;
  }

  #request(atMs: number): void {
    const { frameMs, rateBasedMaxKbps, volumeBasedMaxKbps } = this.#demand;
    const arrivedBits = this.#arrivedBytes * 8;
    const refreshMs = Math.max(frameMs, this.#grantDelayMs);
    const earlierBits = Math.max(0, this.#waitingBits - arrivedBits);
    const rateKbps = Math.min(rateBasedMaxKbps, arrivedBits / frameMs + earlierBits / refreshMs);
    this.#arrivedBytes = 0;
    this.#coveredBits += rateKbps * frameMs;
    const uncoveredBytes = Math.ceil((this.#waitingBits - this.#coveredBits) / 8 - 1e-6) - this.#askedBytes;
    const volumeBytes = volumeBasedMaxKbps > 0 ? Math.max(0, uncoveredBytes) : 0;
    if (rateKbps === 0 && volumeBytes === 0) return;
    this.#askedBytes += volumeBytes;
    this.#requests.add({
      grantedFromMs: atMs + this.#grantDelayMs,
      rateKbps: rateKbps === 0 ? null : rateKbps,
      volumeBytes,
    });
  }

  /** The rate of the frame that begins. */
  #grant(): number {
    const { constantKbps, frameMs, volumeBasedMaxKbps } = this.#demand;
    for (
      let next = this.#requests.peek();
      next && next.grantedFromMs <= this.#frameStartMs;
      next = this.#requests.peek()
    ) {
      this.#requests.take();
      this.#grantedVolumeBytes += next.volumeBytes;
      if (next.rateKbps === null) continue;
      this.#coveredBits = Math.max(0, this.#coveredBits - next.rateKbps * frameMs);
      this.#grantedKbps = next.rateKbps;
      this.#grantedFrames = rateTimeoutFrames;
    }
    const rateKbps = this.#grantedFrames > 0 ? this.#grantedKbps : 0;
    this.#grantedFrames = Math.max(0, this.#grantedFrames - 1);
    const volumeBytes = Math.min(this.#grantedVolumeBytes, (volumeBasedMaxKbps * frameMs) / 8);
    this.#grantedVolumeBytes -= volumeBytes;
    this.#askedBytes -= volumeBytes;
    return constantKbps + rateKbps + (volumeBytes * 8) / frameMs;
  }

  /** Nothing waits, nothing is requested, and the frame has the constant rate alone: every frame until the next arrival is like this one. */
  #isIdle(): boolean {
    return (
      this.#waitingBits === 0 &&
      this.#requests.length === 0 &&
      this.#grantedVolumeBytes === 0 &&
      this.#arrivedBytes === 0 &&
      this.#frameKbps === this.#demand.constantKbps
    );
  }
}

/** A time in which the rate does not change. */
export interface RateSegment {
  kbps: number;
  /** Infinity when it never changes again. */
  untilMs: number;
}

/** The rate at a time, and the inputs by which it follows demand. Times never go back. */
export interface RateSource {
  segmentAt(ms: number): RateSegment;
  /** Of every packet that finds room in the queue. */
  noteArrival?(sizeBytes: number, ms: number): void;
  /** Of all that is sent, up to the time that it is asked about next. */
  noteSent?(bits: number): void;
  /** Of a packet that found room, and was dropped later. */
  noteDropped?(sizeBytes: number): void;
  /** A trace begins again; capacity that is assigned is counted from now on. */
  beginRound?(ms: number): void;
  /** What was counted up to that time. */
  capacityUse?(ms: number): CapacityUse;
}
