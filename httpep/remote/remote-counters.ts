import { EventEmitter } from 'node:events';
import {
  remoteUserHelp,
  rowsOfConnections,
  rowsOfUsers,
  CounterTable,
  type RemoteUserCounter,
  type CounterRow,
  type CounterSource,
} from '../counters/counter-help.ts';
import { RetransmissionReader } from '../counters/retransmission-reader.ts';
import type { RequestHead } from '../exchange/heads.ts';
import type { Tunnel } from '../tunnel/tunnel.ts';
import { PageLog, type LoggedPage, type PageCounts } from './page-log.ts';

/** Counts what one request needs, for its user and its page. */
export interface RequestCounters {
  add(name: RemoteUserCounter, by?: number): void;
  /** The head of its answer came. */
  answer(): void;
  /** Its last byte came, or it was given up. */
  end(): void;
}

interface CountersEvents {
  /** A page is over. */
  page: [PageCounts];
}

/** Of the remote end. */
export class RemoteCounters extends EventEmitter<CountersEvents> implements CounterSource, Disposable {
  readonly end = 'remote';
  readonly #tunnel: Tunnel;
  readonly #kernel = new RetransmissionReader();
  readonly #users = new CounterTable(remoteUserHelp);
  readonly #pages = new PageLog((page) => this.emit('page', page));

  constructor(tunnel: Tunnel) {
    super();
    this.#tunnel = tunnel;
  }

  add(user: string, name: RemoteUserCounter, by = 1): void {
    this.#users.add(user, name, by);
  }

  /** For a request that has just come. */
  begin(head: RequestHead): RequestCounters {
    const { page, isNew } = this.#pages.find(head);
    const startMs = performance.now();
    const add = (name: RemoteUserCounter, by = 1) => {
      this.#users.add(head.user, name, by);
      if (page) addToPage(page, name, by);
    };
    add('requests');
    if (isNew) add('pages');
    return {
      add,
      answer: () => {
        const waitMs = performance.now() - startMs;
        add('answers');
        add('waitMs', waitMs);
        if (isNew && page) page.counts.firstWaitMs = waitMs;
      },
      end: () => {
        if (page) page.counts.totalMs = performance.now() - page.startMs;
      },
    };
  }

  readRows(): CounterRow[] {
    return [...rowsOfUsers(this.#users.rows), ...rowsOfConnections(this.#tunnel.connectionCounts)];
  }

  refresh(): Promise<void> {
    return this.#kernel.refresh(this.#tunnel.watchedConnections);
  }

  /** Ends all pages. */
  [Symbol.dispose](): void {
    this.#pages[Symbol.dispose]();
  }
}

function addToPage(page: LoggedPage, name: RemoteUserCounter, by: number): void {
  page.activeMs = performance.now();
  if (name in page.counts) page.counts[name as 'requests'] += by;
}
