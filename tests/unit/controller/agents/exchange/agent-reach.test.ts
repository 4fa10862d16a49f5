import { EventEmitter } from 'node:events';
import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { AgentReach } from '#controller/agents/exchange/agent-reach.ts';
import type { Outbox } from '#controller/agents/exchange/outbox.ts';
import type { AgentHub } from '#controller/agents/agent-hub.ts';
import { LineBoard } from '#controller/agents/line-board.ts';
import type { ControllerMessage } from '#core/protocol/agent-messages.ts';
import { HeldTime, settle } from '../../../../support/held-time.ts';
import { hostFacts } from '../../../../support/sample-host-facts.ts';
import { PlayedDatabase } from '../../support/played-database.ts';

/** The Agents that are connected here. */
class PlayedHub extends EventEmitter {
  readonly lines = new Map<string, number>();
  readonly did: string[] = [];
  lineOf = (agent: string) => this.lines.get(agent) ?? null;
  send = (agent: string, { type }: ControllerMessage) => void this.did.push(`${type} to ${agent}`);
  breakLine = (agent: string) => void this.did.push(`break ${agent}`);

  comes(agent: string, line: number): void {
    this.lines.set(agent, line);
    this.emit('connected', agent, { facts: hostFacts, passes: [] });
  }
  goes(agent: string): void {
    this.lines.delete(agent);
    this.emit('disconnected', agent);
  }
}

const there = 'a0000000-0000-4000-8000-000000000000';
const elsewhere = 'b0000000-0000-4000-8000-000000000000';

let time: HeldTime;
let database: PlayedDatabase;
/** What the database has of Agents at other Controllers; null: it does not answer. */
let lines: { agent: string; controller: string; line: string }[] | null;
let hub: PlayedHub;
let board: LineBoard;
let hasRoom: boolean;
let sent: string[];
let reach: AgentReach;
let events: string[];
beforeEach(async () => {
  time = new HeldTime();
  hub = new PlayedHub();
  lines = [];
  database = new PlayedDatabase();
  database.knows.set('with removed as', () => []);
  database.knows.set('insert into controller', () => [{ others: 1 }]);
  database.knows.set('delete from controller', () => []);
  database.knows.set('select name, facts from agent', () => [{ name: 'laptop', facts: hostFacts }]);
  const log = pino({ level: 'silent' });
  board = new LineBoard({
    pool: database.pool,
    hub: hub as unknown as AgentHub,
    name: 'here',
    oneRunAtATime: false,
    hasSign: () => true,
    sleep: time.sleep,
    log,
  });
  [sent, events, hasRoom] = [[], [], true];
  const outbox: Pick<Outbox, 'push'> = {
    push: (to, message) => {
      if (hasRoom) sent.push(`${message.kind} by ${to}`);
      return hasRoom;
    },
  };
  reach = new AgentReach({
    pool: database.pool,
    hub: hub as unknown as AgentHub,
    board,
    outbox: outbox as Outbox,
    log,
  });
  reach.on('connected', (agent) => events.push(`${agent} came`));
  reach.on('disconnected', (agent) => events.push(`${agent} went`));
  reach.want(['laptop']);
  board.start();
  await settle();
});
afterEach(async () => {
  await database.answer([]);
  await board[Symbol.asyncDispose]();
});

/** Two seconds, in which this Controller announces itself and looks for the Agents at others. */
async function lookAgain(): Promise<void> {
  await time.pass(2_000);
  if (lines === null) return;
  const rows = lines;
  expect(database.asked.every((text) => text.includes('select agent, controller, line from held'))).toBe(true);
  await database.answer(rows);
}

const cameThere = (line: number, controller = there) =>
  reach.hear(controller, { kind: 'line-began', agent: 'laptop', line, facts: hostFacts, passes: [] });
const takeEvents = () => events.splice(0);

test('an Agent at a Controller that was killed is gone when the database has no line of it twice, and not sooner', async () => {
  lines = [{ agent: 'laptop', controller: there, line: '7' }];
  cameThere(7);
  expect(takeEvents()).toEqual(['laptop came']);
  await lookAgain();
  lines = [];
  await lookAgain();
  expect([takeEvents(), reach.isElsewhere('laptop')]).toEqual([[], true]);
  await lookAgain();
  expect([takeEvents(), reach.isConnected('laptop')]).toEqual([['laptop went'], false]);
});

test('a line that is announced after the look is missed once, which ends nothing', async () => {
  cameThere(7);
  takeEvents();
  for (let look = 0; look < 5; look++) {
    lines = [];
    await lookAgain();
    lines = [{ agent: 'laptop', controller: there, line: '7' }];
    await lookAgain();
  }
  expect(takeEvents()).toEqual([]);
});

test('a database that says nothing ends no line', async () => {
  cameThere(7);
  takeEvents();
  lines = null;
  for (let look = 0; look < 30; look++) await lookAgain();
  await database.fail(new Error('Connection terminated'));
  expect([takeEvents(), reach.isConnected('laptop')]).toEqual([[], true]);
});

test('an Agent that goes to another Controller and comes back is where its last line is, whoever reports first', () => {
  hub.comes('laptop', 1);
  reach.send('laptop', { type: 'upload-visits' });
  expect([takeEvents(), hub.did.splice(0), sent]).toEqual([['laptop came'], ['upload-visits to laptop'], []]);

  cameThere(2); // the hub has not seen the end of its line yet
  expect([takeEvents(), hub.did.splice(0)]).toEqual([['laptop went', 'laptop came'], ['break laptop']]);
  hub.goes('laptop');
  expect([takeEvents(), reach.isElsewhere('laptop')]).toEqual([[], true]);
  reach.send('laptop', { type: 'upload-visits' });
  expect([hub.did, sent.splice(0)]).toEqual([[], [`order by ${there}`]]);

  cameThere(3, elsewhere);
  reach.hear(there, { kind: 'line-ended', agent: 'laptop', line: 2 }); // late, and of the line before
  cameThere(2); // as late
  expect(takeEvents()).toEqual(['laptop went', 'laptop came']);
  reach.send('laptop', { type: 'upload-visits' });
  expect(sent.splice(0)).toEqual([`order by ${elsewhere}`]);

  hub.comes('laptop', 4);
  reach.hear(elsewhere, { kind: 'line-ended', agent: 'laptop', line: 3 });
  expect([takeEvents(), reach.isElsewhere('laptop'), reach.isConnected('laptop')]).toEqual([
    ['laptop went', 'laptop came'],
    false,
    true,
  ]);
});

test('an Agent that another Controller reports once more has not gone meanwhile', () => {
  cameThere(7);
  cameThere(7);
  expect(takeEvents()).toEqual(['laptop came']);
  reach.hear(there, { kind: 'line-ended', agent: 'laptop', line: 7 });
  reach.hear(there, { kind: 'line-ended', agent: 'laptop', line: 7 });
  expect(takeEvents()).toEqual(['laptop went']);
});

test('an Agent that is found by a look is there, and its Controller reports what it holds', async () => {
  const looking = reach.look(['laptop']);
  await settle();
  await database.answer([{ agent: 'laptop', controller: there, line: '7' }]);
  await looking;
  expect([reach.isElsewhere('laptop'), takeEvents()]).toEqual([true, []]);
  cameThere(7);
  expect(takeEvents()).toEqual(['laptop came']);
});

test('an order that has no room on the way to another Controller ends the line, and is not lost in silence', () => {
  cameThere(7);
  takeEvents();
  hasRoom = false;
  reach.send('laptop', { type: 'upload-visits' });
  expect([takeEvents(), reach.isConnected('laptop')]).toEqual([['laptop went'], false]);
});
