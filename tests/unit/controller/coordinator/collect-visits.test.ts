import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { collectVisits } from '#controller/coordinator/collect-visits.ts';
import type { RunContext } from '#controller/coordinator/run-context.ts';
import type { UploadEvents } from '#controller/ingest/accept-uploads.ts';
import { HeldTime, settle } from '../../../support/held-time.ts';
import { PlayedDatabase } from '../support/played-database.ts';

const passes = [
  { id: 'a', userAgent: 'alice', agent: 'laptop', visitsExpected: 3 },
  { id: 'b', userAgent: 'bob', agent: 'desktop', visitsExpected: 2 },
];

let time: HeldTime;
let database: PlayedDatabase;
let uploads: EventEmitter<UploadEvents>;
let stored: Record<string, number>;
let unstorable: object[];
let asked: string[];
let stop: AbortController;
let end: string | null;
beforeEach(async () => {
  time = new HeldTime();
  database = new PlayedDatabase();
  uploads = new EventEmitter();
  stop = new AbortController();
  [stored, unstorable, asked, end] = [{}, [], [], null];
  database.knows.set('count(visit.id)', () => Object.entries(stored).map(([id, count]) => ({ id, stored: count })));
  database.knows.set('from refused_visit', () => unstorable);
  const context = {
    hub: { send: (agent: string) => void asked.push(agent) },
    store: (work) => work(database.pool),
    uploads,
    signal: stop.signal,
    time,
  } as Pick<RunContext, 'store' | 'uploads' | 'signal' | 'time'> as RunContext;
  collectVisits(context, { id: 'round', passes }).then(
    () => (end = 'all'),
    (error: unknown) => (end = (error as Error).message),
  );
  await settle();
});
afterEach(async () => {
  stop.abort(new Error('The test is over'));
  await settle();
  expect([time.sleeperCount, uploads.listenerCount('stored')]).toEqual([0, 0]);
});

async function store(id: string, agent: string): Promise<void> {
  stored[id] = (stored[id] ?? 0) + 1;
  uploads.emit('stored', { agent, passIds: [id], isRefused: false });
  await settle();
}

test('the Agents whose Visits are missing are asked again every two seconds, as they may be back', async () => {
  expect(asked.splice(0)).toEqual(['laptop', 'desktop']);
  for (let visit = 0; visit < 3; visit++) await store('a', 'laptop');
  await time.pass(2_000);
  expect(asked.splice(0)).toEqual(['desktop']);
  await time.pass(6_000);
  expect(asked.splice(0)).toEqual(['desktop', 'desktop', 'desktop']);
  for (let visit = 0; visit < 2; visit++) await store('b', 'desktop');
  expect(end).toBe('all');
});

test('Visits that another Controller stored, and nobody reported, are found by the next look', async () => {
  stored = { a: 3, b: 2 };
  await time.pass(1_999);
  expect(end).toBeNull();
  await time.pass(1);
  expect(end).toBe('all');
});

test('Agents that send nothing for two minutes break the Round by the names of their User Agents', async () => {
  await store('b', 'desktop');
  await time.pass(100_000);
  await store('b', 'desktop');
  await time.pass(2_000); // the look that sees it
  await time.pass(120_000);
  expect(end).toBeNull();
  await time.pass(2_000);
  expect(end).toBe('The Visits of alice did not arrive within 120 s');
});

test('one Visit in two minutes is enough to be waited for', async () => {
  for (const [id, agent] of [
    ['a', 'laptop'],
    ['b', 'desktop'],
    ['a', 'laptop'],
    ['b', 'desktop'],
  ] as const) {
    await time.pass(118_000);
    await store(id, agent);
    expect(end).toBeNull();
  }
  await time.pass(118_000);
  await store('a', 'laptop');
  await time.pass(2_000);
  expect(end).toBe('all');
});

test('a Visit that cannot be stored breaks the Round at once', async () => {
  unstorable = [{ pass_id: 'b', visits: 1 }];
  uploads.emit('stored', { agent: 'desktop', passIds: [], isRefused: true });
  await settle();
  expect(end).toBe("Cannot store Visits, 1 of bob: their Agent keeps them; see the Controller's log");
});
