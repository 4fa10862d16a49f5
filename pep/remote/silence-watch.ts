import type { Tunnel } from '../tunnel/tunnel.ts';

/** How often it looks. */
const stepMs = 100;
/** After so long without a byte, the ground end is asked for one. */
const askMs = 500;
/** After so long, it is taken for lost: browsers get their answer within 2 s. */
const lostMs = 1700;
/** After so long, connections are opened again. */
const disconnectMs = 4000;
/** After so long, what waits is given up. */
const giveUpMs = 60_000;

/** Notices that nothing comes from the other end, while something should: as long as streams are open, and until it is back. */
export class SilenceWatch implements Disposable {
  readonly #tunnel: Tunnel;
  readonly #onLost: () => void;
  readonly #timer: NodeJS.Timeout;
  #heardMs = performance.now();
  #askedMs = -Infinity;
  #isLost = false;

  constructor(tunnel: Tunnel, onLost: () => void) {
    this.#tunnel = tunnel;
    this.#onLost = onLost;
    this.#timer = setInterval(() => this.#look(performance.now()), stepMs).unref();
    tunnel.on('heard', () => {
      this.#heardMs = performance.now();
      this.#isLost = false;
    });
  }

  get isLost(): boolean {
    return this.#isLost;
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
    if (silentMs >= lostMs && !this.#isLost) {
      this.#isLost = true;
      this.#onLost();
    }
    if (silentMs >= disconnectMs) this.#reconnect(nowMs, silentMs);
  }

  #reconnect(nowMs: number, silentMs: number): void {
    if (silentMs % disconnectMs < stepMs) this.#tunnel.disconnect();
    if (silentMs >= giveUpMs) {
      this.#heardMs = nowMs - disconnectMs;
      this.#tunnel.giveUp();
    }
  }
}
