import { expect, test } from 'vitest';
import { storeCapture } from '#controller/captures/captures.ts';
import type { OwnedRun } from '#controller/runs/stored-runs.ts';
import { completeRound, setPassStates } from '#controller/runs/rounds.ts';
import { StepRecorder } from '#controller/coordinator/execute-round.ts';
import { readRequestDelays, readStartSkew } from '#controller/runs/read-start-skew.ts';
import { readRunRecord } from '#controller/runs/read-run-record.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { makeCaptured } from '../support/captured-trace.ts';
import { startTestController } from '../support/controller.ts';
import { makeEvaluation } from '../support/sample-evaluation.ts';
import { storeCompletedRun } from '../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

const userAgents = makeEvaluation().userAgents.map((user, index) => ({ ...user, host: `host ${index + 1}` }));

/** A Run on two hosts, and the Passes of its last Round. */
async function storeRun() {
  const { pool } = it.controller;
  const { runId } = await storeCompletedRun(pool, { evaluation: makeEvaluation({ userAgents }) });
  const { rows } = await pool.query<{ id: string; roundId: string }>(
    `select pass.id, round_id as "roundId" from pass where round_id = (select id from round where run_id = $1 order by index desc limit 1) order by user_agent`,
    [runId],
  );
  const { rows: runs } = await pool.query<{ seed: string; epoch: number }>(
    'select seed, epoch from run where id = $1',
    [runId],
  );
  const run: OwnedRun = {
    id: runId,
    seed: Number(runs[0]!.seed),
    epoch: runs[0]!.epoch,
    state: 'running',
    evaluation: makeEvaluation(),
  };
  return { pool, run, roundId: rows[0]!.roundId, passIds: rows.map(({ id }) => id) };
}

test('the start skew of a Round has the error of the clocks, and that of first packets stands beside it once all are captured', async () => {
  const { pool, run, roundId, passIds } = await storeRun();
  await pool.query(
    `update visit set started_at = started_at + interval '3 ms', clock_error_ms = 0.75 where pass_id = $1`,
    [passIds[1]],
  );
  await pool.query(`update visit set request_delay_ms = case when pass_id = $1 then 30 else 5 end`, [passIds[0]]);
  // Each host has read its clock with an error of its own; each engine gives its first request with one, too.
  const stated = {
    startSkewMs: expect.closeTo(3, 3) as number,
    startSkewErrorMs: 1.25,
    firstRequestSkewMs: expect.closeTo(22, 3) as number,
    firstRequestSkewErrorMs: expect.closeTo(1.25 + 15 + 15, 3) as number,
  };
  const capture = (captureId: string, firstPacketEpochMs: number, clockOffsetMs: number) =>
    storeCapture(pool, { captureId, outcome: makeCaptured({ firstPacketEpochMs, clockOffsetMs, clockErrorMs: 0.5 }) });
  await capture(passIds[0]!, 1000, 40);
  expect(await readStartSkew(pool, { id: roundId, userAgents, isInStep: false })).toEqual({
    ...stated,
    firstPacketSkewMs: null,
    firstPacketSkewErrorMs: null,
    pageSkewMs: null,
    pageSkewErrorMs: null,
  });
  await capture(passIds[1]!, 1052, -3);
  const skew = await readStartSkew(pool, { id: roundId, userAgents, isInStep: false });
  expect(skew).toEqual({
    ...stated,
    firstPacketSkewMs: 9,
    firstPacketSkewErrorMs: 1,
    pageSkewMs: null,
    pageSkewErrorMs: null,
  });

  await completeRound(pool, run, { id: roundId, ...skew });
  const comparison = ComparisonSchema.parse(await (await it.program(`/api/runs/${run.id}/comparison`)).json());
  expect(comparison).toMatchObject({
    startSkew: { largestMs: skew.startSkewMs, errorMs: 1.25 },
    firstRequestSkew: { rounds: 1, largestMs: skew.firstRequestSkewMs },
    firstPacketSkew: { rounds: 1, largestMs: 9, errorMs: 1 },
  });
  const visits = (await (await it.program(`/api/runs/${run.id}/visits?format=json`)).json()) as Record<
    string,
    unknown
  >[];
  expect(visits.at(-1)).toMatchObject({
    clock_error_ms: 0.75,
    request_delay_ms: 5,
    first_request_skew_ms: skew.firstRequestSkewMs,
    first_packet_skew_ms: 9,
    first_packet_skew_error_ms: 1,
    start_skew_error_ms: 1.25,
  });
});

test('the start skew is reported against the offset with which a User Agent was to begin', async () => {
  const { pool, roundId, passIds } = await storeRun();
  await pool.query(`update visit set started_at = started_at + interval '2003 ms' where pass_id = $1`, [passIds[1]]);
  const late = userAgents.map((user, index) => ({ ...user, startOffsetMs: index * 2000 }));
  for (const [index, captureId] of passIds.entries())
    await storeCapture(pool, {
      captureId,
      outcome: makeCaptured({ firstPacketEpochMs: 1000 + index * 2005, clockOffsetMs: 0, clockErrorMs: 0.5 }),
    });
  expect(await readStartSkew(pool, { id: roundId, userAgents: late, isInStep: false })).toMatchObject({
    startSkewMs: expect.closeTo(3, 3) as number,
    firstPacketSkewMs: 5,
  });
  expect(await readStartSkew(pool, { id: roundId, userAgents, isInStep: false })).toMatchObject({
    startSkewMs: expect.closeTo(2003, 3) as number,
    firstPacketSkewMs: 2005,
  });
});

test('a Round in step has the largest skew of its further pages, by the first requests of those that load one there', async () => {
  const { pool, run, roundId, passIds } = await storeRun();
  const read = () => readStartSkew(pool, { id: roundId, userAgents, isInStep: true });
  await pool.query(
    `update visit set clock_error_ms = 0.5, request_delay_ms = 5 + case when pass_id = $1 then sequence * 10 else 0 end,
       started_at = (select min(started_at) from visit first where first.pass_id = any($2) and first.sequence = visit.sequence) where pass_id = any($2)`,
    [passIds[0], passIds],
  );
  const { rows } = await pool.query<{ last: number }>('select max(sequence) as last from visit where pass_id = $1', [
    passIds[0],
  ]);
  const { last } = rows[0]!;
  expect(await read()).toMatchObject({
    firstRequestSkewMs: 0,
    pageSkewMs: expect.closeTo(10 * last, 3) as number,
    pageSkewErrorMs: expect.closeTo(1 + 15 + 15, 3) as number,
  });
  // Without a request of all, the page says nothing. Nor does one that only one user has.
  await pool.query('update visit set request_delay_ms = null where pass_id = $1 and sequence = $2', [passIds[1], last]);
  const skew = await read();
  expect(skew.pageSkewMs).toBe(last > 1 ? 10 * (last - 1) : null);
  await completeRound(pool, run, { id: roundId, ...skew, pageSkewMs: 12, pageSkewErrorMs: 3 });
  const comparison = ComparisonSchema.parse(await (await it.program(`/api/runs/${run.id}/comparison`)).json());
  expect(comparison.pageSkew).toEqual({ rounds: 1, medianMs: 12, largestMs: 12, errorMs: 3 });
});

test('the time from order to first request is learnt from the completed Rounds of the Scenario, as their lower median', async () => {
  const { pool, run, roundId } = await storeRun();
  const { rows } = await pool.query<{ scenario: string }>('select scenario from round where id = $1', [roundId]);
  const { scenario } = rows[0]!;
  // The first Visit of a Pass counts alone: the others find the browser at work.
  await pool.query(
    `update visit set request_delay_ms = 10 * (select count(*) from round before where before.run_id = $1 and before.scenario = $2 and before.index <= round.index) + 1000 * sequence
     from pass join round on round.id = pass.round_id where pass.id = visit.pass_id and round.run_id = $1 and round.scenario = $2 and pass.user_agent = $3`,
    [run.id, scenario, userAgents[0]!.name],
  );
  const { rows: rounds } = await pool.query('select id from round where run_id = $1 and scenario = $2', [
    run.id,
    scenario,
  ]);
  const known = await readRequestDelays(pool, { runId: run.id, scenario });
  expect(known.get(userAgents[0]!.name)).toBe(10 * Math.ceil(rounds.length / 2));
  expect((await readRequestDelays(pool, { runId: run.id, scenario: 'another' })).size).toBe(0);
});

test('steps that Passes take while one is stored are stored together, each Pass as it was last', async () => {
  const { pool, run, passIds } = await storeRun();
  const held = Promise.withResolvers<void>();
  let statements = 0;
  const recorder = new StepRecorder({
    run,
    store: async (work) => {
      statements++;
      await held.promise;
      return work(pool);
    },
    notify: () => undefined,
  });
  recorder.record({ passId: passIds[0]!, step: 'ready' });
  await Promise.resolve();
  const load = { kind: 'absent', reason: 'It is not read' } as const;
  for (const passId of passIds) {
    recorder.record({ passId, step: 'running' });
    recorder.record({ passId, step: 'ended', load });
  }
  held.resolve();
  await recorder.settled();
  expect(statements).toBe(2);
  const { rows } = await pool.query(
    'select state, host_load, started_at is not null as has_started from pass where id = any($1)',
    [passIds],
  );
  expect(rows).toEqual(passIds.map(() => ({ state: 'ended', host_load: load, has_started: true })));
});

test('the load of a host is kept with its Pass, and what its Agent did not report is absent', async () => {
  const { pool, run, passIds } = await storeRun();
  const load = { kind: 'absent', reason: 'Only Linux shows it in /proc; this host runs darwin' } as const;
  await setPassStates(
    pool,
    run,
    passIds.slice(0, 1).map((id) => ({ id, state: 'completed', load })),
  );
  // A later step of the Pass says nothing of it, and leaves it.
  await setPassStates(pool, run, [{ id: passIds[0]!, state: 'completed' }]);
  const { loads } = (await readRunRecord(pool, run.id))!;
  expect(loads.slice(-2)).toMatchObject([
    { host: 'host 1', load: { kind: 'absent', reason: 'Only Linux shows it in /proc; this host runs darwin' } },
    { host: 'host 2', load: null },
  ]);
});
