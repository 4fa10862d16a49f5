import { afterAll, beforeAll, expect, test } from 'vitest';
import pino from 'pino';
import { z } from 'zod';
import { listAppliedMigrations, listMigrations, migrate } from '#controller/database/migrate.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { listRoutes } from '#controller/http/list-routes.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { metricsVersion } from '#core/metrics/index.ts';
import { EvaluationTrendSchema } from '#core/protocol/api/evaluation-trend.ts';
import { RunMethodSchema } from '#core/record/run-method.ts';
import { startTestController, type TestController } from '#tests/support/controller.ts';
import { createTestDatabase, type TestDatabase } from '#tests/support/database.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { withServices } from './api/support/with-services.ts';
import { describeSchema } from './support/describe-schema.ts';
import { readAllRows, readOld, restoreOldDatabase, type Rows } from './upgrade/old-database.ts';

const log = pino({ level: 'silent' });

let database: TestDatabase;
let before: Rows;
let after: Rows;
let it: TestController;
beforeAll(async () => {
  database = await restoreOldDatabase();
  before = await readAllRows(database.pool);
  await migrate(database.pool, log);
  after = await readAllRows(database.pool, before);
  it = await startTestController({ sharedDatabase: database });
});
afterAll(async () => {
  await it[Symbol.asyncDispose]();
  await database[Symbol.asyncDispose]();
});

const ask = async (path: string): Promise<unknown> => (await need(path)).json();
const need = async (path: string): Promise<Response> => {
  const answer = await it.program(path);
  expect([path, answer.status, answer.ok ? '' : await answer.text()]).toEqual([path, 200, '']);
  return answer;
};

test('the migrations lose no row of an old database, and change no value', async () => {
  expect(await listAppliedMigrations(database.pool)).toEqual(await listMigrations());
  const filled = [...before].filter(([, rows]) => rows.length > 0).map(([table]) => table);
  const used = ['agent', 'capture', 'capture_point', 'exclusion', 'evaluation', 'pass', 'round', 'run', 'snapshot'];
  expect(filled).toEqual(expect.arrayContaining([...used, 'script_execution', 'stop_decision', 'visit']));
  before.delete('migration');
  for (const [table, rows] of before) expect([table, after.get(table)]).toEqual([table, rows]);
});

/** Where today's Comparison differs from that of version 85eb257, and why. All else is equal to the last digit. */
const changedOnPurpose = {
  'conditions[].differences[].own': 'other words',
  'findings[]': 'other words',
  'remarks[].text': 'other words',
  'metrics[].scenarios[].distribution.skewness.value': 'rounding: deviations are divided before they are raised',
  'metrics[].scenarios[].distribution.bimodalityCoefficient.value': 'of the skewness',
  'metrics[].cells[].distribution.skewness.value': 'as of a Scenario',
  'metrics[].cells[].distribution.bimodalityCoefficient.value': 'as of a Scenario',
  largestStartSkewMs: '`startSkew.largestMs`, beside the median and the error',
  'users.scenarios[].byStartOrder[].mean': 'users are ordered by their first requests, not by navigation starts',
  'users.scenarios[].byStartOrder[].standardDeviation': 'likewise',
  'users.scenarios[].byStartOrder[].halfWidth': 'likewise',
  'users.scenarios[].firstToStart.ratio': 'likewise',
  'users.scenarios[].firstToStart.low': 'likewise',
  'users.scenarios[].firstToStart.high': 'likewise',
  'users.scenarios[].firstToStart.p': 'likewise',
  'users.scenarios[].firstToStart.adjustedP': 'likewise',
};

const OldComparison = z.looseObject({ findings: z.array(z.string()), largestStartSkewMs: z.number() });

test('the Comparison of an old Run has the reductions, intervals and counts of the old version', async () => {
  const old = OldComparison.parse(JSON.parse(await readOld('comparison.json')));
  const now = await ask('/api/runs/1/comparison');
  const changes = listChanges(old, now);
  expect(new Set(changes.map(({ place }) => place))).toEqual(new Set(Object.keys(changedOnPurpose)));
  for (const change of changes.filter(({ place }) => /\.(skewness|bimodalityCoefficient)\./.test(place)))
    expect(change.now, change.place).toBeCloseTo(change.old as number, 12);

  const { metrics, findings, startSkew, failedObjects, exclusions } = ComparisonSchema.parse(now);
  expect(findings.map(listFigures)).toEqual(old.findings.map(listFigures));
  expect(startSkew).toMatchObject({ largestMs: old.largestStartSkewMs, errorMs: null });
  expect(exclusions.map(({ reversal }) => reversal !== null)).toEqual([false, true]);
  expect(failedObjects.scenarios.map(({ unknownVisits }) => unknownVisits)).toEqual([0, 0]);
  const total = metrics.find(({ metric }) => metric === 'totalMs')!.scenarios[1]!;
  expect(total).toMatchObject({ scenario: 'near', visits: 31, failedVisits: 8, reduction: { blocks: 4 } });
  expect(total.reduction!.low).toBeGreaterThan(0);
});

function listFigures(finding: string): string[] {
  return (finding.match(/\d+(\.\d+)?/g) ?? []).toSorted();
}

interface Change {
  /** With `[]` for any index. */
  place: string;
  old: unknown;
  now: unknown;
}

/** Where `now` lacks what `old` has, or has another value. */
function listChanges(old: unknown, now: unknown, place = ''): Change[] {
  if (Array.isArray(old) && Array.isArray(now) && old.length === now.length)
    return old.flatMap((each, index) => listChanges(each, now[index], `${place}[]`));
  if (isRecord(old) && isRecord(now))
    return Object.entries(old).flatMap(([key, each]) => listChanges(each, now[key], place ? `${place}.${key}` : key));
  return old === now ? [] : [{ place, old, now }];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

test('the packets of an old Run are those of the old version, but for a count that has another definition now', async () => {
  const [old, now] = [JSON.parse(await readOld('wire.json')) as unknown, await ask('/api/runs/1/wire')];
  // It counted the connections that packets belonged to. Now those are counted that were opened, which its Agents did not report.
  expect(new Set(listChanges(old, now).map(({ place }) => place))).toEqual(
    new Set(['scenarios[].figures.connections']),
  );
});

const ExportedRows = z.array(z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])));

test('each column that the old version exported has its values in the export of today', async () => {
  const old = readCsv(await readOld('visits.csv'));
  const now = ExportedRows.parse(await ask('/api/runs/1/visits?format=json'));
  const expected = old.map((row) => ({ ...row, wire_connections: '' })); // as above
  expect(now.map((row, index) => showColumns(row, Object.keys(expected[index]!)))).toEqual(expected);
});

/** Of a table without quotes. */
function readCsv(table: string): Record<string, string>[] {
  const [names = [], ...rows] = table
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  return rows.map((row) => Object.fromEntries(names.map((name, index) => [name, row[index]!])));
}

function showColumns(row: z.infer<typeof ExportedRows>[number], names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, name in row ? String(row[name] ?? '') : 'is gone']));
}

/** What a route needs besides the id of what it reads. */
const queries: Record<string, string> = {
  '/api/runs/:id/comparison/cells': '?userAgent=alice&metric=totalMs',
  '/api/runs/:id/visit-pairs': `?url=${encodeURIComponent('http://198.19.0.1:8080/images/1')}&first=cable&second=near`,
};
/** These send files, which are not in a database, or need a person, or do not end; an old database has no Sites. */
const notOpened = /\/(trace|screenshot|shares|events|replay)$|^\/api\/(pictures|sites)\//;

test('an old Run opens in every route that reads a part of one, as the web UI expects it', async () => {
  const of = await readIds();
  const opened = (await withServices(it, listRoutes)).flatMap(({ method, path, content }) => {
    if (method !== 'get' || !path.includes('/:') || notOpened.test(path)) return [];
    const [, subject = ''] = /^\/api\/(\w+)\//.exec(path) ?? [];
    const addresses = (of[subject] ?? ['1']).map((id) => path.replace(/:(id|name)\b/, id));
    return addresses.map((each) => ({
      address: each.replace(':round', of.rounds![0]!) + (queries[path] ?? ''),
      answer: content['application/json'],
    }));
  });
  expect(opened.map(({ address }) => address)).toEqual(
    expect.arrayContaining(['/api/runs/1', '/api/runs/1/bundle', `/api/visits/${of.visits![0]}/har`]),
  );
  for (const { address, answer } of opened) {
    const response = await need(address);
    if (answer && response.headers.get('content-type')!.includes('json')) answer.parse(await response.json());
    else expect(await response.text()).not.toBe('');
  }
  for (const address of ['/api/runs', '/api/evaluations', '/api/agents']) expect(await ask(address)).not.toEqual([]);

  for (const id of of.passes!)
    expect(await ask(`/api/passes/${id}/capture`)).toMatchObject({ outcome: { kind: 'captured' } });
  for (const id of of.captures!)
    expect(await ask(`/api/captures/${id}`)).toMatchObject({ outcome: { kind: 'captured' } });
  expect(RunMethodSchema.parse(await ask('/api/runs/1/method'))).toMatchObject({ metricsVersions: [1] });
  const fromRequest = ComparisonSchema.parse(await ask('/api/runs/1/comparison?from=first-request'));
  expect(fromRequest.metrics[0]!.scenarios[1]!.reduction).not.toBeNull();
});

/** By the word of the routes. */
async function readIds(): Promise<Record<string, string[]>> {
  const list = async (from: string) =>
    (await database.pool.query<{ id: string }>(`select id from ${from} order by id`)).rows.map(({ id }) => id);
  return {
    visits: await list(`visit where status = 'ok'`),
    passes: await list('pass'),
    captures: await list('capture_point'),
    rounds: await list('round'),
    studies: [],
    agents: [],
  };
}

test('a Run of today has the settings of the old one, if nothing but defaults came between them', async () => {
  const { pool } = database;
  const { rows } = await pool.query<{ document: unknown }>('select document from run where id = 1');
  const evaluation = EvaluationSchema.parse(rows[0]!.document);
  const { runId } = await storeCompletedRun(pool, { evaluation });
  await pool.query('update run set evaluation_id = 1 where id = $1', [runId]);
  const { runs } = EvaluationTrendSchema.parse(await ask('/api/evaluations/1/trend'));
  expect(runs.map(({ id }) => id)).toEqual(['1', runId]);
  expect(runs[1]!.settings).toBe(runs[0]!.settings);
  // Its Readings follow other definitions of the metrics, which both reports say.
  expect(RunMethodSchema.parse(await ask(`/api/runs/${runId}/method`)).metricsVersions).toEqual([metricsVersion]);
  expect(metricsVersion).toBeGreaterThan(1);
});

test('a database of this version is as it was after it was migrated again', async () => {
  await using current = await createTestDatabase();
  await storeCompletedRun(current.pool);
  const read = async () => ({ schema: await describeSchema(current.pool), rows: await readAllRows(current.pool) });
  const untouched = await read();
  await migrate(current.pool, log);
  expect(await read()).toEqual(untouched);
});
