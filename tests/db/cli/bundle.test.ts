import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { compareRun } from '#controller/reports/compare-run.ts';
import { gatherRecord } from '#cli/report/gather-record.ts';
import { readBundle } from '#cli/report/read-bundle.ts';
import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { latencyOrigins } from '#core/metrics/latency-origin.ts';
import { readBundleLines } from '#controller/reports/bundle-lines.ts';
import { formatStorableJson } from '#controller/database/storable-json.ts';
import { SnapshotReader } from '#controller/visits/snapshot-reader.ts';
import { formatAsJsonb } from '#controller/visits/written-snapshot.ts';
import { storeCapture } from '#controller/captures/captures.ts';
import { excludeVisits } from '#controller/runs/exclusions.ts';
import { gatherMeasurements } from '#cli/study/gather-part.ts';
import { causeIds, causesVersion, packCauses } from '#core/causes/causes.ts';
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
import { holdForAll } from '#tests/support/hold.ts';

let it: TestController;
let folder: Exporter['folder'];
let access: Exporter['access'];
const exporter = holdForAll(openExporter);
beforeAll(() => {
  ({ it, folder, access } = exporter);
});

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

test('a report is the same to the digit, whether its Visits are read a Pass at a time or one by one', async () => {
  const { pool } = it.controller;
  const way = { rateKbps: 2000, delayMs: 10 };
  const network = { link: { forward: way, return: way } };
  const arm = (name: string, group: string) => ({ name, group, network, baseline: group === name });
  const { runId, visits } = await storeCompletedRun(pool, {
    evaluation: EvaluationSchema.parse({
      ...makeEvaluation({ repetition: { order: 'random-blocks', rounds: 6, warmUp: true, attempts: 2 } }),
      scenarios: [
        ...[arm('near', 'near'), arm('near proxy', 'near'), arm('far', 'far'), arm('far proxy', 'far')],
        { ...arm('far alone', 'far'), userAgents: ['bob'] },
      ],
    }),
    totalMsOf: ({ block, scenario, url }) =>
      block === 3 && url.endsWith('2') ? null : (400 + 50 * scenario.length) * (1 + Math.sin(block * url.length) / 10),
  });
  /** Of one in so many Visits. */
  const change = (from: number, every: number, set: string) =>
    pool.query(`update visit set ${set} where id = any($1)`, [
      visits.filter((_, index) => index % every === from).map(({ id }) => id),
    ]);
  await change(1, 7, `readings = readings - 'totalMs', absences = '{"totalMs": "not-reached"}', is_settled = false`);
  const hidden = `absences = '{"viewportMs": "page-hidden"}', is_hidden = true`;
  await change(2, 11, `readings = readings - 'baseMs' - 'viewportMs', ${hidden}`);
  const noStart = '{"requestStartMs": "timing-hidden"}';
  await change(3, 13, `readings = readings - 'requestStartMs', absences = absences || '${noStart}'`);
  await change(4, 5, `readings = readings || '{"failedObjectCount": 2}', host_delay_ms = 1.5`);
  // A first load that is not measured, and a page that is loaded twice in a Round.
  await change(5, 17, 'repetition = 0');
  await change(6, 9, `url = 'http://origin.test/plain', sequence = 2`);
  for (const from of [0, 1, 2]) {
    const parts = causeIds.map((_, index) => Math.sqrt(1 + index + 10 * from));
    const packed = Buffer.from(packCauses({ baseMs: { parts }, viewportMs: null, totalMs: { parts } }));
    const steps = 'array[6, 1.8e12 + sequence / 3.0, 1.8e12 + 90.1]';
    const causes = `causes_version = ${causesVersion}, causes = '\\x${packed.toString('hex')}'`;
    await change(from, 4, `${causes}, critical_path = ${steps}, clock_offset_ms = 0.1`);
  }
  await excludeVisits(pool, {
    runId,
    visitIds: visits.filter((_, index) => index % 19 === 18).map(({ id }) => id),
    reason: 'The door was open',
    by: 'ann',
  });

  const file = path.join(folder.path, 'lacking.bundle.gz');
  await runCli(['export', runId, '--format', 'bundle', '--output', file], access);
  const record = await gatherRecord(readBundle(file), file);
  for (const from of latencyOrigins) {
    const compared = await compareRun(pool, runId, { from });
    expect(computeComparison(record, from)).toEqual(compared);
    expect(compared).toMatchObject({ causes: { kind: 'split' }, groups: [{}, {}], harm: { scenarios: [{}] } });
  }
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
