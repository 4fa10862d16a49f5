import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { excludeVisits } from '#controller/runs/exclusions.ts';
import { storeScriptExecution } from '#controller/runs/rounds.ts';
import { storeCapture } from '#controller/captures/captures.ts';
import { WireComparisonSchema } from '#core/comparison/network/compare-wire.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { ComparisonSchema } from '#core/comparison/comparison.ts';
import { RunMethodSchema } from '#core/record/run-method.ts';
import { makeCaptured, type Captured } from '../../support/captured-trace.ts';
import { makeEvaluation } from '../../support/sample-evaluation.ts';
import { printCounters } from '../../support/print-counters.ts';
import { makeSnapshot } from '../../support/make-snapshot.ts';
import { startTestController } from '../../support/controller.ts';
import { storeCompletedRun } from '../../support/stored-run.ts';
import { holdForAll } from '#tests/support/hold.ts';

const it = holdForAll(() => startTestController());

test('the wire of a Run is that of its Captures, over the Visits of their Passes', async () => {
  const { pool } = it.database;
  const { runId, visits } = await storeCompletedRun(pool);
  for (const [passId, own] of Map.groupBy(visits, (visit) => visit.passId)) {
    const wires = own.map(({ id }, index) => [
      id,
      { packets: 1, bytes: 54, openedConnections: index, unusedConnections: index === 2 ? 1 : 0 },
    ]);
    await storeCapture(pool, {
      captureId: passId,
      outcome: makeCaptured({ visits: Object.fromEntries(wires) as Captured['visits'] }),
    });
  }
  const wire = WireComparisonSchema.parse(await (await it.program(`/api/runs/${runId}/wire`)).json());
  // Each Capture has 4 packets, of which 3 are without payload. Each Pass has 3 Visits, which open 0, 1 and 2 connections; 2 Rounds count.
  const figures = {
    packets: { rounds: 2, mean: 4 / 3 },
    connections: { mean: 1 },
    unusedConnections: { mean: 1 / 3 },
    signalling: { mean: 1 },
    retransmissions: { mean: 0 },
  };
  expect(wire).toMatchObject({
    kind: 'measured',
    scenarios: [
      { scenario: 'direct', roundsCounted: 2, roundsLeftOut: 0, figures },
      { scenario: 'proxy', figures },
    ],
  });
});

test('the wire and the method leave out a Round of which a person excluded every Visit', async () => {
  const { pool } = it.database;
  const { runId, visits } = await storeCompletedRun(pool);
  for (const passId of new Set(visits.map((visit) => visit.passId)))
    await storeCapture(pool, { captureId: passId, outcome: makeCaptured({ visits: {} }) });
  const excludeSome = async (excluded: typeof visits) => {
    const visitIds = excluded.map(({ id }) => id);
    await excludeVisits(pool, { runId, visitIds, reason: 'a window was open', by: 'Ada' });
    const wire = WireComparisonSchema.parse(await (await it.program(`/api/runs/${runId}/wire`)).json());
    return wire.kind === 'measured'
      ? wire.scenarios.map(({ roundsCounted }) => roundsCounted).sort((a, b) => a - b)
      : null;
  };
  // Of the last Round: two User Agents with three URLs each.
  const [first, ...others] = visits.slice(-6);
  const during = [{ figure: 'rate, forward', unit: 'kb/s', value: 900 }];
  const linkCheck = { profile: 'geo', backend: 'userspace', tookMs: 5, findings: [], during };
  await pool.query('update round set link_check = $2 where run_id = $1', [runId, JSON.stringify(linkCheck)]);
  const countFigures = async () => {
    const method = RunMethodSchema.parse(await (await it.program(`/api/runs/${runId}/method`)).json());
    return method.networkFigures.map(({ rounds }) => rounds).sort((a, b) => a - b);
  };
  expect(await excludeSome(others)).toEqual([2, 2]);
  expect(await countFigures()).toEqual([2, 2]);
  expect(await excludeSome([first!])).toEqual([1, 2]);
  expect(await countFigures()).toEqual([1, 2]);
});

test('a Capture that ended at its limit gives no figures, and a dropped packet is noted', async () => {
  const { pool } = it.database;
  const { runId, visits } = await storeCompletedRun(pool);
  const byPass = [...Map.groupBy(visits, (visit) => visit.passId)];
  for (const [index, [passId, own]] of byPass.entries()) {
    const wires = own.map(({ id }) => [id, { packets: 1, bytes: 54 }]);
    await storeCapture(pool, {
      captureId: passId,
      outcome: makeCaptured({
        visits: Object.fromEntries(wires) as Captured['visits'],
        isLimited: index === byPass.length - 1,
        droppedByKernel: index === byPass.length - 1 ? 0 : 2,
      }),
    });
  }
  const wire = WireComparisonSchema.parse(await (await it.program(`/api/runs/${runId}/wire`)).json());
  expect(wire).toMatchObject({ kind: 'measured' });
  const scenarios = wire.kind === 'measured' ? wire.scenarios : [];
  const limited = scenarios.find(({ shortfall }) => shortfall !== undefined);
  expect(limited).toMatchObject({
    roundsCounted: 1,
    roundsLeftOut: 1,
    roundsWithDrops: 1,
    shortfall: expect.stringMatching(/^In 1 of 2 Rounds a Capture reached the longest trace/) as string,
  });
  const rows = (await (await it.program(`/api/runs/${runId}/visits?format=json`)).json()) as Record<string, unknown>[];
  const ofLimited = new Set(byPass.at(-1)![1].map(({ id }) => id));
  for (const { visit_id: id, wire_packets: packets } of rows)
    expect(packets).toBe(ofLimited.has(id as string) ? null : 1);
});

test('a Run without Captures, or with one that was not made, says why there is nothing of the wire', async () => {
  const { pool } = it.database;
  const { runId, visits } = await storeCompletedRun(pool);
  await storeCapture(pool, {
    captureId: visits[0]!.passId,
    outcome: { kind: 'absent', reason: 'No interface of that name' },
  });
  expect(await (await it.program(`/api/runs/${runId}/wire`)).json()).toMatchObject({
    kind: 'absent',
    reason: expect.stringMatching(/^No counted Round has a Capture of every Pass/) as string,
  });
});

test('the Comparison has what crossed each Capture Point in the Rounds that count, against the baseline', async () => {
  const { pool } = it.database;
  const repetition = { order: 'random-blocks' as const, rounds: 3, warmUp: true, attempts: 2 };
  const capturePoints = [{ name: 'ground', host: 'gateway', interface: 'eth1', filter: '' }];
  const { runId } = await storeCompletedRun(pool, { evaluation: makeEvaluation({ repetition, capturePoints }) });
  const { rows } = await pool.query<{ id: string; scenario: string; warm_up: boolean; block: number }>(
    `select capture_point.id, scenario, warm_up, block from capture_point join round on round.id = round_id where run_id = $1`,
    [runId],
  );
  const { statistics } = makeCaptured();
  const tls = { version: 'TLS 1.3', offeredProtocols: null, protocol: null, isCut: false };
  for (const { id, scenario, warm_up: isWarmUp } of rows) {
    const seen =
      scenario === 'proxy'
        ? { packets: 10, connections: statistics.connections.map((each) => ({ ...each, tls })) }
        : { packets: isWarmUp ? 1_000_000 : 20, tcp: { ...statistics.tcp!, httpRequests: 31 } };
    await storeCapture(pool, { captureId: id, outcome: makeCaptured({ statistics: { ...statistics, ...seen } }) });
  }
  const comparison = ComparisonSchema.parse(await (await it.program(`/api/runs/${runId}/comparison`)).json());
  expect(comparison.capturePoints).toMatchObject([
    {
      point: 'ground',
      scenarios: [
        {
          scenario: 'direct',
          roundsCounted: 3,
          roundsLeftOut: 0,
          roundsWithEncryption: 0,
          figures: {
            packets: { estimate: { rounds: 3, mean: 20, halfWidth: 0 }, contrast: null },
            httpRequests: { estimate: { mean: 31 } },
          },
        },
        {
          scenario: 'proxy',
          roundsWithEncryption: 3,
          figures: {
            packets: { estimate: { mean: 10 }, contrast: { blocks: 3, ratio: { value: 0.5, low: 0.5, high: 0.5 } } },
            connections: { estimate: { mean: 1 } },
            httpRequests: { kind: 'absent', reason: expect.stringContaining('encrypted') as string },
          },
        },
      ],
    },
  ]);
});

test('the Comparison has what HTTPEP counted in the Rounds that count, of the Scenarios that used it', async () => {
  const { pool } = it.database;
  const repetition = { order: 'random-blocks' as const, rounds: 3, warmUp: true, attempts: 2 };
  const made = makeEvaluation({ repetition });
  const evaluation = EvaluationSchema.parse({
    ...made,
    scenarios: made.scenarios.map((scenario) => (scenario.name === 'proxy' ? { ...scenario, httpep: {} } : scenario)),
  });
  const { runId } = await storeCompletedRun(pool, { evaluation });
  const { rows } = await pool.query<{ id: string; warm_up: boolean; block: number }>(
    `select id, warm_up, block from round where run_id = $1 and scenario = 'proxy' order by index`,
    [runId],
  );
  for (const { id: roundId, warm_up: isWarmUp, block } of rows) {
    // The counters of one Round were lost.
    const processes = printCounters(isWarmUp ? { waitMs: 1e6 } : {}).slice(block === 2 && !isWarmUp ? 1 : 0);
    for (const { script, output } of processes)
      await storeScriptExecution(pool, {
        ...{ id: randomUUID(), roundId, phase: 'process', name: script, host: 'ground', script, output },
        ...{ exitCode: null, isTimedOut: false, durationMs: 1 },
      });
  }
  const comparison = ComparisonSchema.parse(await (await it.program(`/api/runs/${runId}/comparison`)).json());
  expect(comparison.httpep).toMatchObject({
    scenarios: [
      {
        scenario: 'proxy',
        roundsCounted: 2,
        roundsLeftOut: 1,
        leftOutReason: 'The counters of the ground end are not stored.',
        figures: {
          waitMs: { estimate: { rounds: 2, mean: 200 }, contrast: null },
          usedShare: { estimate: { mean: 0.8 } },
        },
      },
    ],
  });

  const { rows: visits } = await pool.query<{ id: string }>(
    `select visit.id from visit join pass on pass.id = pass_id join round on round.id = round_id where round.id = $1`,
    [rows.at(-1)!.id],
  );
  await excludeVisits(pool, { runId, visitIds: visits.map(({ id }) => id), reason: 'The door was open', by: 'ann' });
  const after = ComparisonSchema.parse(await (await it.program(`/api/runs/${runId}/comparison`)).json());
  expect(after.httpep).toMatchObject({ scenarios: [{ roundsCounted: 1, roundsLeftOut: 1 }] });
});

test('the method of a Run names its User Agents, their Hosts and engines, and how pages were loaded', async () => {
  const { runId } = await storeCompletedRun(it.database.pool, {
    evaluation: makeEvaluation({ description: 'Is a proxy faster?' }),
  });
  const method = RunMethodSchema.parse(await (await it.program(`/api/runs/${runId}/method`)).json());
  expect(method).toMatchObject({
    description: 'Is a proxy faster?',
    warmUp: true,
    pageLoad: { cache: 'cold', visitsPerUrl: 1, timeoutMs: 30_000, quietMs: 500 },
    engineVersions: [{ host: 'laptop', version: 'Chrome/140.0.7339.80' }],
  });
  expect(method.httpVersions).toEqual([
    { scenario: 'direct', version: 'http/1.1', objects: 12 },
    { scenario: 'proxy', version: 'http/1.1', objects: 12 },
  ]);
  expect(method).toMatchObject({
    order: 'random-blocks',
    brokenRoundsInAll: 0,
    linkChecks: [],
    userAgents: [{ name: 'alice', engine: 'chrome', host: 'laptop', userClass: null }, { name: 'bob' }],
  });
});

test('a report says what sets a Scenario apart, and why there is no value and no packet', async () => {
  const scenarios = [
    { name: 'direct', baseline: true },
    { name: 'proxy', description: 'As an operator has it.', browser: { proxy: 'http://proxy.test:3128' } },
  ];
  const evaluation = EvaluationSchema.parse({ ...makeEvaluation(), scenarios });
  const { runId } = await storeCompletedRun(it.database.pool, {
    evaluation,
    snapshotOf: (page) => ({ ...makeSnapshot(page), viewport: null }),
  });
  const comparison = ComparisonSchema.parse(await (await it.program(`/api/runs/${runId}/comparison`)).json());
  expect(comparison.conditions).toEqual([
    { scenario: 'direct', isBaseline: true, description: '', differences: [] },
    {
      scenario: 'proxy',
      isBaseline: false,
      description: 'As an operator has it.',
      differences: [{ setting: 'Proxy', baseline: 'none', own: 'http://proxy.test:3128', isScript: false }],
    },
  ]);
  expect(comparison.absences).toEqual(
    expect.arrayContaining([{ metric: 'viewportMs', scenario: 'proxy', reason: 'unsupported', visits: 12 }]),
  );
  expect(comparison.noCapture).toMatch(/^No User Agent has an address of its own/);
});

test.for(['wire', 'method'])('of a Run that is not there, the %s is not found', async (part) => {
  expect((await it.program(`/api/runs/999999/${part}`)).status).toBe(404);
});
