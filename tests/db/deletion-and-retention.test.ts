import { createHash, randomBytes } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { issueToken } from '#controller/people/tokens.ts';
import { storeCapture } from '#controller/captures/captures.ts';
import { inTransaction } from '#controller/database/transaction.ts';
import { clearSome, type ClearingPlace } from '#controller/runs/clear-run.ts';
import { claimTrace } from '#controller/captures/unclaimed-traces.ts';
import { excludeVisits, reverseExclusion } from '#controller/runs/exclusions.ts';
import { rollUpRun } from '#controller/runs/rollups.ts';
import { deleteRun } from '#controller/runs/run-deletion.ts';
import { markDueRun } from '#controller/operating/kept-days.ts';
import type { ArtefactStore } from '#controller/captures/artefacts/artefact-store.ts';
import { openFolder } from '#controller/captures/artefacts/open-folder.ts';
import { ProblemSchema } from '#core/protocol/api/problem.ts';
import { RetentionSchema } from '#core/protocol/api/retention.ts';
import { RunContentsSchema } from '#core/protocol/api/run-contents.ts';
import { RunSummarySchema } from '#core/protocol/api/run-summary.ts';
import { makeCaptured } from '../support/captured-trace.ts';
import { postJson, sendWith, startTestController, type Send } from '../support/controller.ts';
import { createTestDatabase } from '../support/database.ts';
import { makeEvaluation } from '../support/sample-evaluation.ts';
import { storeCompletedRun } from '../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

let agent: Send;
let admin: Send;
const it = holdForAll(() => startTestController());
beforeAll(async () => {
  const { token } = await issueToken(it.controller.pool, { name: 'agent', scope: 'agent' });
  agent = sendWith(it.anonymous, { authorization: `Bearer ${token}` });
  admin = (await it.signIn()).browser;
});

const remove = (path: string) => it.program(path, { method: 'DELETE' });
const put = (path: string, body: unknown) => admin(path, { ...postJson(body), method: 'PUT' });
const problemOf = async (response: Response) => [response.status, ProblemSchema.parse(await response.json()).message];
const count = async (table: string, where = 'true') =>
  (await it.controller.pool.query<{ rows: number }>(`select count(*)::int as rows from ${table} where ${where}`))
    .rows[0]!.rows;

async function upload(path: 'pictures' | 'artefacts'): Promise<{ sha256: string; bytes: number }> {
  const contents = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), randomBytes(500)]);
  const sha256 = createHash('sha256').update(contents).digest('hex');
  const answer = await agent(`/api/${path}/${sha256}`, { method: 'PUT', body: new Uint8Array(contents) });
  expect(answer.status).toBe(204);
  return { sha256, bytes: contents.length };
}

test('what is kept, and how much there is, is reported', async () => {
  const { browser } = await it.signIn('viewer');
  const kept = RetentionSchema.parse(await (await browser('/api/retention')).json());
  expect(kept).toMatchObject({
    traces: { limitBytes: 5e9, storedBytes: 0 },
    pictures: { limitBytes: 1e9 },
    sessionHours: 336,
    idleSessionHours: 72,
  });
  expect(kept.databaseBytes).toBeGreaterThan(0);
});

test('a deleted Run is gone at once, with all that is only its own, and no other Run loses anything', async () => {
  const { pool } = it.controller;
  const [own, other] = [await storeCompletedRun(pool), await storeCompletedRun(pool)];
  const [ownPicture, sharedPicture, frame] = [
    await upload('pictures'),
    await upload('pictures'),
    await upload('pictures'),
  ];
  const [ownTrace, sharedTrace] = [await upload('artefacts'), await upload('artefacts')];
  const film = { kind: 'kept', frames: [{ ...frame, shownEpochMs: 1 }], leftOut: 0, isLastLate: false };
  const give = (visit: { id: string }, picture: object, filmstrip: object | null = null) =>
    pool.query('update visit set screenshot = $2, filmstrip = $3 where id = $1', [visit.id, picture, filmstrip]);
  await give(own.visits[0]!, { kind: 'kept', ...ownPicture }, film);
  await give(own.visits[1]!, { kind: 'kept', ...sharedPicture });
  await give(other.visits[0]!, { kind: 'kept', ...sharedPicture });
  const place = openFolder(it.artefactsFolder);
  const store = await place.readId();
  const [first, second] = [...new Set(own.visits.map(({ passId }) => passId))];
  for (const [captureId, trace] of [
    [first!, ownTrace],
    [second!, sharedTrace],
    [other.visits[0]!.passId, sharedTrace],
  ] as const)
    await storeCapture(pool, { captureId, outcome: makeCaptured({ trace: { kind: 'kept', ...trace } }) }, store);
  for (const { sha256 } of [ownTrace, sharedTrace]) expect(await claimTrace(pool, { sha256, store })).toBe(true);
  const share = await admin(`/api/runs/${own.runId}/shares`, postJson({ days: 7 }));
  expect(share.status).toBe(201);
  const report = await (await it.program(`/api/runs/${other.runId}/comparison`)).text();
  expect(RunContentsSchema.parse(await (await it.program(`/api/runs/${own.runId}/contents`)).json())).toMatchObject({
    runs: 1,
    visits: own.visits.length,
    traces: 2,
    traceBytes: ownTrace.bytes + sharedTrace.bytes,
    shares: 1,
  });

  expect((await remove(`/api/runs/${own.runId}`)).status).toBe(204);
  for (const path of ['', '/comparison', '/comparison/outline', '/visits', '/bundle'])
    expect([path, (await it.program(`/api/runs/${own.runId}${path}`)).status]).toEqual([path, 404]);
  expect((await remove(`/api/runs/${own.runId}`)).status).toBe(404);
  await expect.poll(() => count('run', `id = ${own.runId}`), { timeout: 20_000 }).toBe(0);
  expect(await count('visit')).toBe(other.visits.length);
  expect(await count('snapshot')).toBe(other.visits.length);
  for (const table of ['cell_rollup', 'block_rollup', 'run_digest', 'comparison_share', 'round'])
    expect([table, await count(table, `run_id = ${own.runId}`)]).toEqual([table, 0]);

  const sizesIn = (files: ArtefactStore, kept: { sha256: string }[]) =>
    Promise.all(kept.map(({ sha256 }) => files.sizeOf(sha256)));
  expect(await sizesIn(place.pictures, [ownPicture, frame, sharedPicture])).toEqual([null, null, sharedPicture.bytes]);
  expect(await sizesIn(place.traces, [ownTrace, sharedTrace])).toEqual([null, sharedTrace.bytes]);
  expect(await (await it.program(`/api/runs/${other.runId}/comparison`)).text()).toBe(report);
  expect(await count('audit_entry', `action = 'run-deleted' and subject like 'Run ${own.runId} of %'`)).toBe(1);
});

test('a Run that has not ended is not deleted, nor an Evaluation that has one; once all have, they go together', async () => {
  const { pool } = it.controller;
  const { evaluationId, runId } = await storeCompletedRun(pool);
  const started = await it.program(`/api/evaluations/${evaluationId}/runs`, { method: 'POST' });
  const { id: openId } = RunSummarySchema.parse(await started.json());
  const refusal = [409, `Run ${openId} has not ended: stop it first. Nothing was deleted`];
  expect(await problemOf(await remove(`/api/runs/${openId}`))).toEqual(refusal);
  expect(await problemOf(await remove(`/api/evaluations/${evaluationId}?runs=delete`))).toEqual(refusal);
  expect((await it.program(`/api/runs/${runId}`)).status).toBe(200);

  await it.program(`/api/runs/${openId}/stop`, { method: 'POST' });
  await expect.poll(() => count('run', `id = ${openId} and ended_at is null`), { timeout: 20_000 }).toBe(0);
  const contents = await it.program(`/api/evaluations/${evaluationId}/contents`);
  expect(RunContentsSchema.parse(await contents.json()).runs).toBe(2);
  expect((await remove(`/api/evaluations/${evaluationId}?runs=delete`)).status).toBe(204);
  expect((await it.program(`/api/runs/${runId}`)).status).toBe(404);
  expect((await it.program(`/api/evaluations/${evaluationId}/restore`, { method: 'POST' })).status).toBe(404);
  await expect.poll(() => count('evaluation', `id = ${evaluationId}`), { timeout: 20_000 }).toBe(0);
});

test('no step of a deletion takes more than two thousand Visits, and it continues after an interruption', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const { runId } = await storeCompletedRun(pool, { evaluation: makeEvaluation({ name: 'large' }) });
  await pool.query(
    `insert into visit (id, pass_id, sequence, url, repetition, started_at, clock_offset_ms, clock_error_ms, status, is_settled, metrics_version, readings, absences)
     select gen_random_uuid(), pass_id, sequence, url, repetition + copy, started_at, 0, 0, status, is_settled, metrics_version, readings, absences
     from visit, generate_series(1, 5000 / (select count(*)::int from visit)) as copy`,
  );
  const left = async () => (await pool.query<{ n: number }>('select count(*)::int as n from visit')).rows[0]!.n;
  const before = await left();
  expect(before).toBeGreaterThan(4000);
  await deleteRun(pool, runId);
  await expect(deleteRun(pool, runId)).rejects.toThrow(`There is no Run ${runId}`);
  const steps: number[] = [];
  let place: ClearingPlace | null = null;
  for (let step = await clearSome(pool, place); step !== null; step = await clearSome(pool, place)) {
    place = steps.length % 2 === 0 ? step.next : null; // each second step begins as after a restart
    steps.push(await left());
  }
  expect(steps[0]).toBe(before - 2000);
  expect(steps.every((rest, index) => (steps[index - 1] ?? before) - rest <= 2000)).toBe(true);
  expect(steps.at(-1)).toBe(0);
  expect((await pool.query('select from run')).rowCount).toBe(0);
});

test('of a Capture that comes while its Run is deleted, no trace is left', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const capturePoints = [{ name: 'gate', host: 'laptop', interface: 'eth0', filter: '' }];
  const { runId, visits } = await storeCompletedRun(pool, { evaluation: makeEvaluation({ capturePoints }) });
  const { rows: points } = await pool.query<{ id: string }>('select id from capture_point');
  await deleteRun(pool, runId);
  await pool.query('delete from visit');
  const store = await openFolder(it.artefactsFolder).readId();
  const traces = ['a', 'b'].map((digit) => digit.repeat(64));
  let clearing: Promise<unknown> | undefined;
  await inTransaction(pool, async (client) => {
    for (const [index, captureId] of [visits[0]!.passId, points[0]!.id].entries()) {
      const trace = { kind: 'kept' as const, sha256: traces[index]!, bytes: 1 };
      await storeCapture(client, { captureId, outcome: makeCaptured({ trace }) }, store);
    }
    clearing = clearSome(pool, null);
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    const isHeldUp = async () => (await pool.query(waiting)).rowCount! > 0;
    await expect.poll(isHeldUp, { timeout: 20_000 }).toBe(true);
  });
  await clearing;
  expect((await pool.query('select from capture')).rowCount).toBe(0);
  const { rows } = await pool.query<{ sha256: string }>('select sha256 from unclaimed_trace order by 1');
  expect(rows.map(({ sha256 }) => sha256)).toEqual(traces);
});

test('what is older than the retention keeps is deleted, and the Run says so and shows what is kept', async () => {
  const { pool } = it.controller;
  const younger = await storeCompletedRun(pool, { evaluation: makeEvaluation({ name: 'younger' }) });
  const stored = await storeCompletedRun(pool, { evaluation: makeEvaluation({ name: 'aged' }) });
  const keeper = await storeCompletedRun(pool, { evaluation: makeEvaluation({ name: 'kept' }) });
  await pool.query(`update run set ended_at = now() - interval '40 days' where id = any($1)`, [
    [stored.runId, keeper.runId],
  ]);
  await pool.query(`update run set ended_at = now() - interval '29 days' where id = $1`, [younger.runId]);
  const read = async (path = '') => {
    const answer = await it.program(`/api/runs/${stored.runId}${path}`);
    return { status: answer.status, text: await answer.text() };
  };
  const summary = async () => RunSummarySchema.parse(JSON.parse((await read()).text));
  const has = (table: 'visit' | 'snapshot', visits: typeof stored.visits) =>
    count(table, `${table === 'visit' ? 'id' : 'visit_id'} in (${visits.map(({ id }) => `'${id}'`).join()})`);
  const report = await read('/comparison'); // which stores its outcome, too
  const outline = await read('/comparison/outline');
  const before = await summary();
  expect(before).toMatchObject({
    snapshotsDeletedAt: null,
    visitsDeletedAt: null,
    outcome: expect.anything() as object,
  });

  const forever = { snapshotDays: null, visitDays: null };
  expect((await put(`/api/evaluations/${keeper.evaluationId}/retention`, { days: forever })).status).toBe(200);
  expect((await put('/api/retention/days', { snapshotDays: 0, visitDays: null })).status).toBe(400);
  expect((await put('/api/retention/days', { snapshotDays: 30, visitDays: null })).status).toBe(200);
  await expect.poll(() => has('snapshot', stored.visits), { timeout: 20_000 }).toBe(0);
  expect(await summary()).toEqual({ ...before, snapshotsDeletedAt: expect.any(String) as string });
  expect(await read('/comparison')).toEqual(report);
  expect(await problemOf(await it.program(`/api/visits/${stored.visits[0]!.id}/har`))).toEqual([
    404,
    expect.stringContaining('the retention setting deleted its Snapshot'),
  ]);

  await put(`/api/evaluations/${stored.evaluationId}/retention`, { days: { snapshotDays: null, visitDays: 39 } });
  await expect.poll(() => has('visit', stored.visits), { timeout: 20_000 }).toBe(0);
  expect(await summary()).toEqual({ ...(await summary()), outcome: before.outcome, visits: before.visits });
  const gone = new RegExp(
    `The Visits of Run ${stored.runId} were deleted on \\d{4}-\\d\\d-\\d\\d by the retention setting`,
  );
  for (const path of ['/comparison', '/visits', '/visits/page', '/bundle', '/measurements', '/wire'])
    expect([path, await read(path)]).toEqual([path, { status: 410, text: expect.stringMatching(gone) as string }]);
  expect(await read('/comparison/outline')).toEqual(outline);
  expect(await problemOf(await it.program(`/api/runs/${stored.runId}/added-rounds`, postJson({ rounds: 1 })))).toEqual([
    409,
    expect.stringContaining('its Visits were deleted'),
  ]);
  for (const { visits } of [keeper, younger])
    expect([await has('visit', visits), await has('snapshot', visits)]).toEqual([visits.length, visits.length]);
  expect(await count('audit_entry', `actor = 'retention setting' and details ->> 'run' = '${stored.runId}'`)).toBe(2);
});

test('while Visits are being deleted, none is excluded or counts again, so that the means that are kept stay', async () => {
  await using database = await createTestDatabase();
  const { pool } = database;
  const { runId, visits } = await storeCompletedRun(pool);
  const counted = visits.slice(-2);
  const [exclusion] = await excludeVisits(pool, { runId, visitIds: [counted[0]!.id], reason: 'A door', by: 'ann' });
  await rollUpRun(pool, runId);
  const readSums = async () =>
    (
      await pool.query<object>(
        'select * from cell_rollup where run_id = $1 order by metric, user_agent, url, scenario',
        [runId],
      )
    ).rows;
  const before = await readSums();
  expect(await markDueRun(pool, { id: runId, name: '', losesSnapshots: true, losesVisits: true })).toBe(true);
  await pool.query('delete from visit where id <> all ($1)', [counted.map(({ id }) => id)]); // as its first steps do
  const deleted = { code: 'visits-deleted' };
  const visitIds = [counted[1]!.id];
  await expect(excludeVisits(pool, { runId, visitIds, reason: 'Another', by: 'ann' })).rejects.toMatchObject(deleted);
  const reversal = reverseExclusion(pool, { id: exclusion!.id, reason: 'Shut', by: 'ann' });
  await expect(reversal).rejects.toMatchObject(deleted);
  expect(await readSums()).toEqual(before);
});

test('nothing of a deleted Run is found by its own address, though its data are still there', async () => {
  const { pool } = it.controller;
  const { runId, visits } = await storeCompletedRun(pool);
  const { id, passId } = visits[0]!;
  const paths = [`/api/visits/${id}`, `/api/visits/${id}/har`, `/api/passes/${passId}/capture`];
  const statuses = () => Promise.all(paths.map(async (path) => (await it.program(path)).status));
  expect(await statuses()).toEqual([200, 200, 200]);
  await pool.query('update run set deleted_at = now() where id = $1', [runId]);
  expect(await statuses()).toEqual([404, 404, 404]);
});
