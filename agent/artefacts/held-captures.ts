import type { Logger } from 'pino';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { CaptureOrder } from '#core/protocol/capture-order.ts';
import type { RecorderOptions } from './pass-recorder.ts';
import { startPointRecorder, type PointRecorder } from './point-recorder.ts';

interface HeldCapturesOptions extends RecorderOptions {
  send: (message: AgentMessage) => void;
  log: Logger;
}

interface HeldCapture {
  roundId: string;
  recorder: PointRecorder;
  limit: NodeJS.Timeout;
}

/** The Captures under way at Capture Points of this host. */
export class HeldCaptures {
  readonly #options: HeldCapturesOptions;
  readonly #held = new Map<string, HeldCapture>();
  /** Orders are dealt with one after the other: a stop that comes close behind its start finds it. */
  #last: Promise<void> = Promise.resolve();

  constructor(options: HeldCapturesOptions) {
    this.#options = options;
  }

  get isCapturing(): boolean {
    return this.#held.size > 0;
  }

  start(order: CaptureOrder): void {
    this.#queue(async () => {
      // Of a Round whose end never reached this Agent.
      for (const [captureId, { roundId }] of [...this.#held])
        if (roundId !== order.roundId) await this.#end(captureId, true);
      if (this.#held.has(order.captureId)) return;
      const { captureId } = order;
      const started = await startPointRecorder(order, this.#options);
      if ('problem' in started) {
        this.#options.send({ type: 'capture-started', captureId, refusal: started });
        return;
      }
      const limit = setTimeout(() => this.#queue(() => this.#end(captureId, true)), order.endAfterMs);
      this.#held.set(captureId, { roundId: order.roundId, recorder: started, limit });
      this.#options.send({ type: 'capture-started', captureId, refusal: null });
    });
  }

  stop({ captureId, isBrokenOff }: { captureId: string; isBrokenOff: boolean }): void {
    this.#queue(async () => {
      await this.#end(captureId, isBrokenOff);
      this.#options.send({ type: 'capture-ended', captureId });
    });
  }

  /** Ends all, as Captures of Rounds that were broken off. */
  async close(): Promise<void> {
    await this.#last;
    for (const captureId of [...this.#held.keys()]) await this.#end(captureId, true);
  }

  async #end(captureId: string, isBrokenOff: boolean): Promise<void> {
    const held = this.#held.get(captureId);
    if (!held) return;
    clearTimeout(held.limit);
    try {
      await held.recorder.end({ isBrokenOff });
    } finally {
      this.#held.delete(captureId);
    }
  }

  #queue(work: () => Promise<void>): void {
    this.#last = this.#last
      .then(work)
      .catch((error: unknown) =>
        this.#options.log.error({ err: error }, 'An order to capture could not be dealt with'),
      );
  }
}
