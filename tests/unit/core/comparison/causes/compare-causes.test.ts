import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xorshift128plus } from 'pure-rand/generator/xorshift128plus';
import { expect, test } from 'vitest';
import { causeIds, type CauseId } from '#core/causes/causes.ts';
import { compareCauses } from '#core/comparison/causes/compare-causes.ts';
import type { Verdict } from '#core/comparison/latencies/contrast.ts';
import { meanInterval } from '#core/statistics/mean-interval.ts';
import type { RecordedVisit } from '#core/record/run-record.ts';
import { makeRecordedVisit } from '../support/visits.ts';

const generator = xorshift128plus(1);
/** About 0, within ±1. */
const noise = () => uniformFloat64(generator) + uniformFloat64(generator) - 1;

function makeVisit(
  place: Pick<RecordedVisit, 'block' | 'scenario'> & Partial<RecordedVisit>,
  parts: Partial<Record<CauseId, number>>,
): RecordedVisit {
  const causes = causeIds.map((cause) => parts[cause] ?? 0);
  return makeRecordedVisit({
    latencies: { baseMs: null, viewportMs: null, totalMs: causes.reduce((sum, ms) => sum + ms, 0) },
    causes,
    ...place,
  });
}

function verdict(of: Verdict) {
  return [
    { scenario: 'slow', contrast: null },
    { scenario: 'fast', contrast: { verdict: of } },
  ];
}

const design: Parameters<typeof compareCauses>[1] = {
  metric: 'totalMs' as const,
  scenarios: ['slow', 'fast'],
  baseline: 'slow',
  urls: [{ url: 'http://origin.test/', label: 'Front page' }],
  userAgents: ['alice'],
  confidence: 0.95,
  notComparable: new Set<string>(),
  compared: verdict('faster'),
};

/** `fast` opens connections 500 ms sooner, waits 300 ms less, and receives 60 ms longer. */
const visits = Array.from({ length: 12 }, (_, block) => [
  makeVisit(
    { block, scenario: 'slow' },
    { connect: 800 + noise(), queue: 400 + noise(), receive: 200 + noise(), browser: 50 + noise() },
  ),
  makeVisit(
    { block, scenario: 'fast' },
    { connect: 300 + noise(), queue: 100 + noise(), receive: 260 + noise(), browser: 50 + noise() },
  ),
]).flat();

function compare(of: readonly RecordedVisit[], changes: Partial<typeof design> = {}) {
  const compared = compareCauses(of, { ...design, ...changes });
  if (compared.kind === 'absent') throw new Error(compared.reason);
  return compared;
}

test('the parts’ differences sum to that of the latency, each with its interval', () => {
  const [, fast] = compare(visits).scenarios;
  const { total, parts, blocks } = fast!.difference!;
  expect(blocks).toBe(12);
  expect(parts.reduce((sum, { value }) => sum + value, 0)).toBeCloseTo(total.value, 9);
  const shown = parts.filter(({ isShown }) => isShown).map(({ cause, value }) => [cause, Math.round(value)]);
  expect(shown).toEqual([
    ['connect', -500],
    ['queue', -300],
    ['receive', 60],
  ]);
  const totals = visits.map(({ latencies }) => latencies.totalMs!);
  const mean = (place: number) =>
    totals.filter((_, index) => index % 2 === place).reduce((sum, ms) => sum + ms, 0) / 12;
  expect(total.value).toBeCloseTo(mean(1) - mean(0), 9);
});

test('the intervals of the parts hold together: each has an equal part of the error, of the causes that there are', () => {
  const [, fast] = compare(visits).scenarios;
  const { total, parts } = fast!.difference!;
  const differences = (msOf: (visit: RecordedVisit) => number) =>
    Array.from({ length: 12 }, (_, block) => msOf(visits[2 * block + 1]!) - msOf(visits[2 * block]!));
  const expectInterval = (
    { value, low, high }: { value: number; low: number | null; high: number | null },
    values: number[],
    confidence: number,
  ) => {
    const { mean, halfWidth } = meanInterval(values, confidence);
    expect([value, low, high].map((ms) => ms!.toFixed(9))).toEqual(
      [mean, mean - halfWidth!, mean + halfWidth!].map((ms) => ms.toFixed(9)),
    );
  };
  const totals = differences(({ latencies }) => latencies.totalMs!);
  expectInterval(total, totals, 0.95);
  for (const cause of ['connect', 'queue', 'receive', 'browser'] as const) {
    const values = differences(({ causes }) => causes![causeIds.indexOf(cause)]!);
    expectInterval(
      parts.find((part) => part.cause === cause)!,
      values,
      1 - 0.05 / 4,
    );
  }
});

test('the sentence names what is shown and is a tenth, the largest first', () => {
  expect(compare(visits).sentences).toEqual([
    'With fast, these pages take 741 ms less (740 ms to 741 ms): −500 ms opening connections, −300 ms waiting for a free connection.',
  ]);
});

test.for<[Verdict, string]>([
  ['not-after-correction', ', though the reduction shows no difference: −500 ms'],
  ['no-difference-shown', ', though the reduction shows no difference: −500 ms'],
  ['slower', ', though these pages take more time by the reduction: −500 ms'],
])('a difference of means that the verdict "%s" does not share is one of means, and says so', ([of, words]) => {
  const [sentence] = compare(visits, { compared: verdict(of) }).sentences;
  expect(sentence).toContain(
    `With fast, the mean total page load latency is 741 ms less (740 ms to 741 ms)${words} opening connections`,
  );
});

test('beside latencies from the first request, the sentence says that it counts from navigation start', () => {
  const sentenceOf = (of: Verdict) =>
    compare(visits, { compared: verdict(of), from: 'first-request' }).sentences[0]!.split(' (740 ms to 741 ms)');
  expect(sentenceOf('faster')).toEqual([
    'With fast, the mean total page load latency from navigation start is 741 ms less',
    expect.stringMatching(/^: −500 ms/) as string,
  ]);
  expect(sentenceOf('equivalent')[1]).toMatch(/^, though the reduction from the first request shows no difference: /);
});

test('a part that reads as zero is not named', () => {
  const tiny = visits.map(({ block, scenario }) =>
    makeVisit(
      { block, scenario },
      { receive: 100 + ((block % 2 === 0) === (scenario === 'slow') ? 1 : -1), dns: scenario === 'slow' ? 0.04 : 0.02 },
    ),
  );
  expect(compare(tiny).scenarios[1]!.difference!.parts.find(({ cause }) => cause === 'dns')).toMatchObject({
    isShown: true,
  });
  expect(compare(tiny).sentences[0]).toMatch(/is not shown to differ: 0\.0 ms \([^)]*\)\.$/);
});

test('means are of the same pages where a User Agent fails under one Scenario', () => {
  const both = visits.flatMap((visit) => [
    visit,
    visit.scenario === 'fast'
      ? {
          ...visit,
          userAgent: 'bob',
          isFailed: true,
          causes: null,
          latencies: { baseMs: null, viewportMs: null, totalMs: null },
        }
      : makeVisit({ block: visit.block, scenario: 'slow', userAgent: 'bob' }, { connect: 9010 }),
  ]);
  const sums = (of: readonly RecordedVisit[]) =>
    compare(of, { userAgents: ['alice', 'bob'] }).scenarios.map(({ parts }) =>
      Math.round(parts!.reduce((sum, ms) => sum + ms, 0) / 10),
    );
  expect(sums(both)).toEqual([145, 71]);
  // Who takes no part in a Scenario leaves nothing out.
  expect(sums(both.filter(({ isFailed }) => !isFailed))).toEqual([523, 71]);
});

test('in seconds from a second on', () => {
  const longer = visits.map((visit) => ({ ...visit, causes: visit.causes!.map((ms) => ms * 10) }));
  expect(compare(longer).sentences[0]).toMatch(
    /^With fast, these pages take 7\.4\d s less \(7\.\d\d s to 7\.\d\d s\): −5\.0\d s opening/,
  );
});

test('with one Block no cause is named, and without a difference none is shown', () => {
  expect(compare(visits.slice(0, 2)).sentences[0]).toMatch(/one Block has no interval/);
  const same = visits.map(({ block, scenario }) =>
    makeVisit({ block, scenario }, { connect: 500 + ((block % 2 === 0) === (scenario === 'slow') ? 10 : -10) }),
  );
  const [sentence] = compare(same).sentences;
  expect(sentence).toMatch(/^With fast, the mean total page load latency is not shown to differ: /);
});

test('what is won in one place and lost in another is named though the latency is the same', () => {
  const moved = visits.map(({ block, scenario }) =>
    makeVisit(
      { block, scenario },
      scenario === 'slow' ? { queue: 300 + noise(), server: 100 } : { queue: 100 + noise(), server: 300 + noise() },
    ),
  );
  expect(compare(moved).sentences[0]).toMatch(
    /Its causes do: (−200 ms waiting.*\+200 ms waiting|\+200 ms waiting.*−200 ms waiting)/,
  );
});

test('pages and User Agents apart, and Visits that show a part best', () => {
  const pages = ['http://origin.test/a', 'http://origin.test/b'];
  const many = ['alice', 'bob'].flatMap((userAgent) =>
    pages.flatMap((url, page) =>
      visits.map((visit) => ({ ...visit, userAgent, url, causes: visit.causes!.map((ms) => ms * (page + 1)) })),
    ),
  );
  const { scenarios } = compare(many, {
    urls: pages.map((url) => ({ url, label: url })),
    userAgents: ['alice', 'bob'],
  });
  const [, fast] = scenarios;
  expect(fast!.byPage.map(({ total }) => Math.round(total.value / 74))).toEqual([-10, -20]);
  expect(fast!.byUserAgent.map(({ userAgent }) => userAgent)).toEqual(['alice', 'bob']);
  expect(fast!.examples.map(({ cause }) => cause)).toEqual(['connect', 'queue', 'receive']);
  expect(fast!.examples[0]!.block).toBeGreaterThanOrEqual(0);
});

test('of very many pages and Scenarios there is nothing apart', () => {
  const urls = Array.from({ length: 150 }, (_, index) => ({
    url: index === 0 ? 'http://origin.test/' : `http://origin.test/${index}`,
    label: String(index),
  }));
  expect(compare(visits, { urls: urls.slice(0, 2) }).scenarios[1]!.byPage).toHaveLength(1);
  const { scenarios } = compare(visits, { urls });
  expect(scenarios[1]!.byPage).toEqual([]);
});

test('a Scenario that cannot be compared has its parts and no difference', () => {
  const { scenarios, sentences } = compare(visits, { notComparable: new Set(['fast']) });
  expect(scenarios[1]!.parts).not.toBeNull();
  expect([scenarios[1]!.difference, sentences]).toEqual([null, []]);
});

test('excluded and failed Visits, and those without a split, are in no mean', () => {
  const [first, second, ...rest] = visits;
  const odd = [
    { ...first!, isExcluded: true },
    { ...second!, isFailed: true },
    ...rest.slice(0, 2).map((visit) => ({ ...visit, causes: null })),
    ...rest.slice(2),
  ];
  const compared = compare(odd);
  expect(compared.visitsWithout).toBe(2);
  expect(compared.scenarios[1]!.difference!.blocks).toBe(10);
  expect(compareCauses([], design)).toEqual({ kind: 'absent', reason: 'No Visit has this latency.' });
});
