import { expect, test } from 'vitest';
import { computeComparison, leaveOutExcluded } from '#core/comparison/compute-comparison.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { RecordedRound, RecordedVisit, RunRecord } from '#core/record/run-record.ts';
import { makeRecordedRound, makeRecordedVisit, makeRunRecord } from './support/visits.ts';

const round = (block: number, scenario: string, change: Partial<RecordedRound> = {}) =>
  makeRecordedRound({ block, scenario, ...change });
const url = 'http://origin.test/';
const loaded = (block: number, scenario: string, totalMs: number, change: Partial<RecordedVisit> = {}) =>
  makeRecordedVisit({ block, scenario, url, latencies: { baseMs: null, viewportMs: null, totalMs }, ...change });

/** A Run of a direct Scenario and a proxy, of six Blocks in which the proxy takes half the time. */
function recordRun(change: Partial<RunRecord> = {}, evaluation: object = {}): RunRecord {
  const blocks = [1, 2, 3, 4, 5, 6];
  return makeRunRecord({
    evaluation: EvaluationSchema.parse({
      name: 'Proxies',
      urlLists: { pages: [url] },
      userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
      scenarios: [{ name: 'direct', baseline: true }, { name: 'proxy' }],
      ...evaluation,
    }),
    rounds: blocks.flatMap((block) => [round(block, 'direct'), round(block, 'proxy')]),
    visits: blocks.flatMap((block) => [
      loaded(block, 'direct', 1000 + block),
      loaded(block, 'proxy', (1000 + block) / 2),
    ]),
    ...change,
  });
}

test('Rounds are counted by how they ended: completed ones, those to warm up, and broken ones', () => {
  const rounds = [
    round(0, 'direct', { warmUp: true }),
    round(0, 'proxy', { warmUp: true, state: 'broken' }),
    round(0, 'proxy', { warmUp: true }),
    round(1, 'direct'),
    round(1, 'proxy', { state: 'broken' }),
    round(1, 'proxy', { state: 'broken' }),
    round(1, 'proxy'),
    round(2, 'direct'),
    round(2, 'proxy', { state: 'running' }),
  ];
  expect(computeComparison(recordRun({ rounds }))).toMatchObject({
    roundsCounted: 3,
    roundsBroken: 3,
    warmUpRounds: 2,
  });
});

test('Visits that did not settle, or whose page was hidden, are counted, but for those that a person excluded', () => {
  const visits = [
    loaded(1, 'direct', 100, { isUnsettled: true }),
    loaded(1, 'proxy', 100, { isUnsettled: true, isExcluded: true }),
    loaded(2, 'direct', 100, { isHidden: true }),
    loaded(2, 'proxy', 100, { isHidden: true, isUnsettled: true }),
    loaded(3, 'direct', 100, { isHidden: true, isExcluded: true }),
    loaded(3, 'proxy', 100),
  ];
  expect(computeComparison(recordRun({ visits }))).toMatchObject({ unsettledVisits: 2, hiddenVisits: 2 });
  expect(computeComparison(recordRun())).toMatchObject({ unsettledVisits: 0, hiddenVisits: 0 });
});

test('a Round of which a person excluded every Visit counts in no figure of hosts, users and packets either', () => {
  const of = { scenario: 'proxy', host: 'laptop', load: null };
  const rounds = [1, 2, 3].map((block) => ({ ...of, block }));
  const counted = { kind: 'absent', reason: 'none' } as const;
  const record = recordRun({
    visits: [
      loaded(1, 'proxy', 100, { isExcluded: true }),
      loaded(1, 'proxy', 100, { isExcluded: true }),
      loaded(2, 'proxy', 100, { isExcluded: true }),
      loaded(2, 'proxy', 100),
    ],
    starts: rounds.map((round) => ({ ...round, userAgent: 'alice', startedEpochMs: 0, firstRequestEpochMs: 0 })),
    loads: rounds,
    traffic: rounds.map((round) => ({ ...round, users: [], hasDrops: false })),
    points: rounds.map((round) => ({ ...round, point: 'link', captured: counted })),
    httpep: rounds.map((round) => ({ ...round, counted })),
  });
  const { starts, loads, traffic, points, httpep } = leaveOutExcluded(record);
  for (const left of [starts, loads, traffic, points, httpep]) expect(left.map(({ block }) => block)).toEqual([2, 3]);
});

test('a Round of which a person excluded every Visit counts in no figure of how the Run went', () => {
  const record = recordRun();
  const skewed = record.rounds.map((each) =>
    each.block === 3 ? { ...each, startSkewMs: 999, startSkewErrorMs: 0 } : each,
  );
  const visits = record.visits.map((visit) => ({ ...visit, isExcluded: visit.block === 3 }));
  const all = computeComparison({ ...record, rounds: skewed });
  const left = computeComparison({ ...record, rounds: skewed, visits });
  expect(all.startSkew).toMatchObject({ largestMs: 999 });
  expect(left.startSkew?.largestMs).not.toBe(999);
  expect(left.roundsCounted).toBe(
    record.rounds.filter(({ block, warmUp, state }) => block !== 3 && !warmUp && state === 'completed').length,
  );
});

test('a Visit that counts as failed because it lost objects makes its Block doubtful', () => {
  const { visits } = recordRun();
  const lossy = visits.map((visit) =>
    visit.block === 3 && visit.scenario === 'proxy' ? { ...visit, failedObjects: 2 } : visit,
  );
  const blocksOf = (rule: string) =>
    computeComparison(recordRun({ visits: lossy }, { pageLoad: { failedObjects: rule } })).doubtfulBlocks!.failed;
  expect([blocksOf('fail'), blocksOf('exclude')]).toEqual([[3], []]);
});

test('how far apart users began is of the Rounds that count, of each kind of beginning by itself', () => {
  const skews = (ms: number) => ({
    startSkewMs: ms,
    startSkewErrorMs: 1,
    firstRequestSkewMs: ms + 10,
    firstRequestSkewErrorMs: 2,
    firstPacketSkewMs: ms + 20,
    firstPacketSkewErrorMs: 3,
    pageSkewMs: ms + 30,
    pageSkewErrorMs: 4,
  });
  const rounds = [
    round(0, 'direct', { warmUp: true, ...skews(900) }),
    round(1, 'direct', { state: 'broken', ...skews(800) }),
    round(1, 'direct', skews(5)),
    round(1, 'proxy', skews(7)),
    round(2, 'direct', skews(6)),
  ];
  expect(computeComparison(recordRun({ rounds }))).toMatchObject({
    startSkew: { medianMs: 6, largestMs: 7 },
    firstRequestSkew: { medianMs: 16, largestMs: 17 },
    firstPacketSkew: { medianMs: 26, largestMs: 27 },
    pageSkew: { medianMs: 36, largestMs: 37 },
  });
  expect(computeComparison(recordRun())).toMatchObject({
    startSkew: null,
    firstRequestSkew: null,
    firstPacketSkew: null,
  });
  expect(computeComparison(recordRun())).not.toHaveProperty('pageSkew');
});

const user = { name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' };
test.for<[string, object, string | RegExp | null]>([
  ['capture is off', { capture: { enabled: false } }, /^The Evaluation says "capture: { enabled: false }"\. Remove/],
  ['no User Agent has an address', {}, /^No User Agent has an address of its own .*Give each an "osUser"/],
  [
    'all have the address of another',
    {
      userAgents: ['alice', 'bob'].map((name) => ({ ...user, name, osUser: 20_001, sourceAddress: '10.9.1.1' })),
    },
    'alice: "bob" has the same "sourceAddress", so their packets cannot be distinguished',
  ],
  ['one has one', { userAgents: [user, { ...user, name: 'bob', osUser: 20_001, sourceAddress: '10.9.1.1' }] }, null],
  ['users are isolated', { capture: { isolate: true } }, null],
])('without packets, the report says why where %s', ([, evaluation, reason]) => {
  const { noCapture } = computeComparison(recordRun({}, evaluation));
  if (reason instanceof RegExp) expect(noCapture).toMatch(reason);
  else expect(noCapture).toBe(reason);
});

test('cells of single User Agents are left out where there would be more than may be, and their number is said', () => {
  const hasUsers = (most?: number) => {
    const comparison = computeComparison(recordRun(), 'navigation-start', most);
    const total = comparison.metrics.find(({ metric }) => metric === 'totalMs')!;
    return [total.cells.some(({ userAgent }) => userAgent !== null), comparison.userCellsLeftOut];
  };
  // Two Scenarios with one user and page, of each of three latencies.
  expect(hasUsers()).toEqual([true, undefined]);
  expect(hasUsers(6)).toEqual([true, undefined]);
  expect(hasUsers(5)).toEqual([false, 6]);
});

test('a Comparison has the reduction that its Visits show, and says so', () => {
  const { metrics, findings, baseline, scenarios, countedFrom } = computeComparison(recordRun());
  const total = metrics.find(({ metric }) => metric === 'totalMs')!;
  expect(total.scenarios.map(({ reduction }) => reduction?.ratio ?? null)).toEqual([null, expect.closeTo(0.5)]);
  expect({ baseline, scenarios, countedFrom }).toEqual({
    baseline: 'direct',
    scenarios: ['direct', 'proxy'],
    countedFrom: undefined,
  });
  expect(JSON.stringify(findings)).toContain('50 %');
});
