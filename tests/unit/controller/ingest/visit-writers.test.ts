import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { beforeEach, expect, test } from 'vitest';
import { VisitWriters } from '#controller/ingest/visit-writers.ts';
import type { Queryable } from '#controller/database/queryable.ts';
import type { VisitRow } from '#controller/visits/store-visits.ts';
import { settle } from '#tests/support/held-time.ts';

interface Statement {
  ids: string[];
  end: PromiseWithResolvers<{ rows: never[]; rowCount: number }>;
}

/** Statements that PostgreSQL was given and has not ended. */
let open: Statement[];
let writers: VisitWriters;
beforeEach(() => {
  open = [];
  const query = (_text: string, values: unknown[]) => {
    const end: Statement['end'] = Promise.withResolvers();
    const isIds = (value: unknown): value is string[] => Array.isArray(value) && `${value[0]}`.startsWith('visit ');
    open.push({ ids: values.find(isIds)!, end });
    return end.promise;
  };
  writers = new VisitWriters({ query } as unknown as Queryable, pino({ level: 'silent' }));
});

const row = (name: string, bytes = 0) =>
  ({
    id: `visit ${name}`,
    pass_id: randomUUID(),
    snapshot: bytes === 0 ? null : new Uint8Array(bytes),
  }) as unknown as VisitRow;
const rows = (agent: string, count: number, bytes = 0) =>
  Array.from({ length: count }, (_, index) => row(`${agent} ${index}`, bytes));
/** How many Visits of each Agent an open statement has, in their order. */
const sharesOf = ({ ids }: Statement) =>
  Object.entries(Object.groupBy(ids, (id) => id.split(' ')[1]!)).map(([agent, own]) => `${agent} ${own!.length}`);
async function end(statement: Statement, error?: Error): Promise<void> {
  open = open.filter((each) => each !== statement);
  if (error) statement.end.reject(error);
  else statement.end.resolve({ rows: [], rowCount: 0 });
  await settle();
}
const dataError = () => Object.assign(new Error('invalid byte sequence'), { code: '22021' });
function isOpen(storing: Promise<unknown>): Promise<boolean> {
  return Promise.race([storing.then(() => false), settle().then(() => true)]);
}

test('nothing is stored of nothing', async () => {
  expect(await writers.store('a', [])).toEqual(new Set());
  expect(open).toEqual([]);
});

test('the first Visits are stored at once, and small ones that come meanwhile together', async () => {
  const first = writers.store('a', rows('a', 2));
  void writers.store('b', rows('b', 3));
  void writers.store('c', rows('c', 4));
  expect(open.map(sharesOf)).toEqual([['a 2']]);
  expect(await isOpen(first)).toBe(true);
  await end(open[0]!);
  expect(await first).toEqual(new Set());
  expect(open.map(sharesOf)).toEqual([['b 3', 'c 4']]);
});

test('beside a statement another begins when it is worthwhile: by 50 Visits or half a megabyte, three at most', async () => {
  void writers.store('a', rows('a', 1));
  void writers.store('b', rows('b', 49));
  expect(open).toHaveLength(1);
  void writers.store('c', rows('c', 1));
  expect(open.map(sharesOf)).toEqual([['a 1'], ['b 49', 'c 1']]);
  void writers.store('d', [row('d 0', 512 * 1024)]);
  expect(open.map(sharesOf).at(-1)).toEqual(['d 1']);
  void writers.store('e', rows('e', 100));
  expect(open).toHaveLength(3);
  await end(open[1]!);
  expect(open.map(sharesOf)).toEqual([['a 1'], ['d 1'], ['e 100']]);
});

test('a statement has at most 100 Visits; the rest of an upload waits behind those of other Agents', async () => {
  const [z, large] = [writers.store('z', rows('z', 1)), writers.store('a', rows('a', 230))];
  const others = [
    writers.store('b', rows('b', 60)),
    writers.store('c', rows('c', 130)),
    writers.store('d', rows('d', 20)),
  ];
  expect(open.map(sharesOf)).toEqual([['z 1'], ['a 100'], ['b 60']]);
  const [ofZ, ofA, ofB] = open as [Statement, Statement, Statement];
  await end(ofZ);
  expect(await z).toEqual(new Set());
  expect(open.map(sharesOf)).toEqual([['a 100'], ['b 60'], ['c 100']]);
  await end(ofA);
  expect(open.map(sharesOf)).toEqual([['b 60'], ['c 100'], ['a 100']]);
  // What is left is of Agents that are being stored, or is little.
  await end(ofB);
  expect(open.map(sharesOf)).toEqual([['c 100'], ['a 100']]);
  await end(open[0]!);
  expect(open.map(sharesOf)).toEqual([['a 100'], ['d 20', 'c 30']]);
  await end(open[0]!);
  expect(await isOpen(large)).toBe(true);
  await end(open[0]!);
  expect(open.map(sharesOf)).toEqual([['a 30']]);
  await end(open[0]!);
  expect(await Promise.all([large, ...others])).toEqual(Array.from({ length: 4 }, () => new Set()));
});

test('a statement has at most 2 MiB, but always one Visit', async () => {
  const mebibyte = 1024 * 1024;
  void writers.store('a', [row('a 0', 3 * mebibyte), row('a 1')]);
  expect(open.map(sharesOf)).toEqual([['a 1']]);
  await end(open[0]!);
  void writers.store('b', [row('b 0', 1.5 * mebibyte), row('b 1', mebibyte)]);
  await end(open[0]!);
  expect(open.map(sharesOf)).toEqual([['b 1']]);
  expect(open[0]!.ids).toEqual(['visit b 0']);
  await end(open[0]!);
  expect(open.map(({ ids }) => ids)).toEqual([['visit b 1']]);
});

test('a Visit that the database cannot store is found, and all others of the statement are stored', async () => {
  const storing = writers.store('a', rows('a', 5));
  const stored: string[] = [];
  while (open.length > 0) {
    const [statement] = open as [Statement];
    const isBad = statement.ids.includes('visit a 3');
    if (!isBad) stored.push(...statement.ids);
    await end(statement, isBad ? dataError() : undefined);
  }
  expect(await storing).toEqual(new Set(['visit a 3']));
  expect(stored.toSorted()).toEqual([0, 1, 2, 4].map((index) => `visit a ${index}`));
});

test('where the database fails, the uploads of the statement fail as a whole, and others go on', async () => {
  void writers.store('z', rows('z', 1));
  const failing = writers.store('a', rows('a', 150));
  const other = writers.store('b', rows('b', 60));
  expect(open.map(sharesOf)).toEqual([['z 1'], ['a 100'], ['b 60']]);
  const refused = expect(failing).rejects.toThrow('Connection terminated');
  await end(open[1]!, new Error('Connection terminated'));
  await refused;
  await end(open[1]!);
  expect(await other).toEqual(new Set());
  await end(open[0]!);
  expect(open).toEqual([]);
});
