import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { announceController, readLinesElsewhere, removeController, removeEarlierStarts } from '../db/controllers.ts';
import type { AgentHub } from './agent-hub.ts';

const announceEveryMs = 2_000;

interface BoardOptions {
  pool: Pool;
  hub: AgentHub;
  /** What people know this Controller by. */
  name: string;
  oneRunAtATime: boolean;
  log: Logger;
}

/** Keeps in the database which Agents are connected here, so that other Controllers know, and knows which are connected to others. */
export class LineBoard implements AsyncDisposable {
  readonly id = randomUUID();
  /** Called after each change that the database knows of. */
  onAnnounced: () => void = () => undefined;
  readonly #options: BoardOptions;
  readonly #connectedMs = new Map<string, number>();
  #isNew = true;
  #isDue = false;
  #announcing: Promise<void> | null = null;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  #hasFailed = false;

  constructor(options: BoardOptions) {
    this.#options = options;
    options.hub.on('connected', (agent) => {
      this.#connectedMs.set(agent, performance.now());
      this.#announce();
    });
    options.hub.on('disconnected', (agent) => {
      this.#connectedMs.delete(agent);
      this.#announce();
    });
  }

  start(): void {
    this.#timer = setInterval(() => this.#announce(), announceEveryMs);
    this.#announce();
  }

  /** The Agents whose current line is to another Controller, with its name. */
  listElsewhere(): Promise<Map<string, string>> {
    return readLinesElsewhere(this.#options.pool, this.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isOver = true;
    clearInterval(this.#timer);
    await this.#announcing;
    await removeController(this.#options.pool, this.id).catch((error: unknown) => {
      this.#options.log.warn(
        { err: error },
        'Cannot remove this Controller from the list of Controllers; the others consider it dead in 10 s',
      );
    });
  }

  #announce(): void {
    this.#isDue = !this.#isOver;
    this.#announcing ??= this.#announceAll().finally(() => {
      this.#announcing = null;
    });
  }

  async #announceAll(): Promise<void> {
    const { pool, name, oneRunAtATime, log } = this.#options;
    while (this.#isDue) {
      this.#isDue = false;
      try {
        if (this.#isNew) await removeEarlierStarts(pool, { id: this.id, name });
        this.#isNew = false;
        const nowMs = performance.now();
        await announceController(
          pool,
          { id: this.id, name, oneRunAtATime },
          [...this.#connectedMs].map(([agent, connectedMs]) => ({ agent, ageMs: nowMs - connectedMs })),
        );
        this.#hasFailed = false;
        this.onAnnounced();
      } catch (error) {
        log[this.#hasFailed ? 'debug' : 'warn'](
          { err: error },
          'Cannot inform the other Controllers which Agents are connected here; trying again in 2 s',
        );
        this.#hasFailed = true;
      }
    }
  }
}
