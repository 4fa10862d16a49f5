import { expect, test } from 'vitest';
import { computeComparison } from '#core/comparison/compute-comparison.ts';
import { formatComparison } from '#cli/comparison/format-comparison.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { countFromRequest } from '#core/metrics/latency-origin.ts';
import { countVisitsFromRequest } from '#core/comparison/design-comparison.ts';
import type { RecordedVisit, RunRecord } from '#core/record/run-record.ts';
import { makeRecordedRound, makeRecordedVisit, makeRunRecord } from '../comparison/support/visits.ts';

const visitOf = (visit: Partial<RecordedVisit>) =>
  makeRecordedVisit({
    latencies: { baseMs: 900, viewportMs: null, totalMs: 1500 },
    absences: { viewportMs: 'page-hidden' },
    requestStart: { value: 600 },
    ...visit,
  });

test('a latency from the first request is absent where either time is, and where nothing is left', () => {
  expect(countFromRequest({ value: 900 }, { value: 600 })).toEqual({ value: 300 });
  expect(countFromRequest({ reason: 'page-hidden' }, { reason: 'unsupported' })).toEqual({ reason: 'page-hidden' });
  expect(countFromRequest({ value: 900 }, { reason: 'unsupported' })).toEqual({ reason: 'unsupported' });
  expect(countFromRequest({ value: 600 }, { value: 600 })).toEqual({ reason: 'not-applicable' });
});

test('each Visit is counted from its own first request, with a reason for each latency that it lacks', () => {
  const failed = visitOf({
    isFailed: true,
    latencies: { baseMs: null, viewportMs: null, totalMs: null },
    absences: null,
  });
  const [counted, unknown, late, same] = countVisitsFromRequest([
    visitOf({}),
    visitOf({ requestStart: { reason: 'not-applicable' } }),
    visitOf({ requestStart: { value: 1000 } }),
    failed,
  ]);
  expect(counted).toMatchObject({
    latencies: { baseMs: 300, viewportMs: null, totalMs: 900 },
    absences: { viewportMs: 'page-hidden' },
  });
  expect(unknown).toMatchObject({
    latencies: { baseMs: null, viewportMs: null, totalMs: null },
    absences: { baseMs: 'not-applicable', viewportMs: 'page-hidden', totalMs: 'not-applicable' },
  });
  expect(late!.latencies).toEqual({ baseMs: null, viewportMs: null, totalMs: 500 });
  expect(same).toEqual(failed);
});

/** Two Scenarios that differ only before the first request. */
function recordRun(): RunRecord {
  const evaluation = EvaluationSchema.parse({
    name: 'Handshakes',
    urlLists: { pages: ['http://origin.test/'] },
    userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
    scenarios: [{ name: 'plain', baseline: true }, { name: 'tls' }],
    repetition: { rounds: 6 },
  });
  const planned = [1, 2, 3, 4, 5, 6].flatMap((block) => ['plain', 'tls'].map((scenario) => ({ block, scenario })));
  return makeRunRecord({
    evaluation,
    rounds: planned.map(makeRecordedRound),
    visits: planned.map(({ block, scenario }) => {
      const startMs = (scenario === 'tls' ? 1200 : 600) + block;
      const pageMs = 1000 + 7 * ((block * 3) % 5);
      const ms = startMs + pageMs;
      return visitOf({
        block,
        scenario,
        latencies: { baseMs: ms, viewportMs: ms, totalMs: ms },
        absences: null,
        requestStart: { value: startMs },
      });
    }),
  });
}

test('a Comparison from the first request has all statistics of these latencies, and says so', () => {
  const record = recordRun();
  const [fromStart, fromRequest] = [computeComparison(record), computeComparison(record, 'first-request')];
  const totalOf = ({ metrics }: typeof fromStart) => metrics.find(({ metric }) => metric === 'totalMs')!;
  const tlsOf = (comparison: typeof fromStart) => totalOf(comparison).scenarios[1]!;
  expect(tlsOf(fromStart).reduction!.ratio).toBeCloseTo(-0.37, 1);
  expect(tlsOf(fromStart).meanReduction!.ratio).toBeCloseTo(-0.37, 1);
  expect(tlsOf(fromRequest).reduction!.ratio).toBeCloseTo(0, 9);
  expect(tlsOf(fromRequest).meanReduction!.ratio).toBeCloseTo(0, 9);
  expect(tlsOf(fromRequest).estimate!.mean).toBeCloseTo(1000 + (7 * (3 + 1 + 4 + 2 + 0 + 3)) / 6, 9);
  expect(fromStart).not.toHaveProperty('countedFrom');
  expect(fromStart.findings[0]).toContain('total page load latency, 6 Blocks');
  expect(fromRequest.countedFrom).toBe('first-request');
  expect(fromRequest.findings[0]).toContain('total page load latency from the first request, 6 Blocks');
  const text = formatComparison(fromRequest, { isColoured: false });
  expect(text).toContain('Total page load latency from the first request in ms, by URL');
  expect(text).toContain('Latencies are counted from the first request, not from navigation start.');
  expect(formatComparison(fromStart, { isColoured: false })).not.toContain('first request');
});

test('a Run that needs no first request is compared as before, without a word of it', () => {
  const record = recordRun();
  const without = { ...record, visits: structuredClone(record.visits) };
  for (const visit of without.visits) delete visit.requestStart;
  expect(computeComparison(without)).toEqual(computeComparison(record));
  expect(totalAbsences(computeComparison(without, 'first-request'))).toBe(36);
});

const totalAbsences = ({ absences }: ReturnType<typeof computeComparison>) =>
  absences.filter(({ reason }) => reason === 'unsupported').reduce((sum, { visits }) => sum + visits, 0);
