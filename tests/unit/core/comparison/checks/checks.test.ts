import { expect, test } from 'vitest';
import type { Check } from '#core/comparison/checks/check.ts';
import { countChecks, listChecks } from '#core/comparison/checks/list-checks.ts';
import { findDoubtfulBlocks } from '#core/comparison/checks/doubtful-blocks.ts';
import { recommendNext } from '#core/comparison/checks/recommend-next.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { WireComparison } from '#core/comparison/network/compare-wire.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import { sampleRound } from '#tests/support/sample-run.ts';
import { compareTwo } from '#tests/unit/cli/assertions/support/compare-two.ts';

const clear = (scenario: string, block: number) => (scenario === 'proxy' ? 800 : 1000) + ((block * 7) % 5);
const method = {
  order: 'random-blocks',
  warmUp: true,
  linkChecks: [],
  networkFigures: [],
  engineVersions: [{ host: 'laptop', version: 'Chrome/140.0' }],
  metricsVersions: [8],
  added: [],
  beside: [],
} as unknown as RunMethod;

function check(
  comparison: Comparison,
  rest: { method?: Partial<RunMethod>; wire?: WireComparison } = {},
): Map<string, Check> {
  const checks = listChecks({ comparison, method: { ...method, ...rest.method }, wire: rest.wire ?? null });
  return new Map(checks.map((each) => [each.id, each]));
}

test('of a clean Run every check passes that can be made, and a decided result is to be shared', () => {
  const comparison = compareTwo(clear, { hostDelayMs: 2 });
  const checks = [...check(comparison).values()];
  expect(checks.filter(({ state }) => state === 'failed')).toEqual([]);
  expect(countChecks(checks)).toEqual({ passed: checks.length - 1, of: checks.length - 1 }); // the load of the hosts is not known
  expect(checks.find(({ id }) => id === 'hosts')).toMatchObject({ state: 'unknown' });
  expect(recommendNext(comparison, checks)).toMatchObject({ step: 'share' });
});

test('a check that does not apply, or whose part of the report is not there, is not listed', () => {
  const without = listChecks({ comparison: compareTwo(clear), method: null, wire: null }).map(({ id }) => id);
  for (const id of ['link', 'order', 'versions', 'alone', 'packets', 'drops', 'starts', 'startOrder'])
    expect(without).not.toContain(id);
});

test('Visits that failed in one Block have the reduction of the others beside theirs', () => {
  // The Block that lost a Visit is not there in the reduction, so that nothing moves.
  const lost = check(
    compareTwo((scenario, block) => (scenario === 'proxy' && block === 3 ? null : clear(scenario, block))),
  );
  expect(lost.get('failed')).toMatchObject({
    state: 'failed',
    touchesReduction: false,
    found: '1 of 16 Visits failed.',
    effect: expect.stringContaining('No Block of the reduction is affected.') as string,
  });
});

test('hidden pages in Blocks that make the difference touch the reduction, by as much as it is without them', () => {
  const comparison = compareTwo((scenario, block) =>
    scenario === 'proxy' && block <= 2 ? 200 + block : clear(scenario, block),
  );
  const hidden = { ...comparison, hiddenVisits: 2, doubtfulBlocks: { ...comparison.doubtfulBlocks!, hidden: [1, 2] } };
  const alone = compareTwo(clear);
  const found = check(hidden).get('visible')!;
  expect(found).toMatchObject({ state: 'failed', touchesReduction: true });
  expect(found.effect).toMatch(
    /Without these 2 Blocks, proxy takes 20 % less time \(20–20 %\), not \d+ % less time\.$/,
  );
  expect(alone.metrics[2]!.scenarios[1]!.reduction!.ratio).toBeCloseTo(0.2, 2);
  expect(recommendNext(hidden, [...check(hidden).values()])).toMatchObject({ step: 'run-again' });
});

test('where every Block is affected, nothing shows what the reduction is without', () => {
  const comparison = compareTwo(clear);
  const all = Array.from({ length: 8 }, (_, index) => index + 1);
  const unsettled = {
    ...comparison,
    unsettledVisits: 8,
    doubtfulBlocks: { ...comparison.doubtfulBlocks!, unsettled: all },
  };
  expect(check(unsettled).get('settled')).toMatchObject({
    touchesReduction: true,
    effect: expect.stringContaining('Almost every Block is affected') as string,
  });
});

test('a link out of bounds, another order, and a Run beside touch the reduction; what differs between Blocks does not', () => {
  const comparison = compareTwo(clear);
  const linkCheck = {
    scenario: 'proxy',
    profile: 'dsl',
    figure: 'rate',
    unit: 'kbps',
    rounds: 8,
    expected: 1000,
  } as const;
  const seen = { mean: 900, smallest: 800, largest: 1000 };
  const checks = check(comparison, {
    method: {
      linkChecks: [
        { ...linkCheck, ...seen, outside: 2 },
        { ...linkCheck, ...seen, figure: 'delay', outside: 1 },
        { ...linkCheck, ...seen, figure: 'loss', outside: 0 },
      ] as unknown as RunMethod['linkChecks'],
      order: 'sequential',
      beside: ['9'],
      engineVersions: ['Chrome/140.0', 'Chrome/141.0'].map((version) => ({ host: 'laptop', version })),
    },
  });
  const failed = [...checks.values()].filter(({ state }) => state === 'failed');
  expect(failed.map(({ id, touchesReduction }) => [id, touchesReduction])).toEqual([
    ['order', true],
    ['link', true],
    ['alone', true],
    ['versions', false],
  ]);
  expect(checks.get('link')!.found).toBe('Out of bounds: rate of proxy in 2 checks; delay of proxy in 1 check.');
  expect(checks.get('versions')!.found).toBe('laptop used Chrome/140.0, Chrome/141.0.');
});

test('packets that hold less than the browsers received fail their check, and touch no latency', () => {
  const comparison = { ...compareTwo(clear), noCapture: null };
  const wire: WireComparison = {
    kind: 'measured',
    scenarios: [
      { scenario: 'proxy', roundsCounted: 1, roundsLeftOut: 7, figures: {} as never, shortfall: 'In 7 of 8 Rounds …' },
    ],
  };
  expect(check(comparison, { wire }).get('packets')).toMatchObject({
    state: 'failed',
    touchesReduction: false,
    found: 'proxy: In 7 of 8 Rounds …',
  });
});

test('few Blocks and an undecided result ask for Rounds', () => {
  const undecided = compareTwo(
    (scenario, block) => 1000 + (scenario === 'proxy' ? 1 : -1) * 300 * Math.sin(block * 2.1),
  );
  expect(recommendNext(undecided, [...check(undecided).values()])).toMatchObject({
    step: 'add-rounds',
    reason: expect.stringContaining('Undecided: proxy') as string,
  });
});

test('a replay whose recording lacks more than 1 % of what pages asked for is flagged, by Scenario', () => {
  const comparison = compareTwo(clear);
  expect(check(comparison).get('replays')).toBeUndefined();
  const whole = { scenario: 'direct', misses: 1, objects: 100 };
  expect(check({ ...comparison, lackingRecordings: [whole] }).get('replays')).toMatchObject({ state: 'passed' });
  const lacking = { scenario: 'proxy', misses: 3, objects: 100 };
  expect(check({ ...comparison, lackingRecordings: [whole, lacking] }).get('replays')).toMatchObject({
    state: 'failed',
    touchesReduction: true,
    found: 'The recording lacks 3 of 100 objects under proxy (3.0 %).',
  });
});

test('users in step that begin a later page apart fail the check of their starts, though they started the Round together', () => {
  const skew = { rounds: 8, medianMs: 2, largestMs: 3, errorMs: 1 };
  const comparison = {
    ...compareTwo(clear),
    userAgents: ['ann', 'bob'],
    firstRequestSkew: skew,
    pageSkew: { ...skew, largestMs: 400 },
  };
  const rounds = [400, 79].map((pageSkewMs, index) =>
    sampleRound({ block: index + 1, state: 'completed', firstRequestSkewMs: 2, pageSkewMs }),
  );
  const doubtfulBlocks = findDoubtfulBlocks({ rounds, visits: [] }, 800);
  expect(doubtfulBlocks.apart).toEqual([1]);
  expect(check({ ...comparison, doubtfulBlocks }).get('starts')).toMatchObject({
    state: 'failed',
    found: expect.stringContaining('Those of later pages lay 400 ms apart at most.') as string,
  });
});
