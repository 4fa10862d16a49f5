import { afterEach, beforeEach, expect, test } from 'vitest';
import { UploadTurns } from '#controller/agents/upload-turns.ts';
import { HeldTime } from '../../../support/held-time.ts';

const mebibyte = 1024 * 1024;
let granted: string[];
let givenUp: string[];
let turns: UploadTurns;
let time: HeldTime;

beforeEach(() => {
  time = new HeldTime();
  [granted, givenUp] = [[], []];
  turns = new UploadTurns({ grant: (agent) => granted.push(agent), giveUp: (agent) => givenUp.push(agent), time });
});
afterEach(() => {
  for (const agent of [...nameAll(300), 'early', 'idle']) turns.forget(agent);
  expect(time.sleeperCount).toBe(0);
});

const nameAll = (count: number) => Array.from({ length: count }, (_, index) => `agent ${index}`);
const receive = (agent: string, bytes = mebibyte) => turns.receive(agent, { bytes, isEmpty: false })!;

test('of many Agents a few send at a time, in order, and each that is stored lets the next one send', () => {
  const agents = nameAll(300);
  for (const agent of agents) turns.request(agent);
  expect(granted).toEqual(agents.slice(0, 32));
  const ends = granted.map((agent) => receive(agent));
  expect(granted).toHaveLength(32); // 32 MiB are in work, more than is meant to be
  for (const end of ends.slice(0, 31)) end();
  expect(granted.length).toBeGreaterThan(32);
  expect(granted).toEqual(agents.slice(0, granted.length));
});

test('Agents that are known to send much get fewer turns at a time', () => {
  for (const agent of nameAll(32)) {
    turns.request(agent);
    receive(agent)();
  }
  granted.length = 0;
  for (const agent of nameAll(32)) turns.request(agent);
  expect(granted).toHaveLength(4);
});

test('a slow Agent does not hold up the others, and one that sends nothing for a minute is given up', async () => {
  for (const agent of nameAll(70)) turns.request(agent);
  await time.pass(5_000);
  expect(granted).toHaveLength(64);
  await time.pass(55_000);
  expect(givenUp).toContain('agent 0');
  for (const agent of givenUp) turns.forget(agent);
  expect(granted).toHaveLength(70);
});

test('what comes out of turn is none of it, and an Agent that had nothing is not asked again at once unless it asks itself', async () => {
  expect(turns.receive('early', { bytes: 1, isEmpty: false })).toBeNull();
  turns.ask('idle');
  turns.receive('idle', { bytes: 1, isEmpty: true });
  turns.ask('idle');
  expect(granted).toEqual(['idle']);
  turns.request('idle');
  expect(granted).toEqual(['idle', 'idle']);
  turns.receive('idle', { bytes: 1, isEmpty: true });
  await time.pass(500);
  turns.ask('idle');
  expect(granted).toHaveLength(3);
});
