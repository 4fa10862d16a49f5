import { expect, test } from 'vitest';
import type { Check } from '#core/comparison/checks/check.ts';
import type { Comparison } from '#core/comparison/comparison.ts';
import { AnswerFacts } from '#web-ui/src/pages/comparison/answer/answer-facts.tsx';
import { TrustChecks } from '#web-ui/src/pages/comparison/answer/answer-section.tsx';
import { renderInPage, textsOf } from './support/render-in-page.ts';

const check = (id: string, state: Check['state'], touchesReduction = false): Check => ({
  ...{ id, label: `${id} as asked`, state, found: `found of ${id}`, touchesReduction },
  ...{ effect: '', step: null, place: null },
});
const textOf = (...checks: Check[]) => textsOf(renderInPage(TrustChecks, { checks, beside: null })).join(' ');

test.for([
  ['all pass', [check('link', 'passed')], '✓ 1 of 1 checks passed Nothing speaks against the result.'],
  ['one is not known', [check('link', 'unknown')], '✓ 0 of 0 checks passed Nothing speaks against the result.'],
  [
    'one fails that does not matter',
    [check('link', 'failed'), check('load', 'passed')],
    '✓ 1 of 2 checks passed Those that failed do not touch the reduction.',
  ],
  ['one fails', [check('link', 'failed', true)], '! 0 of 1 checks passed It touches the reduction.'],
  [
    'two fail',
    [check('link', 'failed', true), check('load', 'failed', true)],
    '! 0 of 2 checks passed They touch the reduction.',
  ],
  [
    'one of two that fail matters',
    [check('link', 'failed', true), check('load', 'failed')],
    '! 0 of 2 checks passed 1 of the 2 that failed touch the reduction.',
  ],
] as const)('where %s, the checks begin with what that means', ([, checks, words]) =>
  expect(textOf(...checks)).toMatch(new RegExp(`^${words.replaceAll('.', '\\.')}`)),
);

test('Visits that lost objects are counted as Visits, and what is zero is one sentence', () => {
  const counts = { visits: 40, failedVisits: 1, excludedVisits: 0, lossyVisits: 2 };
  const comparison = {
    ...{ runId: '1', roundsCounted: 10, warmUpRounds: 0, roundsBroken: 0, primaryMetric: 'totalMs' },
    ...{ metrics: [{ metric: 'totalMs', scenarios: [counts] }], failedObjects: { rule: 'count' } },
    ...{ unsettledVisits: 0, hiddenVisits: 0 },
  } as unknown as Comparison;
  const text = textsOf(renderInPage(AnswerFacts, { comparison })).join(' ');
  expect(text.replaceAll(/ (?=[,;])/g, '')).toBe(
    '10 Rounds; 40 Visits, 1 failed, 2 with lost objects; none excluded, unsettled or hidden.',
  );
});
