import type { Tunnel } from '../tunnel/tunnel.ts';
import { askMs, SilenceLimit } from './silence-limit.ts';

/** How often it looks. */
const stepMs = 100;
/** After so many times the limit, connections are opened again. */
const disconnectFactor = 2.4;
/** After so long, what waits is given up. */
const giveUpMs = 60_000;

/** Notices that nothing comes from the other end, while something should: as long as streams are open, and until it is back. */
export class SilenceWatch implements Disposable {
  readonly #tunnel: Tunnel;
  readonly #onLost: () => void;
  readonly #timer: NodeJS.Timeout;
  readonly #limit = new SilenceLimit();
  #heardMs = performance.now();
  #askedMs = -Infinity;
  #isLost = false;

  constructor(tunnel: Tunnel, onLost: () => void) {
    this.#tunnel = tunnel;
    this.#onLost = onLost;
    this.#timer = setInterval(() => this.#look(performance.now()), stepMs).unref();
    tunnel.on('roundTrip', (ms) => this.#limit.add(ms));
    tunnel.on('heard', () => {
      this.#heardMs = performance.now();
      this.#isLost = false;
    });
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

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }

  #look(nowMs: number): void {
    if (this.#tunnel.streamCount === 0 && !this.#isLost) {
      this.#heardMs = nowMs;
      return;
    }
    const silentMs = nowMs - this.#heardMs;
    if (silentMs < askMs) return;
    if (nowMs - this.#askedMs >= askMs) {
      this.#askedMs = nowMs;
      this.#tunnel.ping();
    }
    const limitMs = this.#limit.ms;
    if (silentMs >= limitMs && !this.#isLost) {
      this.#isLost = true;
      this.#onLost();
    }
    const disconnectMs = disconnectFactor * limitMs;
    if (silentMs >= disconnectMs) this.#reconnect({ nowMs, silentMs, disconnectMs });
  }

  #reconnect({ nowMs, silentMs, disconnectMs }: Record<'nowMs' | 'silentMs' | 'disconnectMs', number>): void {
    if (silentMs % disconnectMs < stepMs) this.#tunnel.disconnect();
    if (silentMs >= giveUpMs) {
      this.#heardMs = nowMs - disconnectMs;
      this.#tunnel.giveUp();
    }
  }
}
