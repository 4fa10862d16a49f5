import pino from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RunLease } from '#controller/coordinator/own-run.ts';
import { HeldTime } from '../../../support/held-time.ts';
import { makeEvaluation } from '../../../support/sample-evaluation.ts';
import { PlayedDatabase } from '../support/played-database.ts';

let time: HeldTime;
let database: PlayedDatabase;
let states: string[];
/** Of the system clock. */
let leadMs: number;
let lease: RunLease;
beforeEach(() => {
  time = new HeldTime();
  database = new PlayedDatabase();
  states = [];
  leadMs = 0;
  lease = holdLease({ ageMs: 0 });
});
afterEach(() => {
  lease[Symbol.dispose]();
  expect(time.sleeperCount).toBe(0);
});

const holdLease = ({ ageMs }: { ageMs: number }) =>
  new RunLease({
    pool: database.pool,
    run: { id: '7', epoch: 1, seed: 1, state: 'running', evaluation: makeEvaluation() },
    claimedMs: time.clock() - ageMs,
    onState: (state) => states.push(state),
    time,
    readLead: () => leadMs,
    log: pino({ level: 'silent' }),
  });

const reasonOf = ({ lost }: RunLease) => (lost.aborted ? (lost.reason as Error).message : null);
const isWhole = () => [lease.lost.aborted, lease.mayOrder];

/** Two seconds, after which the database is asked, and answers. */
async function renew(state = 'running'): Promise<void> {
  await time.pass(2_000);
  expect(database.asked).toHaveLength(1);
  await database.answer([{ state }]);
}

test('a lease that is renewed every two seconds lasts, and reports what the database says of the Run', async () => {
  for (let renewed = 0; renewed < 30; renewed++) await renew();
  await renew('stopping');
  expect(isWhole()).toEqual([false, true]);
  expect(states.slice(-2)).toEqual(['running', 'stopping']);
});

test('an owner that the database does not answer gives the lease up two seconds before it ends, and orders until its last half second', async () => {
  await renew(); // asked and answered at 2 s: the lease ends at 12 s
  await time.pass(7_999);
  expect(isWhole()).toEqual([false, true]);
  await time.pass(1);
  expect(isWhole()).toEqual([true, true]);
  expect(reasonOf(lease)).toBe(
    'Cannot renew the lease of Run 7 within 8 s: the Run waits for a Controller that reaches the database',
  );
  await time.pass(1_499);
  expect(lease.mayOrder).toBe(true);
  await time.pass(1);
  expect(lease.mayOrder).toBe(false);
});

test('an answer counts from its question: one that took long renews the lease by less', async () => {
  await time.pass(7_500); // asked at 2 s
  await database.answer([{ state: 'running' }]);
  await time.pass(2_499);
  expect(isWhole()).toEqual([false, true]);
  await time.pass(1); // eight seconds after the last question that was answered
  expect(isWhole()).toEqual([true, true]);
});

test('a database that says nothing has one question, which holds one connection, and after its answer the next', async () => {
  await time.pass(7_900);
  expect(database.asked).toHaveLength(1);
  await database.answer([{ state: 'running' }]);
  expect(database.asked).toEqual([]);
  await time.pass(1_000); // at 8 s
  expect(database.asked).toHaveLength(1);
  await database.answer([{ state: 'running' }]);
  await time.pass(1_500);
  expect(isWhole()).toEqual([false, true]);
});

test('a database that fails is asked again, and the lease is lost only if it fails for eight seconds', async () => {
  for (let asked = 0; asked < 3; asked++) {
    await time.pass(2_000);
    await database.fail(new Error('Connection terminated'));
  }
  expect(isWhole()).toEqual([false, true]);
  await time.pass(1_999);
  expect(isWhole()).toEqual([false, true]);
  await time.pass(1);
  expect(isWhole()).toEqual([true, true]);
});

test('an owner that was replaced orders nothing from the moment that it learns that, and asks no more', async () => {
  await time.pass(2_000);
  await database.answer([]);
  expect(isWhole()).toEqual([true, false]);
  expect(reasonOf(lease)).toBe('Another Controller now owns Run 7');
  await time.pass(60_000);
  expect(database.asked).toEqual([]);
});

test('after a halt no order is sent in the last half second of the lease, although no timer has reported its end yet', () => {
  using late = holdLease({ ageMs: 9_600 });
  expect([late.lost.aborted, late.mayOrder]).toEqual([false, false]);
  using early = holdLease({ ageMs: 9_000 });
  expect([early.lost.aborted, early.mayOrder]).toEqual([false, true]);
});

test('an owner that stood still for a minute has lost its lease when it goes on, whatever the database then says', async () => {
  await time.standStill(60_000);
  expect(isWhole()).toEqual([true, false]);
  await database.answer([{ state: 'running' }]); // nobody has taken it: the next claim finds that out
  expect(lease.lost.aborted).toBe(true);
});

test('an owner whose machine was asleep orders nothing until the database has renewed its lease, though its own clock stood still', async () => {
  leadMs += 60_000;
  expect(isWhole()).toEqual([false, false]);
  await renew();
  expect(isWhole()).toEqual([false, true]);
  leadMs += 5_000; // the lease lasts that long
  expect(lease.mayOrder).toBe(true);
  leadMs -= 3_600_000; // somebody set the system clock back
  expect(lease.mayOrder).toBe(true);
});

test('an answer that comes after the Run is over starts nothing', async () => {
  await time.pass(2_000);
  lease[Symbol.dispose]();
  await database.answer([{ state: 'running' }]);
  expect(time.sleeperCount).toBe(0);
  await time.pass(60_000);
  expect(lease.lost.aborted).toBe(false);
});
