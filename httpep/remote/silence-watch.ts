import { actEvery, type Time } from '#core/clock/time.ts';
import type { Tunnel } from '../tunnel/tunnel.ts';

/** How many of the last round trips count. */
const keptCount = 8;
/** After so long without a byte, the ground end is asked for one. */
const askMs = 300;
/** With round trips up to 0.93 s, browsers get their answer within 2 s. */
const leastMs = 1700;
/** A longer round trip was no queue: the link was cut meanwhile. Until one is known, it may be as long as this. */
const longestMs = 4000;
/** By so much a queue may grow between two round trips. */
const growthFactor = 1.5;

/**
 * How long the other end may be silent until it is taken for lost: the time until it is asked, and 1.5 times the longest but one of the
 * last round trips. A queue that others fill in the link makes these longer, and the limit with them. The longest of all may be that of
 * a short cut. At the start none is known, and the first answer takes two: one to connect, and one to greet.
 */
export class SilenceLimit {
  #roundTripsMs: number[] = [];
  #mayBeFar = true;

  get isKnown(): boolean {
    return this.#roundTripsMs.length > 0;
  }

  get ms(): number {
    if (!this.isKnown && this.#mayBeFar) return askMs + growthFactor * longestMs;
    const [worstMs = 0, usualMs = worstMs] = this.#roundTripsMs.toSorted((a, b) => b - a);
    return Math.max(leastMs, askMs + growthFactor * usualMs);
  }

  /** A round trip during which nothing else was heard. */
  add(roundTripMs: number): void {
    if (roundTripMs > longestMs) return;
    this.#roundTripsMs = [...this.#roundTripsMs, roundTripMs].slice(-keptCount);
  }

  /** A connection was refused, broke before it was open, or took too long: it is no distance that explains the silence. */
  noteFailure(): void {
    this.#mayBeFar = false;
  }
}

/** How often it looks. */
const stepMs = 50;
/** After so many times the limit, connections are opened again. */
const disconnectFactor = 2.4;
/** After so long, what waits is given up. */
const giveUpMs = 60_000;

interface Watched {
  tunnel: Tunnel;
  onLost: () => void;
  time: Time;
}

/** Notices that nothing comes from the other end, while something should: as long as streams are open, and until it is back. */
export class SilenceWatch implements Disposable {
  readonly #tunnel: Tunnel;
  readonly #onLost: () => void;
  readonly #end = new AbortController();
  readonly #limit = new SilenceLimit();
  #heardMs = -Infinity;
  /** Before the byte that was heard last. */
  #silentSinceMs = -Infinity;
  /** Before, nothing was to come. */
  #waitsSinceMs: number;
  #isLost = false;
  /** Whether round trips may have changed: at the start, and after an outage. */
  #hasToAsk = true;

  constructor({ tunnel, onLost, time: { clock, sleep } }: Watched) {
    this.#tunnel = tunnel;
    this.#onLost = onLost;
    this.#waitsSinceMs = clock();
    actEvery(stepMs, () => this.#look(clock()), { sleep, signal: this.#end.signal });
    tunnel.on('heard', () => this.#hear(clock()));
    tunnel.on('roundTrip', (ms) => this.#learn(ms, clock()));
  }

  get isLost(): boolean {
    return this.#isLost;
  }

  /** Nothing listens at the other end: what is under way cannot come any more. */
  declareLost(): void {
    if (this.#isLost) return;
    this.#isLost = true;
    this.#onLost();
    this.#tunnel.giveUp();
  }

  /** No connection could be had. */
  noteFailure(): void {
    this.#limit.noteFailure();
  }

  [Symbol.dispose](): void {
    this.#end.abort();
  }

  #hear(nowMs: number): void {
    this.#silentSinceMs = this.#isLost ? nowMs : this.#heardMs;
    this.#heardMs = nowMs;
    if (!this.#isLost) return;
    this.#isLost = false;
    this.#hasToAsk = true;
  }

  /**
   * A pong may wait for what its connection lost, while others bring bytes. Such a round trip is no silence. Nor does the one of an
   * outage count, unless it is the first: nothing better is known then.
   */
  #learn(roundTripMs: number, nowMs: number): void {
    if (nowMs - roundTripMs >= this.#silentSinceMs || !this.#limit.isKnown) this.#limit.add(roundTripMs);
  }

  #look(nowMs: number): void {
    if (this.#hasToAsk && this.#tunnel.connectionCount > 0) {
      this.#hasToAsk = false;
      this.#tunnel.ping();
    }
    if (this.#tunnel.streamCount === 0 && !this.#isLost) {
      this.#waitsSinceMs = nowMs;
      return;
    }
    const silentMs = nowMs - Math.max(this.#heardMs, this.#waitsSinceMs);
    if (silentMs < askMs) return;
    this.#tunnel.ping();
    const limitMs = this.#limit.ms;
    if (silentMs >= limitMs && !this.#isLost) {
      this.#isLost = true;
      this.#onLost();
    }
    if (silentMs >= disconnectFactor * limitMs) this.#tunnel.disconnect();
    if (silentMs >= giveUpMs) {
      this.#waitsSinceMs = nowMs;
      this.#tunnel.giveUp();
    }
  }
}
