import { expect, test } from 'vitest';
import type { Check } from '#core/comparison/checks/check.ts';
import { listChecks } from '#core/comparison/checks/list-checks.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import type { WireComparison } from '#core/comparison/network/compare-wire.ts';
import { compareTwo } from '#tests/unit/cli/assertions/support/compare-two.ts';

const whole = compareTwo((scenario, block) => (scenario === 'proxy' ? 800 : 1000) + ((block * 7) % 5));

/** The Comparison with the primary metric's Scenarios changed. */
function changed(
  change: (scenario: string) => object,
  metric: object = {},
  rest: Partial<Comparison> = {},
): Comparison {
  return {
    ...whole,
    metrics: whole.metrics.map((each) =>
      each.metric === whole.primaryMetric
        ? {
            ...each,
            ...metric,
            scenarios: each.scenarios.map((scenario) => ({ ...scenario, ...change(scenario.scenario) })),
          }
        : each,
    ),
    ...rest,
  };
}

function check(id: string, comparison: Comparison, wire: WireComparison | null = null): Check | undefined {
  return listChecks({ comparison, method: null, wire }).find((each) => each.id === id);
}
const same = (scenario: string) => (scenario === 'proxy' ? { contrast: whole.metrics[0]!.scenarios[1]!.contrast } : {});
const bandwidth = (...roundsWithDrops: number[]) =>
  ({ kind: 'measured', scenarios: roundsWithDrops.map((rounds) => ({ roundsWithDrops: rounds })) }) as never;
const unequal = (scenario: string) =>
  scenario === 'proxy'
    ? { lossyVisits: 2, contrast: { ...whole.metrics[2]!.scenarios[1]!.contrast!, verdict: 'not-comparable' } }
    : {};
const rule = (of: 'count' | 'exclude') => ({ failedObjects: { ...whole.failedObjects, rule: of } }) as never;
const hint = (text: string) => expect.stringContaining(text) as string;

test.for<[string, string, Comparison, object]>([
  ['failed', 'all loaded', whole, { state: 'passed', found: 'All 16 Visits loaded.' }],
  [
    'failed',
    'some failed in both Scenarios',
    changed((scenario) => ({ failedVisits: scenario === 'proxy' ? 2 : 1 })),
    { state: 'failed', found: '3 of 16 Visits failed.', touchesReduction: false, step: 'look', place: 'urls' },
  ],
  ['objects', 'nothing is lost', whole, { state: 'passed' }],
  [
    'objects',
    'Visits that lost objects count',
    changed((scenario) => ({ lossyVisits: scenario === 'proxy' ? 2 : 1 }), {}, rule('count')),
    {
      state: 'failed',
      found: '3 Visits lost objects that other Visits of the page received.',
      touchesReduction: true,
      effect: hint('looks fast'),
    },
  ],
  [
    'objects',
    'Visits that lost objects do not count',
    changed((scenario) => ({ lossyVisits: scenario === 'proxy' ? 1 : 0 }), {}, rule('exclude')),
    {
      state: 'failed',
      found: '1 Visit lost objects that other Visits of the page received.',
      touchesReduction: false,
      effect: 'Their latencies do not count.',
    },
  ],
  [
    'objects',
    'a Scenario lost more than the baseline',
    changed(unequal, {}, rule('count')),
    { state: 'failed', effect: hint('so there is no reduction') },
  ],
  ['pages', 'all Scenarios have all pages', whole, { state: 'passed', found: '1 page, each by its User Agent.' }],
  [
    'pages',
    'some have a value in some Scenarios',
    changed(same, { commonPages: { count: 3, of: 4 } }),
    {
      state: 'failed',
      found: 'Only 3 of 4 pages have a value in every Scenario.',
      touchesReduction: false,
      place: 'urls',
    },
  ],
  [
    'pages',
    'one Scenario has none',
    changed((scenario) => (scenario === 'proxy' ? { failedVisits: 8 } : {})),
    { state: 'failed', found: 'No page has a value under proxy.', place: 'urls' },
  ],
  ['settled', 'all did', whole, { state: 'passed' }],
  [
    'settled',
    'one did not',
    { ...whole, unsettledVisits: 1 },
    { state: 'failed', found: '1 Visit had not settled by the hard cap.', step: 'look', place: 'scenarios' },
  ],
  ['visible', 'none was hidden', whole, { state: 'passed' }],
  [
    'visible',
    'two were hidden',
    { ...whole, hiddenVisits: 2 },
    { state: 'failed', found: '2 Visits were hidden for some time.', step: 'run-again' },
  ],
  ['visible', 'one was hidden', { ...whole, hiddenVisits: 1 }, { found: '1 Visit was hidden for some time.' }],
  ['excluded', 'nobody left one out', whole, { state: 'passed' }],
  [
    'excluded',
    'a person left some out',
    changed((scenario) => ({ excludedVisits: scenario === 'proxy' ? 2 : 3 })),
    { state: 'failed', found: hint('left out 5 Visits'), touchesReduction: true, place: 'exclusions' },
  ],
  ['drops', 'none was dropped', { ...whole, bandwidth: bandwidth(0, 0) }, { state: 'passed' }],
  [
    'drops',
    'Captures dropped packets',
    { ...whole, bandwidth: bandwidth(2, 1) },
    { state: 'failed', found: 'Captures dropped packets in 3 Rounds.', touchesReduction: false, place: 'bandwidth' },
  ],
])('the check "%s", where %s', ([id, , comparison, found]) => {
  expect(check(id, comparison)).toMatchObject(found);
});

test('with one Scenario, pages have none to be compared with', () => {
  const alone = { ...whole.metrics.find(({ metric }) => metric === whole.primaryMetric)! };
  const comparison = { ...whole, metrics: [{ ...alone, scenarios: alone.scenarios.slice(0, 1) }] };
  expect(check('pages', comparison)).toBeUndefined();
  expect(check('settled', { ...comparison, unsettledVisits: 1 })!.effect).toContain('Nothing is compared.');
});

test.for<[string, object]>([
  ['failed', { failed: [3] }],
  ['settled', { unsettled: [3] }],
  ['visible', { hidden: [3] }],
])('the check "%s" says what the reduction is without its own Blocks', ([id, own]) => {
  const doubtful = { ...whole.doubtfulBlocks!, failed: [], unsettled: [], hidden: [], apart: [], ...own };
  const comparison = changed(
    (scenario) => ({ failedVisits: scenario === 'proxy' ? 1 : 0 }),
    {},
    {
      unsettledVisits: 1,
      hiddenVisits: 1,
      doubtfulBlocks: doubtful,
    },
  );
  for (const other of ['failed', 'settled', 'visible'])
    expect(check(other, comparison)!.effect).toContain(
      other === id ? 'Without this Block, proxy takes' : 'No Block of the reduction is affected.',
    );
});

const wireOf = (...shortfalls: (string | undefined)[]): WireComparison => ({
  kind: 'measured',
  scenarios: shortfalls.map((shortfall, index) => ({
    scenario: `s${index}`,
    roundsCounted: 8,
    roundsLeftOut: 0,
    figures: {} as never,
    ...(shortfall !== undefined && { shortfall }),
  })),
});

test('packets are checked where some were to be captured, and name the Scenarios that lack some', () => {
  const captured = { ...whole, noCapture: null };
  expect(check('packets', captured)).toBeUndefined();
  expect(check('packets', { ...whole, noCapture: 'off' }, wireOf('x'))).toBeUndefined();
  expect(check('packets', captured, wireOf(undefined, undefined))).toMatchObject({ state: 'passed' });
  expect(check('packets', captured, { kind: 'absent', reason: 'No trace arrived' })).toMatchObject({
    state: 'failed',
    found: 'No trace arrived',
    step: 'change',
  });
  expect(check('packets', captured, wireOf(undefined, 'half', 'none'))).toMatchObject({
    state: 'failed',
    found: 's1: half s2: none',
    place: 'wire',
  });
});

test('packets that a Capture of a single User Agent dropped are found too', () => {
  const alone = { ...whole, bandwidth: { kind: 'absent', reason: 'Sharing needs at least two User Agents.' } } as const;
  const wire = wireOf(undefined, undefined) as Extract<WireComparison, { kind: 'measured' }>;
  expect(check('drops', alone, wire)).toMatchObject({ state: 'passed' });
  const [first, second] = wire.scenarios;
  const dropping = { ...wire, scenarios: [first!, { ...second!, roundsWithDrops: 3 }] };
  expect(check('drops', alone, dropping)).toMatchObject({
    state: 'failed',
    found: 'Captures dropped packets in 3 Rounds.',
    place: 'wire',
  });
});

test('packets that the Capture of a Capture Point dropped are found too', () => {
  const pointOf = (counts: { roundsCounted: number; roundsWithDrops: number }) =>
    [{ point: 'satellite link', scenarios: [counts] }] as unknown as NonNullable<Comparison['capturePoints']>;
  const at = (roundsCounted: number, roundsWithDrops: number) => ({
    ...whole,
    bandwidth: bandwidth(0, 0),
    capturePoints: pointOf({ roundsCounted, roundsWithDrops }),
  });
  expect(check('drops', at(8, 0))).toMatchObject({ state: 'passed' });
  expect(check('drops', at(8, 2))).toMatchObject({
    state: 'failed',
    found: 'Captures dropped packets in 2 Rounds.',
    effect: 'No latency is touched. Figures of packets are too low there.',
    place: 'capture-points',
  });
  const alone = { kind: 'absent', reason: 'Sharing needs at least two User Agents.' } as const;
  expect(check('drops', { ...at(8, 1), bandwidth: alone })).toMatchObject({ state: 'failed' });
  // Of a Capture Point without Captures, nobody knows.
  expect(check('drops', { ...at(0, 0), bandwidth: alone })).toBeUndefined();
});
