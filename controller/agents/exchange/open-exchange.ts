import type { EventEmitter } from 'node:events';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { actEvery, oneAtATime, realTime, type Time } from '#core/clock/time.ts';
import { assertNever } from '#core/assert-never.ts';
import type { ListeningLine, Notice } from '../../database/listening-line.ts';
import { sendNotice } from './controllers.ts';
import { findRevoked } from '../../people/tokens.ts';
import type { AgentHub } from '../agent-hub.ts';
import type { LineBoard } from '../line-board.ts';
import type { UploadEvents } from '../../ingest/accept-uploads.ts';
import { AgentReach } from './agent-reach.ts';
import { Inbox } from './inbox.ts';
import { Outbox } from './outbox.ts';
import { OwnerRelay } from './owner-relay.ts';
import type { PassProgress } from '../../runs/run-control.ts';

/** Watchers see no more than four changes a second. */
const gatherMs = 250;
/** As many as one notice has room for. */
const mostPassesOfNotice = 100;

interface NoticesOptions {
  /** Of this Controller. */
  id: string;
  /** Whether there are other Controllers, whose watchers are to see it. */
  isShared: () => boolean;
  notify: (notice: Notice) => void;
}

/** A notice may be lost. */
const readEveryMs = 2_000;

interface ExchangeOptions {
  pool: Pool;
  listening: ListeningLine;
  hub: AgentHub;
  board: LineBoard;
  uploads: EventEmitter<UploadEvents>;
  /** As time passes unless given. */
  sleep?: Time['sleep'] | undefined;
  log: Logger;
  signal: AbortSignal;
}

export type RunNotice = Extract<Notice, { kind: 'run' }>;

/** What passes between the Controllers on one database. With one Controller, nothing does. */
export interface Exchange extends AsyncDisposable {
  reach: AgentReach;
  start: () => void;
  /** Whether a Run of another Controller needs this Agent. */
  isNeeded: (agent: string) => boolean;
  /** Informs the others, if there are any, that a Run may be there to be taken, or is to be stopped or paused. */
  announceRun: (runId: string) => void;
  /** Informs them of changes of a Run that this Controller owns. */
  changes: Pick<ChangeNotices, 'note'>;
  /** Calls the listener when another Controller changed a Run. */
  onRun: (listener: (notice: RunNotice) => void) => void;
  /** Has the others end the lines of Agents that came with this token. */
  announceRevoked: (tokenId: string) => void;
}

/** Disposing of it sends what is still to be sent. */
export function openExchange({
  pool,
  listening,
  hub,
  board,
  uploads,
  sleep = realTime.sleep,
  log,
  signal,
}: ExchangeOptions): Exchange {
  const { id } = board;
  const outbox = new Outbox({ pool, id, log, signal });
  const reach = new AgentReach({ pool, hub, board, outbox, log });
  const relay = new OwnerRelay({ pool, hub, board, uploads, outbox, log, signal });
  const inbox = new Inbox({
    pool,
    id,
    onMessage: (from, message) => {
      switch (message.kind) {
        case 'order':
          return relay.order(from, message);
        case 'stored':
          return uploads.emit('stored', { ...message, isElsewhere: true });
        case 'line-began':
        case 'line-ended':
        case 'said':
          return reach.hear(from, message);
        default:
          return assertNever(message);
      }
    },
    log,
    signal,
  });
  const listeners = new Set<(notice: RunNotice) => void>();

  hub.admitWhile(() => !board.isCut);
  board.on('cut', () => {
    if (hub.load.agents > 0) log.warn('The database does not answer: the Agents are to go to another Controller');
    outbox.clear();
    hub.breakLines();
  });
  const dropRevoked = oneAtATime(async () => {
    if (hub.load.agents === 0) return;
    try {
      for (const token of await findRevoked(pool, hub.tokens)) hub.dropToken(token);
    } catch (error) {
      log.warn({ err: error }, 'Cannot look for tokens that were revoked');
    }
  });
  listening.on('open', () => {
    inbox.wake();
    if (board.others > 0) dropRevoked();
  });
  listening.on('notice', (notice) => {
    if (notice.kind === 'messages' && notice.to === id) inbox.wake();
    if (notice.kind === 'run' && notice.from !== id) for (const listener of listeners) listener(notice);
    if (notice.kind === 'token') hub.dropToken(notice.token);
  });
  const over = new AbortController();

  const notify = (notice: Notice) => {
    if (board.others > 0)
      sendNotice(pool, JSON.stringify(notice)).catch((error: unknown) =>
        log.debug({ err: error }, 'Cannot notify the other Controllers; they look for changes by themselves'),
      );
  };
  const changes = new ChangeNotices({ id, isShared: () => board.others > 0, notify });

  return {
    reach,
    changes,
    start: () => {
      const read = () => {
        if (board.others === 0) return;
        inbox.wake();
        dropRevoked();
      };
      actEvery(readEveryMs, read, { sleep, signal: over.signal });
    },
    isNeeded: (agent) => relay.isNeeded(agent),
    announceRun: (run) => notify({ kind: 'run', from: id, run, isWork: true, passes: [] }),
    announceRevoked: (token) => notify({ kind: 'token', token }),
    onRun: (listener) => void listeners.add(listener),
    [Symbol.asyncDispose]: async () => {
      over.abort();
      changes[Symbol.dispose]();
      await outbox.settled();
    },
  };
}

/** Informs other Controllers of changes of the Runs that this one owns, and how far their Passes are: their watchers see them as soon as those here. */
class ChangeNotices implements Disposable {
  readonly #options: NoticesOptions;
  /** By Run and Pass, what changed since the last notices. */
  #changes = new Map<string, Map<string, PassProgress>>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: NoticesOptions) {
    this.#options = options;
  }

  note(runId: string, passes: ReadonlyMap<string, PassProgress> = new Map()): void {
    if (!this.#options.isShared()) return;
    const changed = this.#changes.get(runId) ?? new Map<string, PassProgress>();
    for (const [passId, progress] of passes) changed.set(passId, progress);
    this.#changes.set(runId, changed);
    this.#timer ??= setTimeout(() => this.#send(), gatherMs);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }

  #send(): void {
    const { id, notify } = this.#options;
    this.#timer = undefined;
    for (const [run, changed] of this.#changes) {
      const passes = [...changed].map(
        ([passId, { visitsMade, lastTotalMs }]) => [passId, visitsMade, lastTotalMs] as [string, number, number | null],
      );
      for (let from = 0; from === 0 || from < passes.length; from += mostPassesOfNotice)
        notify({ kind: 'run', from: id, run, isWork: false, passes: passes.slice(from, from + mostPassesOfNotice) });
    }
    this.#changes.clear();
  }
}
