import { assertNever } from '#core/assert-never.ts';
import { actAfter, realTime, type Time } from '#core/clock/time.ts';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import type { HostLoad } from '#core/protocol/host-load.ts';
import type { OrderedPass } from './order-passes.ts';
import type { OrderLine } from './order-line.ts';
import { PageBarrier } from './page-barrier.ts';
import { RoundBrokenError } from './run-context.ts';

/** How long the line to an Agent may be broken in a Round before its Passes are lost. */
const reconnectGraceMs = 30_000;

const steps = ['ordered', 'ready', 'running', 'ended'] as const;
export type PassStep = (typeof steps)[number] | 'lost';

export interface StepChange {
  passId: string;
  step: PassStep;
  problem?: string;
  /** Of a Pass that has ended, where its Agent reported it. */
  load?: HostLoad;
}

interface WatchedPass extends OrderedPass {
  step: PassStep;
}

interface WatchOptions {
  passes: OrderedPass[];
  onStep: (change: StepChange) => void;
  /** An instant that is far enough off for the word to reach every Agent before. */
  nextStartEpochMs: () => number;
  /** In step: how long after the start of each page all have to be ready for the next one. */
  pageLimitsMs?: readonly number[];
  /** As time passes unless given. */
  sleep?: Time['sleep'];
}

type Hello = Extract<AgentMessage, { type: 'hello' }>;

/**
 * The Passes of one Round as their Agents report them. A break of the line that is shorter than the grace costs nothing: the Agent reports what it
 * still holds, and what it missed is sent again. The first Pass that is lost breaks the Round.
 */
export class PassWatch implements Disposable {
  readonly #hub: OrderLine;
  readonly #passes: Map<string, WatchedPass>;
  readonly #byAgent: Map<string, WatchedPass[]>;
  /** How many Passes have come to each step. */
  readonly #came = { ready: 0, ended: 0 };
  readonly #onStep: (change: StepChange) => void;
  readonly #sleep: Time['sleep'];
  /** Of the Agents whose line is broken: aborted when it is back. */
  readonly #graces = new Map<string, AbortController>();
  readonly #nextStartEpochMs: () => number;
  #startEpochMs: number | null = null;
  readonly #barrier: PageBarrier;
  readonly #pageLimitsMs: readonly number[];
  /** When the Visits at the page of the barrier begin. */
  #pageStartEpochMs = 0;
  #pageOver = new AbortController();
  #problem: string | null = null;
  #wake = Promise.withResolvers<void>();

  constructor(hub: OrderLine, options: WatchOptions) {
    this.#hub = hub;
    this.#nextStartEpochMs = options.nextStartEpochMs;
    this.#pageLimitsMs = options.pageLimitsMs ?? [];
    this.#sleep = options.sleep ?? realTime.sleep;
    this.#onStep = options.onStep;
    this.#passes = new Map(options.passes.map((pass) => [pass.order.passId, { ...pass, step: 'ordered' }]));
    this.#byAgent = Map.groupBy(this.#passes.values(), ({ agent }) => agent);
    this.#barrier = new PageBarrier(this.#passes.keys());
    hub.on('message', this.#handleMessage);
    hub.on('connected', this.#handleConnected);
    hub.on('disconnected', this.#handleDisconnected);
    for (const { agent, order } of this.#passes.values()) {
      if (hub.isConnected(agent)) hub.send(agent, { type: 'prepare-pass', order });
      else this.#handleDisconnected(agent);
    }
  }

  /** Gives all Agents the one instant to start at; to a User Agent that begins later, one later by as much. */
  start(): void {
    this.#startEpochMs = this.#nextStartEpochMs();
    for (const pass of this.#passes.values()) this.#sendStart(pass, this.#startEpochMs);
    this.#limitPage();
  }

  /** Resolves when every Pass has come to this step. Rejects with RoundBrokenError when one is lost or the time is up, and when aborted. */
  async untilAll(step: 'ready' | 'ended', options: { timeoutMs: number; signal: AbortSignal }): Promise<void> {
    const { timeoutMs, signal } = options;
    const over = new AbortController();
    const breakOff = () =>
      this.breakOff(
        `Passes are not ${step} within ${Math.round(timeoutMs / 1000)} s: ${this.#namesBefore(step).join(', ')}`,
      );
    actAfter(timeoutMs, breakOff, { sleep: this.#sleep, signal: over.signal });
    const abort = () => this.#wake.resolve();
    signal.addEventListener('abort', abort);
    try {
      while (this.#came[step] < this.#passes.size) {
        signal.throwIfAborted();
        if (this.#problem !== null) throw new RoundBrokenError(this.#problem);
        await this.#wake.promise;
        this.#wake = Promise.withResolvers();
      }
      if (this.#problem !== null) throw new RoundBrokenError(this.#problem);
    } finally {
      over.abort();
      signal.removeEventListener('abort', abort);
    }
  }

  /** Breaks the Round for this reason. */
  breakOff(problem: string): void {
    this.#problem ??= problem;
    this.#wake.resolve();
  }

  /** Ends what is under way, and lets the Agents forget what has ended. */
  [Symbol.dispose](): void {
    this.#hub.off('message', this.#handleMessage);
    this.#hub.off('connected', this.#handleConnected);
    this.#hub.off('disconnected', this.#handleDisconnected);
    for (const grace of this.#graces.values()) grace.abort();
    this.#pageOver.abort();
    for (const [passId, { agent }] of this.#passes)
      this.#hub.send(agent, { type: 'cancel-pass', passId, reason: this.#problem ?? 'The Round is over' });
  }

  #namesBefore(step: 'ready' | 'ended'): string[] {
    return [...this.#passes.values()]
      .filter((pass) => pass.step === 'lost' || isBefore(pass.step, step))
      .map((pass) => pass.order.userAgent);
  }

  readonly #handleMessage = (agent: string, message: AgentMessage): void => {
    switch (message.type) {
      case 'pass-ready':
        return this.#advance(agent, { passId: message.passId, step: 'ready' });
      case 'pass-started':
        return this.#advance(agent, { passId: message.passId, step: 'running' });
      case 'visit-ready':
        return this.#arrive(agent, message);
      case 'pass-ended':
        return this.#advance(agent, {
          passId: message.passId,
          step: 'ended',
          ...(message.load && { load: message.load }),
        });
      case 'pass-lost':
        return this.#lose(agent, message);
      default:
        return;
    }
  };

  readonly #handleConnected = (agent: string, held: Pick<Hello, 'passes'>): void => {
    this.#graces.get(agent)?.abort();
    this.#graces.delete(agent);
    for (const pass of this.#byAgent.get(agent) ?? []) {
      const { passId } = pass.order;
      if (pass.step === 'ended' || pass.step === 'lost') continue;
      const { state, load, readyFor } = held.passes.find((each) => each.passId === passId) ?? {
        state: 'unknown' as const,
      };
      switch (state) {
        case 'unknown':
          if (pass.step === 'ordered') this.#hub.send(agent, { type: 'prepare-pass', order: pass.order });
          else this.#lose(agent, { passId, problem: `Agent "${agent}" was restarted` });
          break;
        case 'lost':
          this.#lose(agent, {
            passId,
            problem: `Agent "${agent}" lost the Pass while it was disconnected: see its log`,
          });
          break;
        case 'preparing':
          break;
        case 'ready':
          this.#advance(agent, { passId, step: 'ready' });
          if (this.#startEpochMs !== null) this.#sendStart(pass, this.#startEpochMs);
          break;
        case 'running':
        case 'ended':
          this.#advance(agent, { passId, step: state, ...(load && { load }) });
          if (readyFor !== undefined) this.#arrive(agent, { passId, sequence: readyFor });
          break;
        default:
          assertNever(state);
      }
    }
  };

  readonly #handleDisconnected = (agent: string): void => {
    const isNeeded = this.#byAgent.get(agent)?.some((pass) => pass.step !== 'ended') ?? false;
    if (!isNeeded || this.#graces.has(agent)) return;
    const grace = new AbortController();
    const breakOff = () => this.breakOff(`Agent "${agent}" was disconnected for ${reconnectGraceMs / 1000} s`);
    actAfter(reconnectGraceMs, breakOff, { sleep: this.#sleep, signal: grace.signal });
    this.#graces.set(agent, grace);
  };

  #sendStart({ agent, order: { passId }, startOffsetMs }: WatchedPass, startEpochMs: number): void {
    this.#hub.send(agent, { type: 'start-pass', passId, startEpochMs: startEpochMs + startOffsetMs });
  }

  /** In step: a Pass is ready for a further Visit. */
  #arrive(agent: string, { passId, sequence }: { passId: string; sequence: number }): void {
    const pass = this.#passes.get(passId);
    if (pass?.agent === agent && pass.order.isInStep) this.#openPage(() => this.#barrier.arrive(passId, sequence));
  }

  /** Gives one instant to all that may begin a Visit by this change; what is given again is the same. */
  #openPage(change: () => string[]): void {
    const before = this.#barrier.page;
    const passIds = change();
    if (this.#barrier.page > before) {
      this.#pageStartEpochMs = this.#nextStartEpochMs();
      this.#limitPage();
    }
    for (const passId of passIds) {
      const { agent, startOffsetMs } = this.#passes.get(passId)!;
      const startEpochMs = this.#pageStartEpochMs + startOffsetMs;
      this.#hub.send(agent, { type: 'start-visit', passId, sequence: this.#barrier.page, startEpochMs });
    }
  }

  /** In step: nobody waits longer for the others than a page may take. The last page is limited by the Passes. */
  #limitPage(): void {
    this.#pageOver.abort();
    this.#pageOver = new AbortController();
    const { page } = this.#barrier;
    if (page + 1 >= this.#pageLimitsMs.length) return;
    const limitMs = this.#pageLimitsMs[page]! + reconnectGraceMs;
    const breakOff = () => {
      const late = [...this.#barrier.loading].map((passId) => this.#passes.get(passId)!.order.userAgent);
      this.breakOff(
        `User Agents are not past page ${page + 1} of their Passes within ${Math.round(limitMs / 1000)} s: ${late.join(', ')}`,
      );
    };
    actAfter(limitMs, breakOff, { sleep: this.#sleep, signal: this.#pageOver.signal });
  }

  #advance(agent: string, change: StepChange & { step: (typeof steps)[number] }): void {
    const pass = this.#passes.get(change.passId);
    if (pass?.agent !== agent || pass.step === 'lost' || !isBefore(pass.step, change.step)) return;
    for (const step of ['ready', 'ended'] as const)
      if (isBefore(pass.step, step) && !isBefore(change.step, step)) this.#came[step]++;
    pass.step = change.step;
    this.#onStep(change);
    if (pass.order.isInStep && change.step === 'ended') this.#openPage(() => this.#barrier.leave(change.passId));
    this.#wake.resolve();
  }

  #lose(agent: string, loss: { passId: string; problem: string }): void {
    const pass = this.#passes.get(loss.passId);
    if (pass?.agent !== agent || pass.step === 'lost') return;
    pass.step = 'lost';
    this.#onStep({ passId: loss.passId, step: 'lost', problem: loss.problem });
    this.breakOff(loss.problem);
  }
}

function isBefore(step: (typeof steps)[number], other: (typeof steps)[number]): boolean {
  return steps.indexOf(step) < steps.indexOf(other);
}
