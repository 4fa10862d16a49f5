import { EventEmitter } from 'node:events';
import pino from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import { DiskSpace } from '#controller/captures/artefacts/disk-space.ts';
import { SiteReader } from '#controller/sites/site-reader.ts';
import { LiveProgress } from '#controller/coordinator/live-progress.ts';
import { ownRun, Shutdown, StopRequest } from '#controller/coordinator/own-run.ts';
import type { Exchange } from '#controller/agents/exchange/open-exchange.ts';
import { HeldTime, settle } from '../../../support/held-time.ts';
import { makeEvaluation } from '../../../support/sample-evaluation.ts';
import { PlayedDatabase } from '../support/played-database.ts';

const renewal = 'update run set owner_until = now() + make_interval';
const release = 'update run set owner = null';
const end = 'owner = null, owner_until = null,';

let time: HeldTime;
let database: PlayedDatabase;
let stop: AbortController;
let closing: AbortController;
let isOver: boolean;
/** Whom the Run wants, as far as it still does. */
let wanted: string[];
beforeEach(async () => {
  time = new HeldTime();
  database = new PlayedDatabase();
  [stop, closing] = [new AbortController(), new AbortController()];
  [isOver, wanted] = [false, []];
  const reach = Object.assign(new EventEmitter(), {
    isConnected: () => false,
    look: () => Promise.resolve(),
    want: (names: string[]) => {
      wanted = names;
      return () => (wanted = []);
    },
  });
  const run = { id: '7', epoch: 3, seed: 1, state: 'running', evaluation: makeEvaluation() } as const;
  void ownRun(run, {
    pool: database.pool,
    disk: new DiskSpace([]),
    siteReader: new SiteReader(),
    storeWatch: { problem: null },
    exchange: { reach } as unknown as Exchange,
    uploads: new EventEmitter(),
    metrics: { countRound: () => undefined },
    live: new LiveProgress(),
    claimedMs: time.clock(),
    hosts: ['laptop'],
    stop,
    closing: closing.signal,
    notify: () => undefined,
    time,
    log: pino({ level: 'silent' }),
  }).then(() => (isOver = true));
  await settle();
});

/** What it wrote of the Run, without the renewals of its lease. */
const written = () => database.heard.filter((text) => /update|insert/.test(text) && !text.includes(renewal));

describe('an owner whose database says nothing', () => {
  test('leaves the Run eight seconds after its claim, and writes nothing', async () => {
    expect(wanted).toEqual(['laptop']);
    await time.pass(7_999);
    expect(isOver).toBe(false);
    await time.pass(1);
    expect([isOver, wanted, written()]).toEqual([true, [], []]);
    expect(time.sleeperCount).toBe(0);
  });

  test('leaves it as soon while it is stopped, or shut down', async () => {
    stop.abort(new StopRequest());
    closing.abort(new Shutdown());
    await time.pass(7_999);
    expect(isOver).toBe(false);
    await time.pass(1);
    expect([isOver, written(), time.sleeperCount]).toEqual([true, [], 0]);
  });

  test('but renews the lease waits for the rest without end, and no longer than 20 s of a shutdown', async () => {
    database.knows.set(renewal, () => [{ state: 'running' }]);
    database.knows.set(release, () => []);
    await time.pass(600_000);
    expect(isOver).toBe(false);
    closing.abort(new Shutdown());
    await time.pass(19_999);
    expect([isOver, written()]).toEqual([false, []]);
    await time.pass(1);
    expect([isOver, written().length]).toEqual([true, 1]); // it lets go, so that the next owner need not wait
    expect(written()[0]).toContain(release);
  });
});

test('an owner that learns that it was replaced writes nothing more', async () => {
  database.knows.set(renewal, () => []);
  await time.pass(2_000);
  expect([isOver, written(), time.sleeperCount]).toEqual([true, [], 0]);
});

test('a Run that another Controller was asked to stop is stopped at the next renewal', async () => {
  database.knows.set(renewal, () => [{ state: 'stopping' }]);
  database.knows.set(end, () => [{}]);
  database.knows.set('select', () => []);
  await database.answer([]);
  await time.pass(1_999);
  expect(isOver).toBe(false);
  await time.pass(1);
  expect(isOver).toBe(true);
  expect(written().at(-1)).toContain('["7",3,"stopped",null]');
});

test('a Run whose Agents stay away is given up after five minutes', async () => {
  database.knows.set(renewal, () => [{ state: 'running' }]);
  database.knows.set(end, () => [{}]);
  database.knows.set('select', () => []);
  await database.answer([]);
  await time.pass(299_999);
  expect(isOver).toBe(false);
  await time.pass(1);
  expect(isOver).toBe(true);
  expect(written().at(-1)).toMatch(/\["7",3,"failed","\\"laptop\\" did not connect within 300 s/);
});

test('a paused Run begins nothing, however long that takes, before it is resumed', async () => {
  let isPaused = true;
  database.knows.set(renewal, () => [{ state: 'running' }]);
  database.knows.set(end, () => [{}]);
  database.knows.set('as is_paused', () => [{ is_paused: isPaused }]);
  database.knows.set('select', () => []);
  await database.answer([]);
  await time.pass(900_000);
  expect(isOver).toBe(false);
  isPaused = false;
  // Half a second later at the latest, it waits for its Agents.
  await time.pass(300_000);
  expect(isOver).toBe(false);
  await time.pass(500);
  expect(isOver).toBe(true);
  expect(written().at(-1)).toContain('did not connect within 300 s');
});
