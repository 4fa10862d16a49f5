import { expect, test } from 'vitest';
import { storeCapture } from '#controller/captures/captures.ts';
import { countMeasuredVisits } from '#controller/visits/read-measured-visits.ts';
import { MeasurementsSchema } from '#core/record/measurements.ts';
import { makeCaptured, type Captured } from '#tests/support/captured-trace.ts';
import { postJson, startTestController } from '#tests/support/controller.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';
import { storeCompletedRun } from '#tests/support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

const askFor = async (runId: string, query = '') =>
  MeasurementsSchema.parse(await (await it.program(`/api/runs/${runId}/measurements${query}`)).json());

test('the measurements of a Run are the values of its counted Visits, with the design that they belong to', async () => {
  const evaluation = makeEvaluation({ figures: [{ kind: 'bars', statistic: 'mean', logY: false }] });
  const { runId, visits } = await storeCompletedRun(it.database.pool, {
    evaluation,
    totalMsOf: ({ block, scenario, url }) =>
      url.endsWith('plain') ? null : block * (scenario === 'direct' ? 100 : 50),
  });
  const answer = await askFor(runId, '?measures=totalMs,objectCount');
  expect(answer).toMatchObject({
    leftOut: null,
    design: {
      primaryMetric: 'totalMs',
      scenarios: [{ name: 'direct' }, { name: 'proxy' }],
      figures: [{ kind: 'bars' }],
    },
  });
  // Two Rounds of two Scenarios with two User Agents and three pages, one of which always timed out; the warm-up does not count.
  expect(visits).toHaveLength(36);
  expect(Object.keys(answer.values)).toEqual(['totalMs', 'objectCount']);
  expect(answer.values.totalMs).toHaveLength(16);
  answer.values.totalMs!.forEach((value, index) =>
    expect(value).toBe(answer.visits.block[index]! * (answer.visits.scenario[index] === 0 ? 100 : 50)),
  );
  expect(new Set(answer.visits.page)).toEqual(new Set([0, 1]));
  expect(answer.available).toContain('receivedBytes');
  expect(answer.available).not.toContain('wirePackets');
});

test('measurements from the first request have latencies and first bytes without what came before it', async () => {
  const { runId } = await storeCompletedRun(it.database.pool);
  const query = '?measures=totalMs,firstByteMs';
  const [fromStart, fromRequest] = [await askFor(runId, query), await askFor(runId, `${query}&from=first-request`)];
  expect(fromStart).not.toHaveProperty('countedFrom');
  expect(fromRequest.countedFrom).toBe('first-request');
  expect(Object.keys(fromRequest.values)).toEqual(['totalMs', 'firstByteMs']);
  // The request of such a page is sent after 5 ms.
  expect(new Set(fromStart.values.totalMs)).toEqual(new Set([1000]));
  expect(new Set(fromRequest.values.totalMs)).toEqual(new Set([995]));
  expect(fromRequest.values.firstByteMs).toEqual(fromStart.values.firstByteMs!.map((value) => value! - 5));
  expect((await it.program(`/api/runs/${runId}/measurements?from=connect`)).status).toBe(400);
});

test('what a person excluded is in no measurement', async () => {
  const { runId } = await storeCompletedRun(it.database.pool);
  const before = await askFor(runId, '?measures=totalMs');
  const rows = (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as {
    visit_id: string;
    warm_up: boolean;
  }[];
  const visitIds = [rows.find((row) => !row.warm_up)!.visit_id];
  const excluded = await it.program(
    `/api/runs/${runId}/exclusions`,
    postJson({ visitIds, reason: 'A person moved the laptop' }),
  );
  expect(excluded.status).toBe(201);
  expect((await askFor(runId, '?measures=totalMs')).values.totalMs).toHaveLength(before.values.totalMs!.length - 1);
});

test('what was not measured is in no measurement: first loads that warm up, and Rounds that did not end', async () => {
  const { pool } = it.database;
  const { runId, visits } = await storeCompletedRun(pool);
  const measured = async () => {
    const count = (await askFor(runId, '?measures=totalMs')).values.totalMs!.length;
    expect(await countMeasuredVisits(pool, runId)).toBe(count);
    return count;
  };
  // Two Rounds of each of two Scenarios, beside the warm-up, have the Visits of two of three Blocks.
  const all = (visits.length * 2) / 3;
  expect(await measured()).toBe(all);
  await pool.query('update visit set repetition = 0 where id = $1', [visits.at(-1)!.id]);
  expect(await measured()).toBe(all - 1);
  await pool.query(`update round set state = 'broken' where id = (select round_id from pass where id = $1)`, [
    visits.at(-1)!.passId,
  ]);
  expect(await measured()).toBe((all * 3) / 4);
});

test('what a Visit had on the wire is measured where its packets were captured', async () => {
  const { pool } = it.database;
  const { runId, visits } = await storeCompletedRun(pool);
  const [passId, own] = [...Map.groupBy(visits, (visit) => visit.passId)].at(-1)!;
  const wires = own.map(({ id }, index) => [
    id,
    { packets: 10 + index, bytes: 1000, openedConnections: 3, sentBytes: 300 + index, receivedBytes: 700 - index },
  ]);
  await storeCapture(pool, {
    captureId: passId,
    outcome: makeCaptured({ visits: Object.fromEntries(wires) as Captured['visits'] }),
  });
  const { available, values } = await askFor(runId);
  expect(available.filter((id) => id.startsWith('wire'))).toEqual([
    'wirePackets',
    'wireBytes',
    'wireSentBytes',
    'wireReceivedBytes',
    'wireConnections',
  ]);
  expect(values.wirePackets!.filter((value) => value !== null)).toEqual([10, 11, 12]);
  expect(values.wireSentBytes!.filter((value) => value !== null)).toEqual([300, 301, 302]);
  expect(values.wireReceivedBytes!.filter((value) => value !== null)).toEqual([700, 699, 698]);
  expect(values.totalMs!.every((value) => value === 1000)).toBe(true);
});

test('a metric that is none is refused, and a Run that is not there is not found', async () => {
  const { runId } = await storeCompletedRun(it.database.pool);
  const refused = await it.program(`/api/runs/${runId}/measurements?measures=speed`);
  expect(refused.status).toBe(400);
  expect(JSON.stringify(await refused.json())).toContain('must be names of metrics, separated by commas');
  expect((await it.program('/api/runs/999999/measurements')).status).toBe(404);
});
