import { expect, test } from 'vitest';
import { leastRunMs } from '#controller/estimates/estimate-before-run.ts';
import { makeEvaluation } from '../../../../support/sample-evaluation.ts';

const evaluation = makeEvaluation();
const { pageLoad, repetition, userAgents } = evaluation;

test('a Run takes at least the rest before and the quiet after each Visit of its longest Pass', () => {
  // 2 Rounds of each of 2 Scenarios, and one to warm up: 6 Rounds with 3 URLs.
  expect(leastRunMs(evaluation)).toBe(6 * 3 * 900);
  expect(leastRunMs({ ...evaluation, repetition: { ...repetition, warmUp: false } })).toBe(4 * 3 * 900);
  // Two that are measured, and one before them that is not.
  expect(leastRunMs({ ...evaluation, pageLoad: { ...pageLoad, cache: 'warm', visitsPerUrl: 2 } })).toBe(6 * 9 * 900);
  // Per Pass, the first load is measured, too.
  expect(leastRunMs({ ...evaluation, pageLoad: { ...pageLoad, cache: 'per-pass', visitsPerUrl: 2 } })).toBe(
    6 * 6 * 900,
  );
  // Two URLs, of which the one is visited four times as often.
  const pages = ['often', 'once'].map((page) => ({
    url: `http://origin.test/${page}`,
    ...(page === 'often' && { visits: 4 }),
  }));
  expect(leastRunMs({ ...evaluation, urlLists: { pages } })).toBe(6 * 5 * 900);
  // One of two Scenarios is warm.
  const [direct, second] = evaluation.scenarios;
  const warm = { ...second!, browser: { ...second!.browser, cache: 'warm' as const } };
  expect(leastRunMs({ ...evaluation, scenarios: [direct!, warm] })).toBe(3 * (3 + 6) * 900);
  expect(leastRunMs({ ...evaluation, pageLoad: { ...pageLoad, quietMs: 60_000, timeoutMs: 1000 } })).toBe(6 * 3 * 1400);
});

test('the engine http awaits no quiet, and the slowest User Agent of a Round says how long it takes', () => {
  const [alice, bob] = userAgents.map((user) => ({ ...user, engine: 'http' as const }));
  expect(leastRunMs({ ...evaluation, userAgents: [alice!, bob!] })).toBe(6 * 3 * 400);
  expect(leastRunMs({ ...evaluation, userAgents: [alice!, userAgents[1]!] })).toBe(6 * 3 * 900);
});

test('a Run whose stop rule decides has the fewest Rounds that it may, or ends before its budget is spent', () => {
  const adaptive = { target: { halfWidthRatio: 0.05 }, minRounds: 10, maxRounds: 50 };
  const of = (timeBudgetMs?: number) =>
    leastRunMs({
      ...evaluation,
      repetition: {
        ...repetition,
        rounds: undefined,
        adaptive: { ...adaptive, ...(timeBudgetMs && { timeBudgetMs }) },
      },
    });
  expect(of()).toBe(11 * 2 * 3 * 900);
  // The warm-up and the first Block, which a budget does not keep from being measured.
  expect(of(10_000)).toBe(2 * 2 * 3 * 900);
  // Two Blocks of 10 s, or more shorter ones, leave less than a third of it.
  expect(of(30_000)).toBe(20_000);
  expect(of(600_000)).toBe(of());
});

test('the rhythm of each User Agent counts: its Visits, its rests or the mean of its think times, and its later start', () => {
  const [alice, bob] = userAgents;
  const of = (changes: Partial<typeof bob>) =>
    leastRunMs({ ...evaluation, userAgents: [alice!, { ...bob!, ...changes }] });
  expect(of({ visitsPerUrl: 2 })).toBe(6 * 6 * 900);
  expect(of({ restMs: 1000 })).toBe(6 * 3 * 1500);
  // Alice takes longer than these.
  expect(of({ restMs: 0 })).toBe(6 * 3 * 900);
  // No one thinks before the first of three Visits.
  expect(of({ restMs: { exponential: 10_000 } })).toBe(6 * (2 * 10_000 + 3 * 500));
  expect(of({ startOffsetMs: 60_000 })).toBe(6 * (60_000 + 3 * 900));
});

test('in step, each page takes as long as the slowest User Agent needs for it, and the word of its start', () => {
  const [alice, bob] = userAgents;
  const of = (changes: Partial<typeof bob>) =>
    leastRunMs({
      ...evaluation,
      repetition: { ...repetition, barrier: 'page' },
      userAgents: [alice!, { ...bob!, ...changes }],
    });
  expect(of({})).toBe(6 * (900 + 2 * (500 + 900)));
  // Bob alone has three more Visits.
  expect(of({ visitsPerUrl: 2, restMs: 100 })).toBe(6 * (900 + 2 * (500 + 900) + 3 * (500 + 600)));
});

test('the Visits of a large Evaluation are counted, and not listed: it has ten thousand millions', () => {
  const large = {
    ...evaluation,
    urlLists: { pages: [{ url: 'http://origin.test/{1..2000}' }] },
    userAgents: Array.from({ length: 1000 }, (_, index) => ({
      ...userAgents[0]!,
      name: `user ${index}`,
      visitsPerUrl: 100,
    })),
    scenarios: Array.from({ length: 50 }, (_, index) => ({ ...evaluation.scenarios[0]!, name: `scenario ${index}` })),
  };
  expect(leastRunMs(large)).toBe(3 * 50 * 200_000 * 900);
  const inStep = { ...large, repetition: { ...repetition, barrier: 'page' as const } };
  expect(leastRunMs(inStep)).toBe(3 * 50 * (900 + 199_999 * (500 + 900)));
});
