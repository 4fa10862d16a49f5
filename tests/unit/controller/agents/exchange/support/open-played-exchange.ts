import { EventEmitter } from 'node:events';
import pino from 'pino';
import { openExchange, type Exchange } from '#controller/agents/exchange/open-exchange.ts';
import type { AgentHub } from '#controller/agents/agent-hub.ts';
import type { LineBoard } from '#controller/agents/line-board.ts';
import type { ListeningLine } from '#controller/database/listening-line.ts';
import { HeldTime } from '#tests/support/held-time.ts';
import { PlayedDatabase } from '../../../support/played-database.ts';

/** Has one Agent, whose token may be revoked. */
class PlayedHub extends EventEmitter {
  readonly load = { agents: 1 };
  readonly tokens = ['7'];
  readonly dropped: string[] = [];
  admitWhile = () => undefined;
  dropToken = (token: string) => void this.dropped.push(token);
}

export interface PlayedExchange extends AsyncDisposable {
  exchange: Exchange;
  time: HeldTime;
  database: PlayedDatabase;
  listening: EventEmitter;
  hub: PlayedHub;
}

/** What the Controller "here" has of the exchange, with so many others on its database. */
export function openPlayedExchange({ others }: { others: number }): PlayedExchange {
  const [time, database, hub, ending] = [new HeldTime(), new PlayedDatabase(), new PlayedHub(), new AbortController()];
  const listening = new EventEmitter();
  database.knows.set('from controller_message', () => []);
  const board = Object.assign(new EventEmitter(), { id: 'here', others, isCut: false });
  const exchange = openExchange({
    pool: database.pool,
    listening: listening as unknown as ListeningLine,
    hub: hub as unknown as AgentHub,
    board: board as unknown as LineBoard,
    uploads: new EventEmitter(),
    sleep: time.sleep,
    log: pino({ level: 'silent' }),
    signal: ending.signal,
  });
  return {
    exchange,
    time,
    database,
    listening,
    hub,
    [Symbol.asyncDispose]: async () => {
      await exchange[Symbol.asyncDispose]();
      ending.abort();
    },
  };
}
