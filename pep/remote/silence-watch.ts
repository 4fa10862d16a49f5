import { actEvery, type Time } from '#core/clock/time.ts';
import type { Tunnel } from '../tunnel/tunnel.ts';
import { askMs, SilenceLimit } from './silence-limit.ts';

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
