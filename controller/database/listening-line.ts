import { EventEmitter } from 'node:events';
import pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import { realTime, type Time } from '#core/clock/time.ts';
import { unlessAborted } from '#core/waiting.ts';

const trialLimitMs = 5_000;
const tryEveryMs = 5_000;
const firstPauseMs = 50;
const longestPauseMs = 2_000;

interface LineOptions {
  /** Of PostgreSQL itself, or of a pooler that keeps a connection for each session. */
  databaseUrl: string;
  /** Of this Controller. */
  id: string;
  /** Shows by this connection that the Controller lives. */
  holdSign: (connection: pg.Client) => Promise<boolean>;
  /** As time passes unless given. */
  sleep?: Time['sleep'] | undefined;
  log: Logger;
}

interface LineEvents {
  notice: [Notice];
  /** From now on notices come; some may have been missed before. */
  open: [];
}

/**
 * The one connection of a Controller that is its own and lasts: by it the database wakes the Controller, and sees that it lives. It is opened again as long as
 * it takes. Nobody may rely on it alone: what a notice says is looked up again from time to time.
 */
export class ListeningLine extends EventEmitter<LineEvents> implements AsyncDisposable {
  readonly #options: LineOptions;
  readonly #ending = new AbortController();
  #holding: Promise<void> | null = null;
  #hasSign = false;
  #hasWarned = false;

  constructor(options: LineOptions) {
    super();
    this.#options = options;
  }

  /** Whether the database sees by it that this process lives. */
  get hasSign(): boolean {
    return this.#hasSign;
  }

  #isEnding(): boolean {
    return this.#ending.signal.aborted;
  }

  start(): void {
    this.#holding ??= this.#hold();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#ending.abort();
    await this.#holding;
  }

  async #hold(): Promise<void> {
    const { sleep = realTime.sleep, log } = this.#options;
    const { signal } = this.#ending;
    for (let pauseMs = firstPauseMs; !this.#isEnding(); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      try {
        await this.#holdOne(() => (pauseMs = firstPauseMs));
      } catch (error) {
        if (!this.#isEnding())
          log[this.#hasWarned ? 'debug' : 'warn'](
            { err: error },
            'The connection on which the database wakes this Controller is down; opening it again',
          );
        this.#hasWarned = true;
      }
      await sleep(pauseMs, signal).catch(() => undefined); // the loop ends
    }
  }

  /** Resolves when disposed of; rejects when the connection broke or does not answer. */
  async #holdOne(onOpen: () => void): Promise<void> {
    const { databaseUrl, id, holdSign, sleep = realTime.sleep } = this.#options;
    const { signal } = this.#ending;
    const over = new AbortController();
    const late = async (): Promise<never> => {
      await sleep(trialLimitMs, over.signal);
      throw new Error(
        'The database sends no notices: set LISTEN_DATABASE_URL to PostgreSQL itself, not to a pooler in transaction mode',
      );
    };
    const client = new pg.Client({
      connectionString: databaseUrl,
      connectionTimeoutMillis: trialLimitMs,
      application_name: 'http-ae listener',
      keepAlive: true,
    });
    const broken = new AbortController();
    // Not a promise: one that lasts as long as the connection would keep all that has ever raced with it.
    const unlessBroken = <T>(work: Promise<T>) => unlessAborted(Promise.race([work, late()]), broken.signal);
    client.on('error', (error) => broken.abort(error));
    client.on('end', () => broken.abort(new Error('The connection was closed')));
    let heard = Promise.withResolvers<void>();
    client.on('notification', ({ payload }) => {
      const notice = readNotice(payload);
      if (notice?.kind === 'trial' && notice.of === id) heard.resolve();
      else if (notice && notice.kind !== 'trial') this.emit('notice', notice);
    });
    try {
      await unlessAborted(client.connect(), signal);
      await unlessBroken(client.query(`listen ${noticeChannel}`));
      while (!signal.aborted) {
        heard = Promise.withResolvers();
        const trial = client.query('select pg_notify($1, $2)', [
          noticeChannel,
          JSON.stringify({ kind: 'trial', of: id } satisfies Notice),
        ]);
        trial.catch((error: unknown) => broken.abort(error));
        await unlessBroken(heard.promise);
        if (!this.#hasSign) {
          this.#hasSign = await unlessBroken(holdSign(client));
          this.#hasWarned = false;
          onOpen();
          this.emit('open');
        }
        await unlessAborted(sleep(tryEveryMs, signal), broken.signal);
      }
    } finally {
      this.#hasSign = false;
      await Promise.race([client.end(), sleep(trialLimitMs, over.signal)]).catch(() => undefined); // it is gone already
      over.abort();
    }
  }
}

function readNotice(payload = ''): Notice | null {
  try {
    return NoticeSchema.parse(JSON.parse(payload));
  } catch {
    return null; // of another version, or of another program
  }
}

/** All Controllers of a database listen to it. */
export const noticeChannel = 'http_ae';

/** What Controllers on one database notify each other of. A notice may be lost: it only says sooner what the database says. */
const NoticeSchema = z.discriminatedUnion('kind', [
  /** There are messages for this Controller. */
  z.object({ kind: z.literal('messages'), to: z.uuid() }),
  /** Something about a Run changed. `from`: who knows already. */
  z.object({
    kind: z.literal('run'),
    from: z.uuid(),
    run: z.string().max(30),
    /** Whether by it a Run may be there to be taken. */
    isWork: z.boolean().default(false),
    /** Of Passes under way: how many Visits they have made, and the time of the last. */
    passes: z.array(z.tuple([z.uuid(), z.int().nonnegative(), z.number().nullable()])).default([]),
  }),
  /** A token was revoked. */
  z.object({ kind: z.literal('token'), token: z.string().max(30) }),
  /** A listening connection tries itself. */
  z.object({ kind: z.literal('trial'), of: z.uuid() }),
]);
export type Notice = z.infer<typeof NoticeSchema>;
