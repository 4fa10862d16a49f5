import { describe, expect, it } from 'vitest';
import { expandSweeps } from '#core/evaluation/sweep/expand-sweeps.ts';
import { issuesOf, template } from '../support/sweep-evaluation.ts';

describe('what is wrong with a sweep is reported with its line, its field and the fix', () => {
  const swept = (change: object) => [{ ...template, ...change }];

  it('10,000 Scenarios, of which none is made', () => {
    const hundred = Array.from({ length: 100 }, (_, index) => index);
    expect(issuesOf(swept({ sweep: { rateKbps: hundred, mode: hundred }, baseline: true }))).toEqual([
      expect.stringMatching(
        /^\d+ scenarios\[0\]\.sweep: would be 10000 Scenarios, but an Evaluation has at most 200: use fewer values, or leave combinations out by "except"$/,
      ),
    ]);
    const variables = Array.from({ length: 50 }, (_, index) => [`v${index}`, hundred]);
    const name = variables.map(([variable]) => `{${String(variable)}}`).join('');
    expect(issuesOf([{ name, sweep: Object.fromEntries(variables) as object }])).toEqual([
      expect.stringContaining('would be about 1e+100 Scenarios'),
    ]);
  });

  it('too many in all, after exceptions are left out', () => {
    const twenty = Array.from({ length: 20 }, (_, index) => index);
    const entry = { name: '{a} {b} {x}', sweep: { a: twenty, b: twenty, x: [1, 2] } };
    expect(issuesOf([entry, { ...entry, name: 'y {a} {b}', sweep: { a: [1], b: [2] } }])[0]).toContain(
      'would be 800 Scenarios, 801 together with the others,',
    );
    expect(issuesOf([{ ...entry, except: [{ x: 2 }, { a: twenty.slice(9) }], baseline: { a: 0, b: 0 } }])).toEqual([]);
  });

  it.each([
    [
      'a name without a variable',
      { name: '{mode}' },
      'name: must contain {rateKbps}, so that the names differ, such as "{mode} {rateKbps}"',
    ],
    [
      'an unknown variable in the name',
      { name: '{mode} {rateKbps} {speed}' },
      'name: the sweep has no {speed}: write one of {rateKbps}, {mode}',
    ],
    [
      'an unknown variable in the group',
      { group: '{rate}' },
      'group: the sweep has no {rate}: write one of {rateKbps}, {mode}',
    ],
    [
      'an unknown variable as a value',
      { network: { link: { forward: { rateKbps: '{rate}' } } } },
      'network.link.forward.rateKbps: the sweep has no {rate}: write one of {rateKbps}, {mode}',
    ],
    [
      'an exception of an unknown variable',
      { except: [{ rate: 256 }] },
      'except[0].rate: the sweep has no "rate": write one of "rateKbps", "mode"',
    ],
    [
      'an exception of an unknown value',
      { except: [{ rateKbps: 512 }] },
      'except[0].rateKbps: 512 is no value of "rateKbps" in the sweep: write one of 256, 500',
    ],
    [
      'exceptions of all',
      { except: [{ mode: ['direct', 'one connection'] }] },
      'except: leaves no Scenario: leave fewer combinations out',
    ],
    [
      'a baseline of an unknown value',
      { baseline: { mode: 'proxy' } },
      'baseline.mode: "proxy" is no value of "mode" in the sweep: write one of "direct", "one connection"',
    ],
    [
      'a variable that the sweep has too',
      { variables: { mode: 'x' } },
      'variables.mode: is in the sweep too, whose values are variables already: leave it out here',
    ],
    [
      'a sweep that is none',
      { sweep: 5 },
      'sweep: must be a mapping of names to lists of values, such as { rateKbps: [256, 500] }',
    ],
    [
      'values that are no list',
      { sweep: { rateKbps: 256 } },
      'sweep.rateKbps: must be a list of values, such as [256, 500]',
    ],
    ['a value twice', { sweep: { rateKbps: [256, '256'] } }, 'sweep.rateKbps: must not have a value twice'],
    ['no values', { sweep: { rateKbps: [] } }, 'sweep.rateKbps: must have at least one value'],
    ['a misspelt key', { exept: [] }, 'exept: unknown key "exept"; did you mean "except"?'],
  ])('%s', (_, change, problem) => {
    const issues = issuesOf(swept(change));
    expect(issues.map((issue) => issue.replace(/^\d+ /, ''))).toContain(`scenarios[0].${problem}`);
    for (const issue of issues) expect(issue).toMatch(/^\d+ /);
  });

  it('texts that would become gigabytes', () => {
    const script = '{mode}'.repeat(16_000);
    const setUp = Array.from({ length: 32 }, () => ({ host: 'laptop', script }));
    const mode = Array.from({ length: 200 }, (_, index) => `${index}${'x'.repeat(400)}`);
    expect(expandSweeps([{ name: '{mode}', sweep: { mode }, setUp }])).toEqual({
      kind: 'refused',
      faults: [{ path: [0], message: 'is too long or too deep: shorten it' }],
    });
    expect(
      expandSweeps([{ name: '{mode}', sweep: { mode }, setUp: [{ host: 'laptop', script: 'x'.repeat(150_000) }] }]),
    ).toEqual({
      kind: 'refused',
      faults: [{ path: [0], message: 'has 200 combinations, too many for its length: shorten its scripts' }],
    });
  });
});
