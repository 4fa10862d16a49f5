import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { PassRunner } from '#core/agent/pass-runner.ts';
import type { PassOrder } from '#core/protocol/pass-order.ts';
import type { HeldPass } from './held-pass.ts';
import { ExtensionPass, unknownLoad, type PassSurroundings } from './extension-pass.ts';

/** The one Pass that this extension holds: under way, or ended and not cleared by a cancellation yet. One browser is one User Agent. */
export class SinglePass {
  readonly #surroundings: PassSurroundings;
  /** Called when the Pass has ended. */
  readonly #onIdle: () => void;
  #held: { pass: ExtensionPass; over: Promise<void> } | null = null;
  /** Orders are obeyed one after the other: what a Pass writes as it ends must not fall into the next. */
  #obeyed: Promise<void> = Promise.resolve();

  constructor(surroundings: PassSurroundings, onIdle: () => void) {
    this.#surroundings = surroundings;
    this.#onIdle = onIdle;
  }

  get isMeasuring(): boolean {
    return this.#held !== null && !this.#held.pass.runner.isOver;
  }

  /** Whether it loads pages, or is about to. */
  get isLoading(): boolean {
    return this.#held?.pass.runner.isLoading ?? false;
  }

  /** For `hello`. */
  list(): Extract<AgentMessage, { type: 'hello' }>['passes'] {
    if (!this.#held) return [];
    const { held, runner } = this.#held.pass;
    const { state } = runner;
    return [
      {
        passId: held.order.passId,
        state,
        ...(state === 'ended' && { load: unknownLoad }),
        ...(runner.readyFor !== null && { readyFor: runner.readyFor }),
      },
    ];
  }

  /** Continues the Pass that was under way when the background died. */
  async resume(): Promise<void> {
    const pass = await this.#surroundings.spool.readPass();
    if (!pass) return;
    this.#hold(pass);
    this.handleDisconnect(); // there is no line yet
  }

  /** An order that is held already (the Controller repeats it after a break of the line) changes nothing. */
  prepare(order: PassOrder): Promise<void> {
    return this.#obey(async () => {
      const held = this.#held?.pass.held.order;
      if (held?.passId === order.passId) return;
      if (held && this.isMeasuring && held.roundId === order.roundId) {
        const problem = `${order.userAgent}: this extension already measures for "${held.userAgent}". One browser is one User Agent`;
        this.#surroundings.send({ type: 'pass-lost', passId: order.passId, problem });
        return;
      }
      // Of a Round whose end never reached this extension.
      if (held && this.isMeasuring) await this.#end('Another Round begins');
      const { browserLifeId } = this.#surroundings;
      this.#hold({
        order,
        state: 'preparing',
        startEpochMs: null,
        clock: null,
        sequence: 0,
        attempts: 0,
        browserLifeId,
      });
    });
  }

  start(message: Extract<ControllerMessage, { type: 'start-pass' }>): void {
    if (this.#held?.pass.held.order.passId === message.passId) this.#held.pass.runner.startAt(message.startEpochMs);
  }

  startVisit(message: Extract<ControllerMessage, { type: 'start-visit' }>): void {
    if (this.#held?.pass.held.order.passId === message.passId) this.#held.pass.runner.startVisitAt(message);
  }

  cancel({ passId, reason }: Extract<ControllerMessage, { type: 'cancel-pass' }>): Promise<void> {
    return this.#obey(async () => {
      if (this.#held?.pass.held.order.passId === passId) await this.#end(reason);
    });
  }

  handleConnect(): void {
    this.#held?.pass.runner.handleConnect();
  }

  handleDisconnect(): void {
    this.#held?.pass.runner.handleDisconnect();
  }

  /** Ends the Pass wherever it is. What it has measured stays in the spool. */
  stop(reason: string): Promise<void> {
    return this.#obey(() => this.#end(reason));
  }

  async #end(reason: string): Promise<void> {
    this.#held?.pass.runner.cancel(reason);
    await this.#held?.over;
    this.#held = null;
    await this.#surroundings.spool.writePass(null);
  }

  #hold(held: HeldPass): void {
    const pass = new ExtensionPass(held, this.#surroundings);
    this.#held = { pass, over: pass.runner.isOver ? Promise.resolve() : this.#run(pass.runner) };
  }

  async #run(runner: PassRunner): Promise<void> {
    try {
      await runner.run();
    } catch (error) {
      console.error('The Pass ended unexpectedly', error);
    }
    this.#onIdle();
  }

  #obey(order: () => void | Promise<void>): Promise<void> {
    const obeyed = this.#obeyed.then(order);
    this.#obeyed = obeyed.catch((error: unknown) => console.error('An order could not be obeyed', error));
    return obeyed;
  }
}
