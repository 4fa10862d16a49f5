import type { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import type { AgentMessage } from '#core/protocol/agent-messages.ts';
import { retryTransient } from '../../database/is-transient.ts';
import { readOwnersOf } from './controllers.ts';
import type { AgentHub } from '../agent-hub.ts';
import type { LineBoard } from '../line-board.ts';
import type { UploadEvents } from '../../ingest/accept-uploads.ts';
import type { Outbox, ExchangedMessage } from './outbox.ts';

/** What an owner hears: answers to its orders, and what becomes of Passes and processes. The rest concerns the Controller of the line alone. */
const relayedTypes = new Set<AgentMessage['type']>([
  'pass-ready',
  'pass-started',
  'visit-ready',
  'visit-ended',
  'pass-ended',
  'pass-lost',
  'capture-started',
  'capture-ended',
  'script-ended',
  'process-started',
  'process-lost',
  'process-checked',
  'process-ended',
  'network-applied',
  'certificate-read',
]);
/** Watchers see no more than four changes a second. */
const progressEveryMs = 250;
/** Who gave an order hears the Agent for so long, also without a Run: longer than any answer takes without one. */
const orderedMs = 25_000;
/** What an Agent may say before it is known who owns its Run. */
const mostHeld = 5_000;

interface Owner {
  /** Of its last order, or when the database named it, on the clock of `performance.now()`. */
  seenMs: number;
}

interface RelayOptions {
  pool: Pool;
  hub: AgentHub;
  board: LineBoard;
  uploads: EventEmitter<UploadEvents>;
  outbox: Outbox;
  log: Logger;
  signal: AbortSignal;
}

/**
 * Passes orders of other Controllers on to the Agents that are connected here, and what these Agents say to the Controllers that own their Runs. An order is for
 * one line of an Agent: when that is over, the owner learns it, and decides what becomes of the order.
 */
export class OwnerRelay {
  readonly #options: RelayOptions;
  /** By Agent. One that is missing is not known yet. */
  readonly #owners = new Map<string, Map<string, Owner>>();
  /** The number of the line of each Agent that is connected here. */
  readonly #lines = new Map<string, number>();
  /** What Agents said whose owners are not known yet. */
  readonly #held = new Map<string, ExchangedMessage[]>();
  /** The last words of Passes under way, for watchers. */
  readonly #progress = new Map<string, { agent: string; message: AgentMessage }>();
  #progressTimer: NodeJS.Timeout | undefined;
  #isAsking = false;

  constructor(options: RelayOptions) {
    this.#options = options;
    const { hub, uploads } = options;
    hub.on('connected', (agent, { facts, passes }) => {
      const line = hub.lineOf(agent)!;
      this.#lines.set(agent, line);
      this.#owners.delete(agent);
      if (!this.#isShared) return;
      this.#held.set(agent, [{ kind: 'line-began', agent, line, facts, passes }]);
      this.#ask();
    });
    hub.on('disconnected', (agent) => {
      this.#relay(agent, { kind: 'line-ended', agent, line: this.#lines.get(agent)! });
      this.#lines.delete(agent);
      if (!this.#held.has(agent)) this.#owners.delete(agent);
    });
    hub.on('message', (agent, message) => {
      if (!relayedTypes.has(message.type)) return;
      if (message.type === 'visit-ended') this.#noteProgress(agent, message.passId, message);
      else this.#relay(agent, { kind: 'said', agent, message });
    });
    uploads.on('stored', ({ agent, passIds, isRefused, isElsewhere = false }) => {
      if (!isElsewhere) this.#relay(agent, { kind: 'stored', agent, passIds: [...passIds], isRefused });
    });
    options.board.on('announced', () => this.#refresh());
    options.signal.addEventListener('abort', () => clearTimeout(this.#progressTimer));
  }

  /** Whether a Run of another Controller needs this Agent. */
  isNeeded(agent: string): boolean {
    return (this.#owners.get(agent)?.size ?? 0) > 0;
  }

  /** Another Controller orders an Agent. */
  order(from: string, { agent, line, message }: Extract<ExchangedMessage, { kind: 'order' }>): void {
    const { hub, outbox } = this.#options;
    if (hub.lineOf(agent) !== line) {
      outbox.push(from, { kind: 'line-ended', agent, line });
      return;
    }
    this.#note(agent, from);
    hub.send(agent, message);
  }

  get #isShared(): boolean {
    return this.#options.board.others > 0 || this.#owners.size > 0;
  }

  #note(agent: string, owner: string): void {
    const owners = this.#owners.get(agent) ?? new Map<string, Owner>();
    owners.set(owner, { seenMs: performance.now() });
    this.#owners.set(agent, owners);
  }

  #noteProgress(agent: string, passId: string, message: AgentMessage): void {
    if (!this.isNeeded(agent)) return;
    this.#progress.set(passId, { agent, message });
    this.#progressTimer ??= setTimeout(() => this.#relayProgress(), progressEveryMs);
  }

  #relayProgress(): void {
    clearTimeout(this.#progressTimer);
    this.#progressTimer = undefined;
    for (const { agent, message } of this.#progress.values()) this.#relay(agent, { kind: 'said', agent, message });
    this.#progress.clear();
  }

  #relay(agent: string, message: ExchangedMessage): void {
    const { hub, outbox } = this.#options;
    const held = this.#held.get(agent);
    if (held) {
      held.push(message);
      if (held.length > mostHeld) this.#giveUp(agent);
      return;
    }
    for (const owner of this.#owners.get(agent)?.keys() ?? []) if (!outbox.push(owner, message)) hub.breakLine(agent);
  }

  /** What it said is lost; on its next line it says what it still holds. */
  #giveUp(agent: string): void {
    this.#held.delete(agent);
    this.#options.hub.breakLine(agent);
  }

  /** Finds the owners of Agents that have just connected, then passes on what they have said meanwhile. */
  #ask(): void {
    const { pool, board, log, signal } = this.#options;
    if (this.#isAsking) return;
    this.#isAsking = true;
    void (async () => {
      await Promise.resolve(); // those that come together are asked for together
      while (this.#held.size > 0 && !signal.aborted) {
        const agents = [...this.#held.keys()];
        const owners = await retryTransient(() => readOwnersOf(pool, { id: board.id, agents }), { signal, log });
        for (const agent of agents) {
          for (const owner of owners.get(agent) ?? []) this.#note(agent, owner);
          const held = this.#held.get(agent) ?? [];
          this.#held.delete(agent);
          for (const message of held) this.#relay(agent, message);
        }
      }
    })()
      .catch((error: unknown) => {
        if (signal.aborted) return;
        log.error({ err: error }, 'Cannot find who owns the Runs of Agents; they connect again');
        for (const agent of [...this.#held.keys()]) this.#giveUp(agent);
      })
      .finally(() => {
        this.#isAsking = false;
      });
  }

  /** Runs begin and end: who owns one of these Agents hears it, and who does not any more is forgotten. */
  #refresh(): void {
    const { pool, board, log } = this.#options;
    const agents = [...this.#lines.keys()];
    if (!this.#isShared || agents.length === 0) return;
    const askedMs = performance.now();
    readOwnersOf(pool, { id: board.id, agents }).then(
      (found) => {
        for (const [agent, owners] of this.#owners) {
          for (const [owner, { seenMs }] of owners)
            if (seenMs < askedMs - orderedMs && !found.get(agent)?.includes(owner)) owners.delete(owner);
          if (owners.size === 0) this.#owners.delete(agent);
        }
        for (const [agent, owners] of found)
          if (this.#lines.has(agent)) for (const owner of owners) this.#note(agent, owner);
      },
      (error: unknown) => log.debug({ err: error }, 'Cannot find who owns the Runs of Agents; trying again in 2 s'),
    );
  }
}
