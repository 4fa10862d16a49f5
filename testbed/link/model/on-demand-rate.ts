import type { RateOnDemand } from '#core/evaluation/link-profile-demand.ts';
import { Fifo } from './fifo.ts';
import type { RateSegment, RateSource } from './rate-source.ts';

/** What a terminal requested at the end of a frame. */
interface CapacityRequest {
  grantedFromMs: number;
  rateKbps: number;
  volumeBytes: number;
}

/**
 * The rate of a link whose capacity is assigned on demand. At the end of each frame a request is made for the rate at which
 * packets arrived in that frame (rate-based), and for the bytes that wait and were not requested yet (volume-based). It is
 * granted from the first frame on that begins `grantDelayMs` later: a rate for one frame, a volume until it is used up.
 * A granted slot is gone when its frame ends, whether or not there was something to send, as in DVB-RCS.
 */
export class OnDemandRate implements RateSource {
  readonly #demand: RateOnDemand;
  readonly #grantDelayMs: number;
  readonly #requests = new Fifo<CapacityRequest>();
  #frameStartMs: number;
  #frameKbps: number;
  #arrivedBytes = 0;
  /** Packets are cut into slots: what was sent of one waits no more. */
  #waitingBits = 0;
  /** Requested or granted, and not yet assigned to a frame. */
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
  }

  noteSent(bits: number): void {
    this.#waitingBits = Math.max(0, this.#waitingBits - bits);
  }

  #advance(ms: number): void {
    const { frameMs } = this.#demand;
    while (ms >= this.#frameStartMs + frameMs) {
      this.#request(this.#frameStartMs + frameMs);
      this.#frameStartMs += frameMs;
      this.#frameKbps = this.#grant();
      if (this.#isIdle()) this.#frameStartMs += Math.floor((ms - this.#frameStartMs) / frameMs) * frameMs;
    }
  }

  #request(atMs: number): void {
    const { frameMs, rateBasedMaxKbps, volumeBasedMaxKbps } = this.#demand;
    const rateKbps = Math.min(rateBasedMaxKbps, (this.#arrivedBytes * 8) / frameMs);
    const volumeBytes = volumeBasedMaxKbps > 0 ? Math.max(0, Math.ceil(this.#waitingBits / 8) - this.#askedBytes) : 0;
    this.#arrivedBytes = 0;
    if (rateKbps === 0 && volumeBytes === 0) return;
    this.#askedBytes += volumeBytes;
    this.#requests.add({ grantedFromMs: atMs + this.#grantDelayMs, rateKbps, volumeBytes });
  }

  /** The rate of the frame that begins. */
  #grant(): number {
    const { constantKbps, frameMs, volumeBasedMaxKbps } = this.#demand;
    let rateKbps = 0;
    for (
      let next = this.#requests.peek();
      next && next.grantedFromMs <= this.#frameStartMs;
      next = this.#requests.peek()
    ) {
      rateKbps = next.rateKbps;
      this.#grantedVolumeBytes += next.volumeBytes;
      this.#requests.take();
    }
    const volumeBytes = Math.min(this.#grantedVolumeBytes, (volumeBasedMaxKbps * frameMs) / 8);
    this.#grantedVolumeBytes -= volumeBytes;
    this.#askedBytes -= volumeBytes;
    return constantKbps + rateKbps + (volumeBytes * 8) / frameMs;
  }

  /** Nothing waits, nothing is requested: every frame until the next arrival is like this one. */
  #isIdle(): boolean {
    return (
      this.#waitingBits === 0 &&
      this.#requests.length === 0 &&
      this.#grantedVolumeBytes === 0 &&
      this.#arrivedBytes === 0
    );
  }
}
