import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readBundleLines } from '#controller/reports/bundle-lines.ts';
import { formatStorableJson } from '#controller/database/storable-json.ts';
import { SnapshotReader } from '#controller/visits/snapshot-reader.ts';
import { formatAsJsonb } from '#controller/visits/written-snapshot.ts';
import { storeCapture } from '#controller/captures/captures.ts';
import { gatherMeasurements } from '#cli/study/gather-part.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { makeCaptured } from '#tests/support/captured-trace.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { VisitDetailSchema } from '#core/protocol/api/stored-visit.ts';
import { type TestController } from '#tests/support/controller.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { makePageSnapshot } from '#tests/support/page-snapshot.ts';
import { runCli } from '#tests/support/run-cli.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { exportRun, openExporter, type Exporter } from './support/export-run.ts';

let exporter: Exporter;
let it: TestController;
let folder: Exporter['folder'];
let access: Exporter['access'];
beforeAll(async () => {
  exporter = await openExporter();
  ({ it, folder, access } = exporter);
});
afterAll(() => exporter[Symbol.asyncDispose]());

test('from a bundle, without a Controller, comes the very report that the Controller gives', async () => {
  const { runId, file } = await exportRun(exporter, 'whole');
  const served = await (await it.program(`/api/runs/${runId}/comparison`)).text();
  const made = await runCli(['report', file, '--json']);
  expect(made.stderr).toBe('');
  expect(made.stdout).toBe(`${served}\n`);
  expect(JSON.parse(served)).toMatchObject({ roundsCounted: 13, roundsBroken: 1, bandwidth: { kind: 'measured' } });
  expect(ComparisonSchema.parse(JSON.parse(served)).capturePoints).toMatchObject([
    { point: 'ground', scenarios: [{ figures: { packets: { kind: 'measured', estimate: { mean: 4 } } } }, {}] },
    { point: 'never', scenarios: [{ roundsCounted: 0, leftOutReason: 'No Capture of it is stored.' }, {}] },
  ]);

  expect(ComparisonSchema.parse(JSON.parse(served)).httpep).toMatchObject({
    scenarios: [{ scenario: 'proxy', figures: { pushed: { estimate: { mean: 30 } } } }],
  });

  const readable = await runCli(['report', file]);
  expect(readable).toMatchObject({ exitCode: 0, stderr: '' });
  expect(readable.stdout).toContain('Grüße');
  expect(readable.stdout).toContain('HTTPEP, bytes and counts per Round');

  const fromRequest = await (await it.program(`/api/runs/${runId}/comparison?from=first-request`)).text();
  expect((await runCli(['report', file, '--json', '--from', 'first-request'])).stdout).toBe(`${fromRequest}\n`);
  expect(fromRequest).not.toBe(served);
  expect(ComparisonSchema.parse(JSON.parse(fromRequest)).countedFrom).toBe('first-request');
  const refused = await runCli(['export', runId, '--format', 'har', '--from', 'first-request'], access);
  expect(refused.stderr).toContain('--from needs --format csv, json, parquet or html');
  const csv = await runCli(['export', runId, '--format', 'csv', '--from', 'first-request'], access);
  expect(csv.stdout).toContain(',first-request,');
});

test('Visits that lost objects are judged from a bundle as by the Controller', async () => {
  const evaluation = makeEvaluation({ repetition: { order: 'random-blocks', rounds: 3, warmUp: false, attempts: 2 } });
  const { runId } = await storeCompletedRun(it.controller.pool, {
    evaluation: { ...evaluation, pageLoad: { ...evaluation.pageLoad, failedObjects: 'exclude' } },
    // A proxy that died: every image failed at once. One of them fails always.
    totalMsOf: ({ block, scenario, url }) =>
      scenario === 'proxy' && block === 2 && url.endsWith('plain') ? 100 : 1000,
    snapshotOf: (page) => {
      const snapshot = makePageSnapshot(page, 8);
      return page.totalMs === 100
        ? {
            ...snapshot,
            requests: snapshot.requests.map((request) =>
              request.type === 'image' ? { ...request, status: 502 } : request,
            ),
          }
        : snapshot;
    },
  });
  const served = await (await it.program(`/api/runs/${runId}/comparison`)).text();
  expect(ComparisonSchema.parse(JSON.parse(served)).failedObjects).toMatchObject({
    rule: 'exclude',
    scenarios: [
      { scenario: 'direct', visits: 18, unknownVisits: 0, failedObjects: 18, lostObjects: 0, lossyVisits: 0 },
      { scenario: 'proxy', visits: 18, unknownVisits: 0, failedObjects: 32, lostObjects: 14, lossyVisits: 2 },
    ],
  });
  const file = path.join(folder.path, 'lossy.bundle.gz');
  expect(await runCli(['export', runId, '--format', 'bundle', '--output', file], access)).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  expect((await runCli(['report', file, '--json'])).stdout).toBe(`${served}\n`);
  const readable = await runCli(['report', file]);
  expect(readable.stdout).toContain(
    '2 of 18 Visits under proxy (14 objects), none under direct. Their latencies are left out',
  );
  expect(readable.stdout).toMatch(/^proxy .* 32, 14 lost$/m);
});

test('a bundle gives a study its Visits, what their packets say, its links, and how it was measured', async () => {
  const network = { link: { forward: { rateKbps: 2000, delayMs: 375 }, return: { rateKbps: 512, delayMs: 275 } } };
  const evaluation = EvaluationSchema.parse({
    ...makeEvaluation(),
    scenarios: [
      { name: 'direct', baseline: true, network },
      {
        name: 'proxy',
        network: {
          ...network,
          path: {
            terrestrial: {
              forward: { rateKbps: 'unlimited', delayMs: 20 },
              return: { rateKbps: 'unlimited', delayMs: 30 },
            },
          },
        },
      },
    ],
  });
  const { runId } = await storeCompletedRun(it.controller.pool, { evaluation });
  const { rows: passes } = await it.controller.pool.query<{ id: string }>(
    'select pass.id from pass join round on round.id = round_id where run_id = $1',
    [runId],
  );
  const captured = makeCaptured();
  for (const { id } of passes) await storeCapture(it.controller.pool, { captureId: id, outcome: captured });
  const file = path.join(folder.path, 'study.bundle.gz');
  await runCli(['export', runId, '--format', 'bundle', '--output', file], access);

  const run = await gatherMeasurements(file);
  expect(run.visits).toHaveLength(24);
  const [connection] = captured.statistics.connections;
  for (const { values } of run.visits)
    expect(values).toMatchObject({ totalMs: 1000, handshakeMs: connection!.handshakeMs });
  expect(run.linkOf('direct')).toEqual({ rttMs: 650, forwardKbps: 2000, returnKbps: 512 });
  expect(run.linkOf('proxy').rttMs).toBe(700);
  expect(run.linkOf('none')).toEqual({ rttMs: null, forwardKbps: null, returnKbps: null });
  const { version } = JSON.parse(await readFile(path.resolve('package.json'), 'utf8')) as { version: string };
  expect(run.conditions).toMatchObject({ httpAeVersion: version, busyRatio: null });
  expect(Date.parse(run.conditions.startedAt)).not.toBeNaN();
});

test('a bundle has the configuration, the seed, the versions, and the raw Snapshot of every Visit', async () => {
  const { runId, file } = await exportRun(exporter, 'contents');
  const lines = gunzipSync(await readFile(file))
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines[0]).toEqual({
    kind: 'bundle',
    version: 1,
    httpAeVersion: expect.any(String) as string,
    metricsVersion: expect.any(Number) as number,
  });
  expect(lines[1]).toMatchObject({
    kind: 'run',
    id: runId,
    seed: 7,
    evaluation: { scenarios: [{ name: 'direct' }, { name: 'proxy' }] },
  });
  const visits = lines.filter(({ kind }) => kind === 'visit');
  expect(visits).toHaveLength(8 * 2 * 2 * 3);
  expect(
    visits
      .filter(({ status }) => status === 'ok')
      .every(({ snapshot }) => (snapshot as { frames: unknown[] }).frames.length === 1),
  ).toBe(true);
  expect(lines.filter(({ kind }) => kind === 'capture')).toHaveLength(8 * 2 * 2 + 8 * 2);
  expect(lines.at(-1)).toMatchObject({ kind: 'end', lines: lines.length - 1 });
});

test('a compressed Snapshot is exported to the byte as one that PostgreSQL holds as jsonb, and shown alike', async () => {
  const { pool } = it.controller;
  const odd = '\u00fc \u0007 \u007f \u2028 \ud83d\ude00 "\\/ \0 \ud800';
  const { runId, visits } = await storeCompletedRun(pool, {
    snapshotOf: (page) => {
      const snapshot = makePageSnapshot(page, 3);
      const requests = snapshot.requests.map((request, index) => ({
        ...request,
        id: `${odd}${index}`,
        receivedBytes: [1e-7, -0, 1.5e-9, 123456789.125][index]!,
      }));
      return { ...snapshot, requests, frames: snapshot.frames.map((frame) => ({ ...frame, title: odd })) };
    },
  });
  await using snapshots = new SnapshotReader();
  const read = async () => {
    const lines: string[] = [];
    for await (const line of readBundleLines(pool, { runId, snapshots })) lines.push(line);
    const visit = await it.program(`/api/visits/${visits[0]!.id}`);
    return { lines, visit: VisitDetailSchema.parse(await visit.json()) };
  };
  const compressed = await read();
  expect(compressed.visit.snapshot!.requests[0]!.id).toBe(`${odd.replace('\0', '\ufffd').toWellFormed()}0`);
  for (const { id, outcome } of visits)
    await pool.query('update snapshot set body = $2, compressed = null where visit_id = $1', [
      id,
      formatStorableJson(outcome.snapshot),
    ]);
  expect(await read()).toEqual(compressed);
  for (const value of [
    1e21,
    1.25e300,
    5e-324,
    1e-6,
    123e-20,
    -4.5e22,
    0,
    { bb: 1, a: [{}, []], ä: null, ab: '\x01' },
  ]) {
    const { rows } = await pool.query<{ text: string }>('select $1::jsonb::text as text', [JSON.stringify(value)]);
    expect(formatAsJsonb(value)).toBe(rows[0]!.text);
  }
});

test('a Run that has not ended has no bundle yet', async () => {
  const { runId } = await storeCompletedRun(it.controller.pool);
  await it.controller.pool.query(`update run set state = 'pending' where id = $1`, [runId]);
  const response = await it.program(`/api/runs/${runId}/bundle`);
  expect([response.status, await response.json()]).toMatchObject([
    409,
    { message: expect.stringContaining('has not ended') as string },
  ]);
  await it.program(`/api/runs/${runId}/stop`, { method: 'POST' });
});
