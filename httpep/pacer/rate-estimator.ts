import { Trial, type Moment } from './trial.ts';

/** How long a value is remembered, at least; at most twice as long. */
const rememberedMs = 30_000;

/** The least of the values of the last half to whole minute in which there were some. `nowMs` is of one clock that never goes back. */
class RecentLeast {
  #since = -Infinity;
  #before = Infinity;
  #now = Infinity;

  /** Infinity without any. */
  get value(): number {
    return Math.min(this.#before, this.#now);
  }

  note(value: number, nowMs: number): void {
    if (nowMs - this.#since > rememberedMs) {
      this.#since = nowMs;
      this.#before = this.#now;
      this.#now = value;
    } else {
      this.#now = Math.min(this.#now, value);
    }
  }

  forget(): void {
    this.#before = this.#now = Infinity;
  }
}

/** A trial is long enough to be judged if the other end reports some times while it arrives: after so long and so many bytes. */
const trialMs = 400;
const trialBytes = 64 * 1024;
/** On a slow link, a trial is also long enough after so long and so many bytes. */
const slowTrialMs = 800;
const slowTrialBytes = 20 * 1448;
/** What waits so long, and two full segments more, waits in the queue of the link. */
const queuedMs = 30;
const queuedBits = 2 * 1514 * 8;
/** Bytes that arrive at less than this share of the rate at which they were sent may have filled the link. */
const carriedRatio = 0.93;
/** Rates that differ by more than this differ. */
const clearRatio = 0.01;
/** One of so many trials finds out whether the link has become faster. */
const trialsPerProbe = 4;
/** By so much such a trial is faster than the estimate. The gain grows while trials get through, up to that of TCP's slow start. */
const probeGain = 1.25;
const maxProbeGain = 2;
/** While the link's queue is too long. */
const drainGain = 0.5;
/** While more is on its way than a link of the probed rate would hold. */
const holdGain = 0.1;
/** A change up to this share may be noise: half of it is believed. */
const noiseRatio = 0.1;
/** TCP begins with so many bits by each connection: ten segments of Ethernet's size. */
const firstBits = 10 * 1514 * 8;
/** The other end reports at most so late. What it has and has not reported does not wait in the link. */
const reportMs = 200;

/**
 * Estimates the rate of a link whose bottleneck is ours alone, from what arrives. What is sent is cut into trials. A trial that arrives
 * as fast as it was sent shows that the link carries that rate; one that arrives more slowly shows the link's rate. Trials for which
 * there was too little to send show nothing. All rates are in kb/s with the headers of Ethernet, IP and TCP; all times are in ms. `nowMs`
 * is of one clock that never goes back.
 */
export class RateEstimator {
  #kbps = firstBits / 1000;
  /** Above probeGain while trials get through. */
  #probeGain = maxProbeGain;
  #isFirstGuess = true;
  #sentBytes = 0;
  /** Null: not reported since the start. */
  #arrivedBytes: number | null = null;
  readonly #roundTrips = new RecentLeast();
  /** From sending to arrival. The clocks of both ends differ by what is always the same. */
  readonly #delays = new RecentLeast();
  #trial: Trial | null = null;
  /** Sent, and not yet judged; oldest first. */
  #pending: Trial[] = [];
  #trialsSinceProbe = 0;
  /** What a single trial showed that was lower: it is believed once a second one shows it. */
  #lowerKbps: number | null = null;

  /** The estimate. While it grows, the link has carried at least this. */
  get kbps(): number {
    return this.#kbps;
  }

  /** Sets the first guess to what TCP would begin with, as long as nothing was measured. */
  guess({ roundTripMs, connections }: { roundTripMs: number; connections: number }): void {
    if (!this.#isFirstGuess) return;
    this.#kbps = (firstBits * connections) / (roundTripMs + reportMs) / maxProbeGain;
  }

  /** How fast to send now, relative to the estimate. */
  get gain(): number {
    if (this.#trial?.isProbe) return this.#isFull(this.#probeGain) ? holdGain : this.#probeGain;
    return this.#isFull(1) ? drainGain : 1;
  }

  /** Bytes above TCP were sent, all since the start counted. */
  noteSent(sent: Moment): void {
    this.#sentBytes = sent.bytes;
    this.#trial ??= this.#startTrial();
    this.#trial.noteSent(sent);
    if (!isLongEnough(this.#trial)) return;
    this.#pending.push(this.#trial);
    this.#trial = null;
  }

  /** Nothing is left to send: a trial that is not complete shows nothing. */
  noteIdle(): void {
    this.#trial = null;
  }

  /**
   * The other end reports what it has of these bytes, and when the last of them came, by a clock of its own. Reports may leave arrivals
   * out, but come in order.
   */
  noteArrival(arrival: Moment, nowMs: number): void {
    this.#arrivedBytes = arrival.bytes;
    for (const trial of [...this.#pending, ...(this.#trial ? [this.#trial] : [])]) {
      const sentAtMs = trial.noteArrival(arrival);
      if (sentAtMs === null) continue;
      this.#roundTrips.note(nowMs - sentAtMs, nowMs);
      this.#delays.note(arrival.atMs - sentAtMs, nowMs);
    }
    while (this.#pending[0]?.hasArrived) this.#judge(this.#pending.shift()!);
  }

  /** Bytes are counted from another start: a connection is gone, and its bytes with it. */
  restart(): void {
    this.#arrivedBytes = null;
    this.#delays.forget();
    this.#trial = null;
    this.#pending = [];
  }

  get #isGrowing(): boolean {
    return this.#probeGain > probeGain;
  }

  /** Whether more is on its way than a link of `gain` times the estimate holds without a queue. */
  #isFull(gain: number): boolean {
    if (this.#arrivedBytes === null || this.#roundTrips.value === Infinity) return false;
    const heldBytes = (gain * this.#kbps * (this.#roundTrips.value + reportMs)) / 8;
    return this.#sentBytes - this.#arrivedBytes > heldBytes;
  }

  #startTrial(): Trial {
    this.#trialsSinceProbe += 1;
    const isDue = this.#isGrowing || (this.#trialsSinceProbe >= trialsPerProbe && !this.#isFull(1));
    // One at a time: two would fill the link's queue twice.
    const isProbe = isDue && !this.#pending.some((trial) => trial.isProbe);
    if (isProbe) this.#trialsSinceProbe = 0;
    return new Trial({ isProbe });
  }

  #isLowerAgain(arrivedKbps: number): boolean {
    return this.#lowerKbps !== null && Math.abs(arrivedKbps / this.#lowerKbps - 1) <= noiseRatio;
  }

  #judge(trial: Trial): void {
    const measured = trial.measure();
    if (!measured) return;
    const { sentKbps, arrivedKbps, leastDelayMs, delayGrowthMs } = measured;
    this.#isFirstGuess = false;
    const queueMs = queuedMs + queuedBits / this.#kbps;
    const hasWaited = leastDelayMs - this.#delays.value > queueMs;
    // The queue grew, or was there all the time: then the link was busy, and what arrived is its rate.
    const isSaturated =
      delayGrowthMs > queueMs ||
      (hasWaited && (Math.abs(arrivedKbps / sentKbps - 1) > clearRatio || this.#isLowerAgain(arrivedKbps)));
    if (!isSaturated && arrivedKbps >= carriedRatio * sentKbps) {
      // A link that carries half of the estimate may be slower than the estimate.
      if (sentKbps > (1 - noiseRatio) * this.#kbps) this.#lowerKbps = null;
      if (!trial.isProbe || sentKbps <= this.#kbps) return;
      this.#kbps = sentKbps;
      this.#probeGain = Math.min(maxProbeGain, this.#probeGain * probeGain);
      return;
    }
    this.#probeGain = probeGain;
    const change = arrivedKbps / this.#kbps - 1;
    if (Math.abs(change) <= noiseRatio) {
      this.#kbps += (arrivedKbps - this.#kbps) / 2;
      this.#lowerKbps = null;
    } else if (change > 0) {
      // What arrives faster than it was sent waited for a lost packet, or in a queue: the link may be as slow as before.
      this.#kbps = Math.max(this.#kbps, Math.min(sentKbps, arrivedKbps));
      this.#lowerKbps = null;
    } else if (isSaturated) {
      this.#noteLower(arrivedKbps);
    }
  }

  /** One trial that is much slower may be an accident of the other end. */
  #noteLower(arrivedKbps: number): void {
    if (this.#lowerKbps === null) {
      this.#lowerKbps = arrivedKbps;
    } else {
      this.#kbps = Math.max(this.#lowerKbps, arrivedKbps);
      this.#lowerKbps = null;
    }
  }
}

function isLongEnough({ sentMs, sentBytes }: Trial): boolean {
  return (sentMs >= trialMs && sentBytes >= trialBytes) || (sentMs >= slowTrialMs && sentBytes >= slowTrialBytes);
}
