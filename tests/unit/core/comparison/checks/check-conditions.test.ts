import { expect, test } from 'vitest';
import type { Check } from '#core/comparison/checks/check.ts';
import { listChecks } from '#core/comparison/checks/list-checks.ts';
import type { Comparison, MetricComparison } from '#core/comparison/comparison.ts';
import type { Flag } from '#core/comparison/latencies/flag.ts';
import type { RunMethod } from '#core/record/run-method.ts';
import { compareTwo } from '#tests/unit/cli/assertions/support/compare-two.ts';

const quiet = compareTwo((scenario, block) => (scenario === 'proxy' ? 800 : 1000) + ((block * 7) % 5));
type ScenarioComparison = MetricComparison['scenarios'][number];

/** The Comparison with the primary metric of `proxy` changed, or of both. */
function changed(change: (scenario: ScenarioComparison) => object, rest: object = {}): Comparison {
  const changeMetric = (each: MetricComparison) =>
    each.metric === quiet.primaryMetric
      ? { ...each, scenarios: each.scenarios.map((scenario) => ({ ...scenario, ...change(scenario) })) }
      : each;
  return { ...quiet, metrics: quiet.metrics.map(changeMetric), ...rest };
}

const plainMethod = {
  order: 'random-blocks',
  warmUp: true,
  linkChecks: [],
  networkFigures: [],
  engineVersions: [],
  metricsVersions: [8],
  added: [],
  beside: [],
};
function check(id: string, comparison: Comparison, method: object = {}): Check | undefined {
  const all = listChecks({ comparison, method: { ...plainMethod, ...method } as unknown as RunMethod, wire: null });
  return all.find((each) => each.id === id);
}
const part = (text: string) => expect.stringContaining(text) as string;

/** With so many Blocks in the reduction of `proxy`. */
const withBlocks = (blocks: number, ending: object | null = null) =>
  changed(({ isBaseline, reduction }) => (isBaseline ? {} : { reduction: { ...reduction!, blocks } }), { ending });
const flagged = (...flags: Flag[]) =>
  changed(({ isBaseline, distribution, contrast }) =>
    isBaseline ? { distribution: { ...distribution!, flags } } : { contrast: { ...contrast!, flags } },
  );
/** In the means of the baseline only. */
const withDrift = changed(({ isBaseline, distribution }) =>
  isBaseline ? { distribution: { ...distribution!, flags: ['trend'] } } : {},
);
const ending = (cellsMissed: number, cells: number) => ({ cellsMissed, cells });

test.for<[string, Comparison, object]>([
  ['blocks', quiet, { state: 'passed', found: '8 Blocks.' }],
  ['blocks', withBlocks(5), { state: 'passed', found: '5 Blocks.' }],
  [
    'blocks',
    withBlocks(4),
    { state: 'failed', found: 'A Scenario has 4 Blocks.', touchesReduction: true, step: 'add-rounds' },
  ],
  ['blocks', withBlocks(1), { found: 'A Scenario has 1 Block.' }],
  ['blocks', withBlocks(6, ending(0, 4)), { state: 'passed', found: '6 Blocks, and every mean reached its target.' }],
  ['blocks', withBlocks(6, ending(0, 0)), { state: 'passed', found: '6 Blocks.' }],
  [
    'blocks',
    withBlocks(6, ending(1, 4)),
    { state: 'failed', found: '1 of 4 means missed the target of the Evaluation.', touchesReduction: false },
  ],
  ['blocks', withBlocks(4, ending(1, 4)), { found: 'A Scenario has 4 Blocks.' }],
  ['steady', quiet, { state: 'passed' }],
  ['steady', flagged('skewed'), { state: 'passed' }],
  ['steady', flagged('trend'), { state: 'failed', found: part('direct, proxy.'), touchesReduction: true }],
  ['steady', flagged('autocorrelated'), { state: 'failed', effect: part('The reduction itself') }],
  ['steady', withDrift, { state: 'failed', found: part('direct.'), touchesReduction: false, effect: part('paired') }],
  ['shape', quiet, { state: 'passed' }],
  ['shape', flagged('trend'), { state: 'passed' }],
  ['shape', flagged('bimodal'), { state: 'failed', touchesReduction: false, step: 'look', effect: part('hides') }],
  ['shape', flagged('constant', 'skewed'), { effect: part('hides') }],
  ['shape', flagged('constant'), { state: 'failed', effect: part('do not vary') }],
  [
    'shape',
    flagged('skewed', 'censored'),
    { touchesReduction: true, step: 'change', effect: part('Raise the hard cap') },
  ],
])('the check "%s" finds what there is: %#', ([id, comparison, found]) => {
  expect(check(id, comparison)).toMatchObject(found);
});

const link = (rounds: number, outside: number) => ({ figure: 'rate', scenario: 'proxy', rounds, outside });
test.for<[string, object, object | undefined]>([
  ['order', {}, { state: 'passed', found: 'Every Scenario once per Block, in random order, after a warm-up.' }],
  ['order', { warmUp: false }, { found: 'Every Scenario once per Block, in random order.' }],
  ['order', { order: 'sequential' }, { state: 'failed', touchesReduction: true, step: 'change' }],
  ['link', {}, undefined],
  [
    'link',
    { linkChecks: [link(7, 0), link(8, 0)] },
    { state: 'passed', found: 'All 2 figures of the link were within their bounds, in 8 Rounds.' },
  ],
  [
    'link',
    { linkChecks: [link(7, 0), link(8, 1)] },
    { state: 'failed', found: 'Out of bounds: rate of proxy in 1 check.', touchesReduction: true },
  ],
  [
    'link',
    {
      linkChecks: [link(7, 0)],
      networkFigures: [{ scenario: 'proxy', figure: 'forward missed', unit: 'packets', rounds: 2, largest: 9 }],
    },
    {
      state: 'failed',
      found: 'The link lost packets: forward missed up to 9 packets of proxy.',
      touchesReduction: true,
      place: 'network',
    },
  ],
  ['alone', {}, { state: 'passed' }],
  [
    'alone',
    { beside: ['4', '9'] },
    { state: 'failed', found: 'Run 4, Run 9 were under way, too.', touchesReduction: true },
  ],
  ['alone', { beside: ['4'] }, { found: 'Run 4 was under way, too.' }],
  ['versions', {}, { state: 'passed', found: 'One version of HTTP-AE.' }],
  [
    'versions',
    {
      engineVersions: [
        { host: 'a', version: 'Chrome/1' },
        { host: 'b', version: 'Chrome/2' },
      ],
    },
    { state: 'passed', found: 'Chrome/1, Chrome/2' },
  ],
  [
    'versions',
    {
      engineVersions: [
        { host: 'a', version: 'Chrome/1' },
        { host: 'a', version: 'Firefox/2' },
      ],
    },
    { state: 'passed' },
  ],
  [
    'versions',
    {
      engineVersions: [
        { host: 'a', version: 'Chrome/1' },
        { host: 'a', version: 'Chrome/2' },
      ],
    },
    { state: 'failed', found: 'a used Chrome/1, Chrome/2.', touchesReduction: false },
  ],
  ['versions', { metricsVersions: [8, 9] }, { state: 'failed', found: 'Metric definitions 8 and 9.' }],
  ['versions', { added: [{ changes: ['The host changed.'] }] }, { state: 'failed', found: 'The host changed.' }],
])('the check "%s" of how a Run was made finds what there is: %o', ([id, method, found]) => {
  if (found === undefined) expect(check(id, quiet, method)).toBeUndefined();
  else expect(check(id, quiet, method)).toMatchObject(found);
});

const host = (cpu: number) => ({
  host: 'laptop',
  cpuCount: 4,
  rounds: 8,
  measures: { cpu: { median: cpu, largest: 1 } },
});
const busyRound = {
  host: 'laptop',
  scenario: 'proxy',
  measure: 'cpu',
  blocks: [3],
  rounds: 8,
  busyMean: 1,
  calmMean: 0,
};
const load = (change: object) => ({
  hostLoad: { kind: 'measured', hosts: [host(0.2)], unknown: [], busyRounds: [], differences: [], ...change },
});
const hosts = (change: object, rest: object = {}) =>
  check('hosts', { ...quiet, ...load(change), ...rest } as unknown as Comparison);

test('hosts are checked for differences between Scenarios, then between Rounds, then for being busy throughout', () => {
  expect(hosts({})).toMatchObject({ state: 'passed', found: 'No Round of laptop was busier than others.' });
  expect(hosts({ hosts: [host(0.9)] })).toMatchObject({
    state: 'failed',
    found: 'laptop was busy in most Rounds: 90 % of the processor was taken.',
    touchesReduction: false,
    effect: part('By how much is not known.'),
  });
  expect(hosts({ hosts: [host(0.89)] })).toMatchObject({ state: 'passed' });
  expect(hosts({ hosts: [host(0.9)], busyRounds: [busyRound, busyRound] })).toMatchObject({
    state: 'failed',
    found: 'laptop was busier in some Rounds.',
    effect: part('Without this Block, proxy takes'),
    touchesReduction: false,
  });
  const delays = ['direct', 'proxy'].map((scenario, index) => ({
    scenario,
    meanMs: index + 2,
    largestMs: 9,
    visits: 8,
  }));
  expect(
    hosts(
      { busyRounds: [busyRound], differences: [{ scenario: 'proxy' }, { scenario: 'proxy' }] },
      { hostDelays: delays },
    ),
  ).toMatchObject({
    state: 'failed',
    found: 'The hosts were not equally busy under proxy and the baseline.',
    touchesReduction: true,
    effect: part('A Visit took at most 3'),
  });
});

const skew = (medianMs: number, largestMs: number) => ({ rounds: 8, medianMs, largestMs, errorMs: 1 });
const starts = (change: object) => check('starts', { ...quiet, userAgents: ['ann', 'bob'], ...change });

test('starts are those of first requests, else of engines, of two users or more', () => {
  expect(starts({ userAgents: ['ann'] })).toBeUndefined();
  expect(starts({})).toMatchObject({ state: 'unknown' });
  expect(starts({ startSkew: skew(5, 9), firstRequestSkew: skew(2, 3) })).toMatchObject({
    state: 'passed',
    found: part('First requests lay 2'),
  });
  expect(starts({ startSkew: skew(5, 9) })).toMatchObject({ state: 'passed', found: part('5') });
  const doubtfulBlocks = { ...quiet.doubtfulBlocks!, apart: [2] };
  expect(starts({ startSkew: skew(5, 90), doubtfulBlocks })).toMatchObject({
    state: 'failed',
    found: part('In 1 Block that is more than a tenth of a mean latency.'),
    effect: part('Without this Block, proxy takes'),
    step: 'run-again',
  });
});

test('who started first is checked where it is known, and named where it makes a difference', () => {
  const users = (...scenarios: object[]) => ({ users: { kind: 'measured', scenarios } });
  const order = (change: object) => check('startOrder', { ...quiet, ...change });
  const first = (scenario: string, ratio: number, adjustedP: number | null) => ({
    scenario,
    firstToStart: { ratio, adjustedP },
  });
  expect(order(users({ scenario: 'direct', firstToStart: null }))).toBeUndefined();
  const both = users(first('direct', 0.31, 0.8), first('proxy', -0.12, 0.05), first('far', 0.42, null));
  expect(order(both)).toMatchObject({ state: 'passed' });
  expect(order({ ...both, remarks: [{ about: 'start-order', text: '' }] })).toMatchObject({
    state: 'failed',
    found: 'Under proxy, who starts first differs from the Round’s average by up to 12 %.',
    touchesReduction: false,
    place: 'users',
  });
});

test('hosts that held up Visits are held against the difference of which that is the largest part', () => {
  const scenarios = ['direct', 'far', 'proxy'];
  const primary = quiet.metrics.find(({ metric }) => metric === quiet.primaryMetric)!;
  const [direct, proxy] = primary.scenarios;
  const ofDifference = (scenario: string, value: number) => ({
    ...proxy!,
    scenario,
    contrast: { ...proxy!.contrast!, meanDifference: { kind: 'measured' as const, value, low: value, high: value } },
  });
  const comparison = {
    ...quiet,
    scenarios,
    metrics: [{ ...primary, scenarios: [direct!, ofDifference('far', -400), ofDifference('proxy', -100)] }],
    hostDelays: scenarios.map((scenario) => ({ scenario, visits: 8, meanMs: 50, p95Ms: 90 })),
  };
  expect(check('hostDelay', comparison)).toMatchObject({
    state: 'failed',
    found: 'The hosts held up a Visit by up to 50 ms, of a difference of 100 ms under proxy.',
    effect: part('Up to 50 % of the difference'),
  });
});
