import { EventEmitter } from 'node:events';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AgentHub } from '#controller/agents/agent-hub.ts';
import { LineBoard } from '#controller/agents/line-board.ts';
import { HeldTime, settle } from '../../../support/held-time.ts';
import { PlayedDatabase } from '../support/played-database.ts';

/** The statement by which a Controller says that it lives. */
const announcement = 'insert into controller';

let time: HeldTime;
let database: PlayedDatabase;
let hub: EventEmitter & Pick<AgentHub, 'lineOf'>;
let board: LineBoard;
let events: string[];
beforeEach(() => {
  time = new HeldTime();
  database = new PlayedDatabase();
  database.knows.set('with removed as', () => []);
  database.knows.set('delete from controller where id = ', () => []);
  hub = Object.assign(new EventEmitter(), { lineOf: () => 1 });
  board = new LineBoard({
    pool: database.pool,
    hub: hub as unknown as AgentHub,
    name: 'here',
    oneRunAtATime: false,
    hasSign: () => true,
    sleep: time.sleep,
    log: pino({ level: 'silent' }),
  });
  events = [];
  board.on('announced', () => events.push('announced'));
  board.on('cut', () => events.push('cut'));
});
afterEach(async () => {
  database.knows.set(announcement, () => [{ others: 1 }]);
  await database.answer([{ others: 1 }]);
  await board[Symbol.asyncDispose]();
  expect(time.sleeperCount).toBe(0);
});

async function start({ others }: { others: number }): Promise<void> {
  board.start();
  await settle();
  await database.answer([{ others }]);
  expect(board.others).toBe(others);
  events = [];
}

test('a Controller says every two seconds that it lives, one statement at a time', async () => {
  database.knows.set(announcement, () => [{ others: 1 }]);
  board.start();
  await time.pass(10_000);
  expect(events).toEqual(Array.from({ length: 6 }, () => 'announced'));
  database.knows.delete(announcement);
  await time.pass(4_000);
  hub.emit('connected', 'laptop');
  hub.emit('connected', 'desktop');
  await settle();
  expect(database.asked).toHaveLength(1);
  await database.answer([{ others: 1 }]);
  expect(database.asked).toHaveLength(1); // with all that came meanwhile
});

test('a Controller that the database does not answer three times lets its Agents go to the others', async () => {
  await start({ others: 1 });
  await time.pass(5_999);
  expect([events, board.isCut]).toEqual([[], false]);
  await time.pass(1);
  expect([events, board.isCut]).toEqual([['cut'], true]);
  await time.pass(2_000);
  expect(events).toEqual(['cut', 'cut']); // who has come meanwhile is to go too
  await database.answer([{ others: 1 }]);
  expect(board.isCut).toBe(false);
});

test('a database that fails is away as much as one that says nothing', async () => {
  await start({ others: 1 });
  for (let tick = 0; tick < 3; tick++) {
    expect(board.isCut).toBe(false);
    await time.pass(2_000);
    await database.fail(new Error('Connection terminated'));
  }
  expect(events).toEqual(['cut']);
});

test('a Controller that is alone keeps its Agents: there is nowhere to go', async () => {
  await start({ others: 0 });
  await time.pass(600_000);
  expect([events, board.isCut]).toEqual([[], false]);
});

test('time in which the process stood still does not count', async () => {
  await start({ others: 1 });
  await time.standStill(60_000);
  expect([events, board.isCut]).toEqual([[], false]);
});

test('a Controller that ends says that it is gone, and nothing later', async () => {
  await start({ others: 1 });
  await board[Symbol.asyncDispose]();
  expect(database.heard.at(-1)).toContain('delete from controller where id = ');
  const heard = database.heard.length;
  hub.emit('disconnected', 'laptop');
  await time.pass(60_000);
  expect(database.heard).toHaveLength(heard);
});
