import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { actEvery, realTime, type Time } from '#core/clock/time.ts';
import {
  announceController,
  readLinesElsewhere,
  removeController,
  removeEarlierStarts,
} from './exchange/controllers.ts';
import type { AgentHub } from './agent-hub.ts';

const announceEveryMs = 2_000;
/** After so many announcements that the database did not answer, the Agents are of no use here, and may be elsewhere. */
const cutAfter = 3;

interface BoardOptions {
  pool: Pool;
  hub: AgentHub;
  /** What people know this Controller by. */
  name: string;
  oneRunAtATime: boolean;
  /** Whether the database sees that this process lives. */
  hasSign: () => boolean;
  /** As time passes unless given. */
  sleep?: Time['sleep'] | undefined;
  log: Logger;
}

interface BoardEvents {
  /** The database knows which Agents are connected here. */
  announced: [];
  /** The database did not answer for so long that other Controllers are to have the Agents. */
  cut: [];
}

/** Keeps in the database which Agents are connected here, so that other Controllers know, and knows which are connected to others. */
export class LineBoard extends EventEmitter<BoardEvents> implements AsyncDisposable {
  readonly id = randomUUID();
  readonly #options: BoardOptions;
  readonly #lines = new Map<string, number>();
  /** Until the database was asked, there may be some. */
  #others = 1;
  /** Since the last announcement that the database answered; time in which this process stood still does not count. */
  #unanswered = 0;
  #isNew = true;
  #isDue = false;
  #announcing: Promise<void> | null = null;
  readonly #end = new AbortController();
  #hasFailed = false;

  constructor(options: BoardOptions) {
    super();
    this.#options = options;
    options.hub.on('connected', (agent) => {
      this.#lines.set(agent, options.hub.lineOf(agent)!);
      this.#announce();
    });
    options.hub.on('disconnected', (agent) => {
      this.#lines.delete(agent);
      this.#announce();
    });
  }

  /** How many other Controllers work on this database. */
  get others(): number {
    return this.#others;
  }

  /** Whether it has lost the database, and there are others. */
  get isCut(): boolean {
    return this.#others > 0 && this.#unanswered >= cutAfter;
  }

  start(): void {
    const announceAgain = () => {
      this.#unanswered++;
      if (this.isCut) this.emit('cut');
      this.#announce();
    };
    actEvery(announceEveryMs, announceAgain, {
      sleep: this.#options.sleep ?? realTime.sleep,
      signal: this.#end.signal,
    });
    this.#announce();
  }

  /** The Agents whose current line is to another Controller, with its name. */
  listElsewhere(): Promise<Map<string, string>> {
    return readLinesElsewhere(this.#options.pool, this.id);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#end.abort();
    await this.#announcing;
    await removeController(this.#options.pool, this.id).catch((error: unknown) => {
      this.#options.log.warn(
        { err: error },
        'Cannot remove this Controller from the list of Controllers; the others consider it dead in 10 s',
      );
    });
  }

  #announce(): void {
    this.#isDue = !this.#end.signal.aborted;
    this.#announcing ??= this.#announceAll().finally(() => {
      this.#announcing = null;
    });
  }

  async #announceAll(): Promise<void> {
    const { pool, name, oneRunAtATime, hasSign, log } = this.#options;
    while (this.#isDue) {
      this.#isDue = false;
      try {
        if (this.#isNew) await removeEarlierStarts(pool, { id: this.id, name });
        this.#isNew = false;
        this.#others = await announceController(
          pool,
          { id: this.id, name, oneRunAtATime, hasSign: hasSign() },
          [...this.#lines].map(([agent, line]) => ({ agent, line })),
        );
        this.#unanswered = 0;
        this.#hasFailed = false;
        this.emit('announced');
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
