import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { EpochClock } from '#core/clock/epoch-clock.ts';
import type { AgentMessage, ControllerMessage } from '#core/protocol/agent-messages.ts';
import type { HostFacts } from '#core/protocol/host-facts.ts';
import { readFactsOf } from '../agents.ts';
import { readLinesOf } from './controllers.ts';
import type { AgentHub } from '../agent-hub.ts';
import type { LineBoard } from '../line-board.ts';
import type { Outbox, ExchangedMessage } from './outbox.ts';

type Passes = Extract<AgentMessage, { type: 'hello' }>['passes'];

interface ReachEvents {
  connected: [name: string, held: { passes: Passes }];
  disconnected: [name: string];
  message: [name: string, message: AgentMessage];
}

interface Place {
  line: number;
  /** Null: here. */
  controller: string | null;
  facts: HostFacts;
  /** Whether `connected` was emitted for this line. */
  isAnnounced: boolean;
  /** How often the database did not have its line. */
  misses: number;
}

interface ReachOptions {
  pool: Pool;
  hub: AgentHub;
  board: LineBoard;
  outbox: Outbox;
  log: Logger;
}

/**
 * The Agents of the Runs that this Controller owns, wherever they are connected: to it, which costs nothing more, or to another Controller, by way of that one.
 * An Agent has one line. When two Controllers report one, the higher number is the current line, and the other is over.
 */
export class AgentReach extends EventEmitter<ReachEvents> {
  readonly #options: ReachOptions;
  readonly #places = new Map<string, Place>();
  /** By who wants them. */
  readonly #wanted = new Map<symbol, ReadonlySet<string>>();

  constructor(options: ReachOptions) {
    super();
    this.#options = options;
    this.setMaxListeners(0); // each Run under way has some
    const { hub, board } = options;
    hub.on('connected', (agent, { facts, passes }) =>
      this.#begin(agent, { line: hub.lineOf(agent)!, controller: null, facts }, passes),
    );
    hub.on('disconnected', (agent) => {
      if (this.#places.get(agent)?.controller === null) this.#end(agent);
    });
    hub.on('message', (agent, message) => this.emit('message', agent, message));
    board.on('announced', () => this.#dropGone());
  }

  /** What the Agents that are connected here know as the Controller's clock. */
  get epochClock(): EpochClock {
    return this.#options.hub.epochClock;
  }

  isConnected(name: string): boolean {
    return this.#places.has(name);
  }

  /** Whether it is connected to another Controller. */
  isElsewhere(name: string): boolean {
    return (this.#places.get(name)?.controller ?? null) !== null;
  }

  factsOf(name: string): HostFacts | null {
    return this.#places.get(name)?.facts ?? null;
  }

  /** What is sent to an Agent that is not connected is dropped: who waits for the answer sees `disconnected`. `run`: by whose right it is sent. */
  send(name: string, message: ControllerMessage, run: { id: string; epoch: number } | null = null): void {
    const { hub, outbox } = this.#options;
    const place = this.#places.get(name);
    if (!place) return;
    if (place.controller === null) hub.send(name, message);
    else if (!outbox.push(place.controller, { kind: 'order', agent: name, line: place.line, message }, run))
      this.#end(name);
  }

  /** From now on these Agents are reached at other Controllers too, until the returned function is called. */
  want(names: readonly string[]): () => void {
    const key = Symbol('want');
    this.#wanted.set(key, new Set(names));
    return () => {
      this.#wanted.delete(key);
      for (const [name, { controller }] of this.#places)
        if (controller !== null && !this.#isWanted(name)) this.#places.delete(name);
    };
  }

  /** Looks in the database where these Agents are, which are wanted. */
  async look(names: readonly string[]): Promise<void> {
    const { pool, board } = this.#options;
    if (board.others === 0) return;
    const lines = (await readLinesOf(pool, names, { isSure: true })).filter(
      ({ agent, controller, line }) =>
        controller !== board.id && line > (this.#places.get(agent)?.line ?? 0) && this.#isWanted(agent),
    );
    if (lines.length === 0) return;
    const factsOf = await readFactsOf(
      pool,
      lines.map(({ agent }) => agent),
    );
    for (const { agent, controller, line } of lines) {
      const facts = factsOf.get(agent);
      const known = this.#places.get(agent);
      if (!facts || (known && known.line >= line)) continue;
      if (known) this.#end(agent);
      this.#places.set(agent, { line, controller, facts, isAnnounced: false, misses: 0 });
    }
  }

  /** Another Controller reports something of an Agent. */
  hear(from: string, message: Exclude<ExchangedMessage, { kind: 'order' | 'stored' }>): void {
    const { agent } = message;
    switch (message.kind) {
      case 'line-began': {
        const { line, facts, passes } = message;
        if (this.#isWanted(agent)) this.#begin(agent, { line, controller: from, facts }, passes);
        return;
      }
      case 'line-ended': {
        const place = this.#places.get(agent);
        if (place?.controller === from && place.line === message.line) this.#end(agent);
        return;
      }
      case 'said':
        this.emit('message', agent, message.message);
    }
  }

  #begin(agent: string, place: Pick<Place, 'line' | 'controller' | 'facts'>, passes: Passes): void {
    const known = this.#places.get(agent);
    if (known && (known.line > place.line || (known.line === place.line && known.isAnnounced))) return;
    this.#places.set(agent, { ...place, isAnnounced: true, misses: 0 });
    if (known && known.line !== place.line) {
      this.emit('disconnected', agent);
      // It does not know yet that the line is over.
      if (known.controller === null && place.controller !== null) this.#options.hub.breakLine(agent);
    }
    this.emit('connected', agent, { passes });
  }

  #end(agent: string): void {
    this.#places.delete(agent);
    this.emit('disconnected', agent);
  }

  #isWanted(agent: string): boolean {
    return [...this.#wanted.values()].some((names) => names.has(agent));
  }

  /** A Controller that was killed does not report that its lines are over. */
  #dropGone(): void {
    const { pool, board, log } = this.#options;
    const agents = [...this.#places].flatMap(([agent, { controller }]) => (controller === null ? [] : [agent]));
    if (agents.length === 0) return;
    readLinesOf(pool, agents).then(
      (lines) => {
        const current = new Map(lines.map(({ agent, line }) => [agent, line]));
        for (const agent of agents) {
          const place = this.#places.get(agent);
          if (!place || place.controller === null) continue;
          place.misses = current.get(agent) === place.line ? 0 : place.misses + 1;
          // Once may be by chance: the line was announced after the look.
          if (place.misses > 1) this.#end(agent);
        }
      },
      (error: unknown) => log.debug({ err: error }, `Cannot look for Agents at other Controllers (${board.id})`),
    );
  }
}
