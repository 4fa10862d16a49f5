import { expect, test } from 'vitest';
import { exportCaptures } from '#controller/captures/capture-columns.ts';
import { storeCapture } from '#controller/captures/captures.ts';
import type { Queryable } from '#controller/database/queryable.ts';
import { markDueRun } from '#controller/operating/kept-days.ts';
import { readBundleLines } from '#controller/reports/bundle-lines.ts';
import { deleteRun } from '#controller/runs/run-deletion.ts';
import { exportVisits } from '#controller/visits/export-visits.ts';
import { SnapshotReader } from '#controller/visits/snapshot-reader.ts';
import { causeIds } from '#core/causes/causes.ts';
import { latencyIds, metricIds } from '#core/metrics/index.ts';
import { startTestController } from '../../support/controller.ts';
import { makeCaptured } from '../../support/captured-trace.ts';
import { createTestDatabase } from '../../support/database.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

const agreedColumns =
  'run,block,scenario,user_agent,url,repetition,status,code,request_start_ms,base_ms,viewport_ms,total_ms,load_event_ms';
const failingUrl = 'http://origin.test/plain';

test('CSV has the agreed columns first, every metric once, a line per Visit, and empty cells where there is no value', async () => {
  const { runId, visits } = await storeCompletedRun(it.controller.pool, { failingUrl });
  const response = await it.program(`/api/runs/${runId}/visits?format=csv`);
  expect(response.headers.get('content-type')).toContain('text/csv');
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename=run-${runId}-visits.csv`);

  const [header, ...lines] = (await response.text()).trimEnd().split('\r\n');
  const columns = header!.split(',');
  expect(header).toMatch(new RegExp(`^${agreedColumns},`));
  expect(columns).toHaveLength(new Set(columns).size);
  expect(columns).toHaveLength(8 + metricIds.length + latencyIds.length * causeIds.length + 38);
  expect(lines).toHaveLength(visits.length);
  expect(
    lines.filter((line) => line.includes(failingUrl)).every((line) => line.includes(',failed,timeout,,,,,,')),
  ).toBe(true);

  const ok = Object.fromEntries(
    columns.map((column, index) => [column, lines.find((line) => line.includes(',ok,'))!.split(',')[index]]),
  );
  expect(ok).toMatchObject({
    run: runId,
    status: 'ok',
    code: '',
    total_ms: '1000',
    tls_ms: '',
    warm_up: 'true',
    settled: 'true',
    hidden: 'false',
    round_state: 'completed',
  });
});

test('JSON has the same rows, with null where there is no value', async () => {
  const { runId, visits } = await storeCompletedRun(it.controller.pool, { failingUrl });
  const rows = (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as Record<string, unknown>[];
  expect(rows.map((row) => row.visit_id).sort()).toEqual(visits.map((visit) => visit.id).sort());
  expect(rows.find((row) => row.status === 'failed')).toMatchObject({
    url: failingUrl,
    code: 'timeout',
    total_ms: null,
  });
  expect(Object.keys(rows[0]!).join(',')).toMatch(new RegExp(`^${agreedColumns},`));
});

test('a name that a spreadsheet would execute is made harmless, and quotes, commas and line breaks stay within their cell', async () => {
  const [baseline, proxy] = makeEvaluation().scenarios;
  const evaluation = makeEvaluation({ scenarios: [baseline!, { ...proxy!, name: '=cmd("x"),1' }] });
  const { runId } = await storeCompletedRun(it.controller.pool, { evaluation });
  const text = await (await it.program(`/api/runs/${runId}/visits?format=csv`)).text();
  expect(text).toContain(`,"'=cmd(""x""),1",alice,`);
  expect(text).not.toMatch(/(^|,|")=cmd/m);
});

test('an export of many Visits comes in parts, and one that is broken off harms nobody', async () => {
  const urlLists = { pages: [{ url: 'http://origin.test/{1..300}' }] };
  const { runId, visits } = await storeCompletedRun(it.controller.pool, { evaluation: makeEvaluation({ urlLists }) });
  const path = `/api/runs/${runId}/visits?format=csv`;

  const broken = await it.program(path);
  const reader = broken.body!.getReader();
  expect((await reader.read()).value!.length).toBeLessThan(500_000);
  await reader.cancel();

  const whole = await (await it.program(path)).text();
  expect(whole.trimEnd().split('\r\n')).toHaveLength(visits.length + 1);
});

test('another format is refused with what there is, and an empty Run has no rows', async () => {
  const { runId } = await storeCompletedRun(it.controller.pool);
  const response = await it.program(`/api/runs/${runId}/visits?format=xlsx`);
  expect([response.status, await response.json()]).toMatchObject([
    400,
    { issues: [{ path: 'format', message: 'must be "csv", "json" or "jsonl"' }] },
  ]);

  await it.controller.pool.query('delete from round where run_id = $1', [runId]);
  expect(await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()).toEqual([]);
});

test('from the first request, latencies and phases are without what came before it, and a column says so', async () => {
  const { runId } = await storeCompletedRun(it.controller.pool, { failingUrl });
  const read = async (query: string) =>
    (await (await it.program(`/api/runs/${runId}/visits?format=json${query}`)).json()) as Record<string, unknown>[];
  const okOf = (rows: Record<string, unknown>[]) => rows.find(({ status }) => status === 'ok');
  const fromStart = okOf(await read(''));
  expect(fromStart).toMatchObject({ request_start_ms: 5, total_ms: 1000, latencies_from: 'navigation-start' });
  const fromRequest = await read('&from=first-request');
  expect(okOf(fromRequest)).toEqual({
    ...fromStart,
    base_ms: 995,
    viewport_ms: 995,
    total_ms: 995,
    first_byte_ms: 985,
    blocked_ms: 0,
    dns_ms: 0,
    connect_ms: 0,
    latencies_from: 'first-request',
  });
  expect(fromRequest.find(({ status }) => status === 'failed')).toMatchObject({ total_ms: null });
});

test('an export of a Round of many User Agents holds some Passes at a time, and has all in their order', async () => {
  const { pool } = it.controller;
  const { runId, visits } = await storeCompletedRun(pool);
  const most: number[] = [];
  const query = async (text: string, values: unknown[]) => {
    const found = await pool.query(text, values);
    if (text.includes('from visit')) most.push(found.rows.length);
    return found;
  };
  const exported = async (visitsAtOnce: number) => {
    const ids: string[] = [];
    for await (const { visitId } of exportVisits({ query } as unknown as Queryable, runId, { visitsAtOnce }))
      ids.push(visitId);
    return ids;
  };
  const byRound = await exported(1000);
  expect(Math.max(...most.splice(0))).toBe(6);
  expect(byRound.toSorted()).toEqual(visits.map(({ id }) => id).toSorted());
  for (const visitsAtOnce of [1, 3, 5]) expect(await exported(visitsAtOnce)).toEqual(byRound);
  expect(new Set(most)).toEqual(new Set([3]));
});

test('an export during which a deletion begins does not pass for whole', async () => {
  await using database = await createTestDatabase();
  await using snapshots = new SnapshotReader();
  const { pool } = database;
  const { runId, visits } = await storeCompletedRun(pool);
  await storeCapture(pool, { captureId: visits[0]!.passId, outcome: makeCaptured() });
  const due = { id: runId, name: '', losesSnapshots: true };
  const readOn = async (lines: AsyncGenerator, begin: () => Promise<unknown>) => {
    await lines.next();
    await begin();
    for await (const line of lines) void line;
  };
  const noSnapshots = readOn(readBundleLines(pool, { runId, snapshots }), () =>
    markDueRun(pool, { ...due, losesVisits: false }),
  );
  await expect(noSnapshots).rejects.toThrow(`Run ${runId} changed during its export`);
  await pool.query('update run set is_clearing = false');
  const noVisits = readOn(exportVisits(pool, runId), () => markDueRun(pool, { ...due, losesVisits: true }));
  await expect(noVisits).rejects.toMatchObject({ code: 'visits-deleted' });
  const noRun = readOn(exportCaptures(pool, runId), () => deleteRun(pool, runId));
  await expect(noRun).rejects.toMatchObject({ code: 'not-found' });
});

test('a latency that cannot be counted from the first request is absent, with the reason', async () => {
  const { runId, visits } = await storeCompletedRun(it.controller.pool);
  const [hidden] = visits;
  await it.controller.pool.query(
    `update visit set readings = readings - 'requestStartMs', absences = absences || '{"requestStartMs": "timing-hidden"}' where id = $1`,
    [hidden!.id],
  );
  const read = async (query: string) => {
    const text = await (await it.program(`/api/runs/${runId}/visits?format=jsonl${query}`)).text();
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    return lines.find((line) => line.visit_id === hidden!.id);
  };
  expect(await read('')).toMatchObject({ total_ms: 1000, dns_ms: 1 });
  const reasons = { totalMs: 'timing-hidden', dnsMs: 'timing-hidden', requestStartMs: 'timing-hidden' };
  expect(await read('&from=first-request')).toMatchObject({ total_ms: null, dns_ms: null, absences: reasons });
});

test('an export whose first rows cannot be read is answered with an error, and HEAD has the header fields alone', async () => {
  await using own = await startTestController();
  const { runId } = await storeCompletedRun(own.controller.pool);
  const paths = ['visits?format=csv', 'visits?format=json', 'visits?format=jsonl', 'captures'];
  for (const path of [...paths, 'bundle']) {
    const head = await own.program(`/api/runs/${runId}/${path}`, { method: 'HEAD' });
    expect([path, head.status, head.headers.has('content-disposition')]).toEqual([path, 200, true]);
  }
  await own.controller.pool.query('alter table round rename column warm_up to away');
  for (const path of paths) {
    const response = await own.program(`/api/runs/${runId}/${path}`);
    expect([path, response.status, response.headers.get('content-type')]).toEqual([
      path,
      500,
      'application/json; charset=utf-8',
    ]);
    expect(response.headers.get('content-disposition')).toBeNull();
    expect(await response.json()).toMatchObject({ code: 'internal' });
  }
});
