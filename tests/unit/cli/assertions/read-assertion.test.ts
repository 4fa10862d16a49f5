import { describe, expect, test } from 'vitest';
import { AssertionFault, listAssertedScenarios } from '#cli/assertions/assertion.ts';
import { longestAssertion, readAssertion } from '#cli/assertions/read-assertion.ts';

const faultOf = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof AssertionFault) return { message: error.message, from: error.text.slice(error.place) };
    throw error;
  }
  return null;
};

const everyScenario = { scenario: null, baseline: null };

describe('an assertion', () => {
  test.for([
    [
      'totalMs: reduction > -5%',
      { subject: 'totalMs', figure: 'reduction', comparator: '>', bound: -5, unit: '%', ...everyScenario },
    ],
    ['baseMs:mean<=1.5s', { subject: 'baseMs', figure: 'mean', comparator: '<=', bound: 1.5, unit: 's' }],
    [
      'viewportMs: mean-reduction of "HTTP/2: new" vs \'a "b"\' >= −0.5 %',
      { figure: 'mean-reduction', scenario: 'HTTP/2: new', baseline: 'a "b"', bound: -0.5, unit: '%' },
    ],
    ['totalMs: difference of h2 vs h1 < 250ms', { figure: 'difference', scenario: 'h2', baseline: 'h1', unit: 'ms' }],
    ['visits: failed of direct < 2%', { subject: 'visits', figure: 'failed', scenario: 'direct', unit: '%' }],
    ['visits: failed < 1', { figure: 'failed', bound: 1, unit: '' }],
  ] as const)('%s is read', ([text, expected]) => {
    expect(readAssertion(text)).toMatchObject({ text, ...expected });
  });

  test.for([
    ['totlMs: reduction > -5%', 'totlMs: reduction > -5%', 'write baseMs or viewportMs or totalMs or visits.'],
    ['', '', 'Here must be what it is about'],
    ['totalMs reduction > 1%', 'reduction > 1%', 'Here must be a colon after totalMs.'],
    ['totalMs: reducton > 1%', 'reducton > 1%', '"reducton" is not a figure of totalMs: write reduction or'],
    ['visits: reduction > 1%', 'reduction > 1%', '"reduction" is not a figure of visits: write failed.'],
    ['totalMs: reduction of > 1%', '> 1%', 'Here must be the name of a Scenario after "of"'],
    ['totalMs: reduction of new one > 1%', 'one > 1%', '"one" is not a comparison: write <= or >= or < or >.'],
    ['totalMs: reduction of "new > 1%', '"new > 1%', 'The quote that begins here has no end.'],
    ['totalMs: mean of new vs old < 1s', 'old < 1s', '"mean" is a figure of one Scenario'],
    ['totalMs: reduction == 1%', '== 1%', 'is not a comparison'],
    ['totalMs: reduction > 1', '1', 'The number after "reduction" needs a unit: -5%.'],
    ['totalMs: mean < 5%', '5%', 'The number after "mean" needs another unit: 250ms or 1.5s.'],
    ['totalMs: mean < 1e9s', '1e9s', 'It must end in a number with its unit: 250ms or 1.5s.'],
    ['totalMs: mean < 1s and more', '1s and more', 'It must end in a number'],
    ['totalMs: mean <', '', 'It must end in a number'],
  ] as const)('%s is refused at its place', ([text, from, message]) => {
    const fault = faultOf(() => readAssertion(text));
    expect(fault?.message).toContain(message);
    expect(fault?.from).toBe(from);
  });

  test('is bounded', () => {
    const long = `totalMs: reduction of "${'x'.repeat(longestAssertion)}" > 1%`;
    expect(faultOf(() => readAssertion(long))?.message).toBe(`It must have at most ${longestAssertion} characters.`);
  });
});

describe('Scenarios', () => {
  const groups = [
    { name: 'slow', baseline: 'direct', scenarios: ['direct', 'proxy'] },
    { name: 'fast', baseline: 'direct 2', scenarios: ['direct 2', 'proxy 2'] },
  ];
  const compared = { scenarios: groups.flatMap(({ scenarios }) => scenarios), baseline: 'direct', groups };
  const named = (text: string, of = compared as Parameters<typeof listAssertedScenarios>[1]) =>
    listAssertedScenarios(readAssertion(text), of).map(({ scenario }) => scenario);

  test('without a name it is about all that are compared with a baseline', () => {
    expect(named('totalMs: reduction > 1%')).toEqual(['proxy', 'proxy 2']);
    expect(named('totalMs: mean < 1s')).toEqual(['proxy', 'proxy 2']);
    expect(named('totalMs: mean < 1s', { scenarios: ['only'], baseline: 'only' })).toEqual(['only']);
    expect(named('totalMs: mean of "direct 2" < 1s')).toEqual(['direct 2']);
    expect(named('totalMs: reduction of "proxy 2" vs "direct 2" > 1%')).toEqual(['proxy 2']);
  });

  test.for([
    ['totalMs: reduction of porxy > 1%', 'porxy > 1%', 'has no Scenario "porxy". It has "direct", "proxy"'],
    ['totalMs: reduction of direct > 1%', 'direct > 1%', '"direct" is the baseline'],
    [
      'totalMs: reduction of "proxy 2" vs direct > 1%',
      'direct > 1%',
      'compares "proxy 2" with "direct 2", not with "direct"',
    ],
  ] as const)('%s is refused', ([text, from, message]) => {
    const fault = faultOf(() => named(text));
    expect(fault?.from).toBe(from);
    expect(fault?.message).toContain(message);
  });

  test('a reduction needs something that is compared', () => {
    const fault = faultOf(() => named('totalMs: reduction > 1%', { scenarios: ['only'], baseline: 'only' }));
    expect(fault).toEqual({
      from: 'reduction > 1%',
      message: 'The Evaluation has only a baseline, so there is no reduction.',
    });
  });
});
