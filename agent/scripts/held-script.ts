import type { Logger } from 'pino';
import { describeProblem, type AgentMessage, type ControllerMessage } from '#core/protocol/agent-messages.ts';
import { runScript, type ScriptResult } from './run-script.ts';

type Order = Extract<ControllerMessage, { type: 'run-script' }>;

interface HeldScriptOptions {
  send: (message: AgentMessage) => void;
  log: Logger;
  /** Whether the operator of this host allows the scripts of a Controller. */
  mayRun: boolean;
}

/** The script that runs on this host, at most one. A Controller that orders another waits no longer for the one before, as when its line broke: that ends first. */
export class HeldScript {
  readonly #options: HeldScriptOptions;
  #stop = new AbortController();
  #lastId: string | null = null;
  #last: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: HeldScriptOptions) {
    this.#options = options;
  }

  run(order: Order): void {
    this.#stop.abort();
    this.#stop = new AbortController();
    this.#lastId = order.orderId;
    const { signal } = this.#stop;
    this.#last = this.#last.then(() => this.#answer(order, signal));
  }

  /** Ends it, or keeps it from beginning. Those ordered before it are ending already. */
  end(orderId: string): void {
    if (orderId === this.#lastId) this.#stop.abort();
  }

  /** Ends it, and runs no more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop.abort();
    await this.#last;
  }

  async #answer(order: Order, signal: AbortSignal): Promise<void> {
    const { send, log } = this.#options;
    const result = await this.#runUnlessStopped(order, signal).catch((error: unknown) => {
      log.error({ err: error }, 'A script could not be run');
      return refuse(describeProblem(error));
    });
    send({ type: 'script-ended', orderId: order.orderId, ...result });
  }

  async #runUnlessStopped(order: Order, signal: AbortSignal): Promise<ScriptResult> {
    if (!this.#options.mayRun) return refuse('This Agent was started without --allow-scripts');
    if (this.#isClosed) return refuse('This Agent is stopping');
    if (signal.aborted) return refuse('It was ended, or another script was ordered, before it began');
    return runScript(order.script, { timeoutMs: order.timeoutMs, environment: order.environment, signal });
  }
}

function refuse(output: string): ScriptResult {
  return { exitCode: null, isTimedOut: false, durationMs: 0, output };
}
