import { EventEmitter } from 'node:events';
import pino from 'pino';
import { expect, test } from 'vitest';
import { openExchange } from '#controller/agents/exchange/open-exchange.ts';
import type { ListeningLine } from '#controller/database/listening-line.ts';
import type { AgentHub } from '#controller/agents/agent-hub.ts';
import type { LineBoard } from '#controller/agents/line-board.ts';
import { HeldTime, settle } from '../../../../support/held-time.ts';
import { PlayedDatabase } from '../../support/played-database.ts';

/** Has one Agent, whose token may be revoked. */
class PlayedHub extends EventEmitter {
  readonly load = { agents: 1 };
  readonly tokens = ['7'];
  readonly dropped: string[] = [];
  admitWhile = () => undefined;
  dropToken = (token: string) => void this.dropped.push(token);
}

test('a database that says nothing is asked once for revoked tokens, and again after its answer', async () => {
  const [time, database, hub, ending] = [new HeldTime(), new PlayedDatabase(), new PlayedHub(), new AbortController()];
  database.knows.set('from controller_message', () => []);
  const board = Object.assign(new EventEmitter(), { id: 'here', others: 1, isCut: false });
  await using exchange = openExchange({
    pool: database.pool,
    listening: new EventEmitter() as unknown as ListeningLine,
    hub: hub as unknown as AgentHub,
    board: board as unknown as LineBoard,
    uploads: new EventEmitter(),
    sleep: time.sleep,
    log: pino({ level: 'silent' }),
    signal: ending.signal,
  });
  exchange.start();
  await time.pass(60_000);
  expect(database.asked).toEqual([expect.stringContaining('revoked_at is null')]);
  await database.answer([{ id: '7' }]);
  await settle();
  expect([hub.dropped, database.asked]).toEqual([['7'], []]);
  await time.pass(2_000);
  expect(database.asked).toHaveLength(1);
  await database.answer([]);
  ending.abort();
});
