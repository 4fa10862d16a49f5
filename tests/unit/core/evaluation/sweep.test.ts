import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import {
  EvaluationDocumentSchema,
  EvaluationInputSchema,
  expandDocument,
} from '#core/evaluation/evaluation-document.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { formatPath } from '#core/input/describe-issues.ts';
import { parseYaml } from '#core/input/parse-yaml.ts';
import { countCombinations, fits, listCombinations } from '#core/evaluation/sweep/combinations.ts';
import { expandSweeps } from '#core/evaluation/sweep/expand-sweeps.ts';
import type { Sweep } from '#core/evaluation/sweep/sweep.ts';

const base = {
  name: 'Capacity',
  urlLists: { pages: ['http://origin.test/images/{5,10}'] },
  userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
};
const template = {
  name: '{mode} at {rateKbps} kb/s',
  group: '{rateKbps} kb/s',
  sweep: { rateKbps: [256, 500], mode: ['direct', 'one connection'] },
  baseline: { mode: 'direct' },
  network: {
    link: { forward: { rateKbps: '{rateKbps}', delayMs: 300 }, return: { rateKbps: '{rateKbps}', delayMs: 300 } },
  },
};

/** The issues of an Evaluation with these Scenarios, as `line path: message`. */
function issuesOf(scenarios: unknown[], change: object = {}): string[] {
  const parsed = parseYaml(stringify({ ...base, ...change, scenarios }), EvaluationInputSchema);
  return parsed.kind === 'valid'
    ? []
    : parsed.issues.map(({ line, path, message }) => `${line} ${formatPath(path)}: ${message}`);
}

const value = fc.oneof(fc.integer({ min: -1000, max: 1000 }), fc.stringMatching(/^[a-z]{1,5}$/), fc.boolean());
/** At most 81 combinations. */
const sweeps: fc.Arbitrary<Sweep> = fc.dictionary(
  fc.stringMatching(/^[a-z]{1,4}$/),
  fc.uniqueArray(value, { minLength: 1, maxLength: 3, selector: String }),
  { minKeys: 1, maxKeys: 4, noNullPrototype: true },
);

describe('the combinations of a sweep', () => {
  it('are as many as counted, all different, and each has one value of each variable', () => {
    fc.assert(
      fc.property(sweeps, (sweep) => {
        const all = [...listCombinations(sweep, [])];
        expect(all).toHaveLength(countCombinations(sweep));
        expect(new Set(all.map((each) => JSON.stringify(each))).size).toBe(all.length);
        for (const combination of all) {
          expect(Object.keys(combination)).toEqual(Object.keys(sweep));
          for (const [name, values] of Object.entries(sweep)) expect(values).toContain(combination[name]);
        }
      }),
    );
  });

  it('lack exactly those that fit an exception', () => {
    const cases = sweeps.chain((sweep) =>
      fc.tuple(
        fc.constant(sweep),
        fc.array(
          fc
            .subarray(Object.keys(sweep), { minLength: 1 })
            .chain((names) =>
              fc.record(Object.fromEntries(names.map((name) => [name, fc.constantFrom(...sweep[name]!)]))),
            ),
          { maxLength: 3 },
        ),
      ),
    );
    fc.assert(
      fc.property(cases, ([sweep, except]) => {
        const left = [...listCombinations(sweep, except)];
        const out = [...listCombinations(sweep, [])].filter((each) => except.some((partial) => fits(each, partial)));
        expect(left.length + out.length).toBe(countCombinations(sweep));
        for (const combination of left)
          for (const partial of except)
            expect(Object.entries(partial).some(([name, excluded]) => combination[name] !== excluded)).toBe(true);
      }),
    );
  });

  it('become Scenarios whose name, values and variables are theirs', () => {
    fc.assert(
      fc.property(sweeps, (sweep) => {
        const names = Object.keys(sweep);
        const entry = {
          name: names.map((name) => `{${name}}`).join(' '),
          sweep,
          browser: { prefs: Object.fromEntries(names.map((name) => [`p.${name}`, `{${name}}`])) },
        };
        const expanded = expandSweeps([{ name: 'first' }, entry]);
        if (expanded.kind === 'refused') throw new Error(JSON.stringify(expanded.faults));
        expect(expanded.sources).toEqual([0, ...Array.from({ length: countCombinations(sweep) }, () => 1)]);
        for (const [index, combination] of [...listCombinations(sweep, [])].entries())
          expect(expanded.scenarios[index + 1]).toEqual({
            name: Object.values(combination).map(String).join(' '),
            baseline: false,
            browser: { prefs: Object.fromEntries(names.map((name) => [`p.${name}`, combination[name]])) },
            variables: Object.fromEntries(
              names.map((name) => [
                name,
                typeof combination[name] === 'boolean' ? String(combination[name]) : combination[name],
              ]),
            ),
          });
      }),
    );
  });
});

describe('a Scenario with a sweep', () => {
  it('becomes one for each combination: numbers stay numbers, and its values are variables', () => {
    const { scenarios } = EvaluationSchema.parse({ ...base, scenarios: [template] });
    expect(scenarios.map(({ name, group, baseline, variables }) => ({ name, group, baseline, variables }))).toEqual(
      ['direct', 'one connection'].flatMap((mode) =>
        [256, 500].map((rateKbps) => ({
          name: `${mode} at ${rateKbps} kb/s`,
          group: `${rateKbps} kb/s`,
          baseline: mode === 'direct',
          variables: { mode, rateKbps },
        })),
      ),
    );
    expect(scenarios.map(({ network }) => network!.link)).toMatchObject(
      [256, 500, 256, 500].map((rateKbps) => ({ forward: { rateKbps }, return: { rateKbps } })),
    );
  });

  it('has an order that does not depend on that of its keys, which a database does not keep', () => {
    const turned = { ...template, sweep: { mode: template.sweep.mode, rateKbps: template.sweep.rateKbps } };
    const [one, other] = [template, turned].map((scenario) =>
      EvaluationSchema.parse({ ...base, scenarios: [scenario] }),
    );
    expect(JSON.stringify(one)).toBe(JSON.stringify(other));
  });

  it('is stored as it is written, and means the same when it is read again', () => {
    const document = EvaluationDocumentSchema.parse({ ...base, scenarios: [template] });
    expect(document.scenarios).toEqual([template]);
    expect(document.repetition.rounds).toBe(5);
    const again = EvaluationDocumentSchema.parse(JSON.parse(JSON.stringify(document)));
    expect(again).toEqual(document);
    expect(expandDocument(again)).toEqual(EvaluationSchema.parse({ ...base, scenarios: [template] }));
  });

  it('leaves the braces of scripts and of other languages alone, but for its own variables', () => {
    const script = 'set -- ${mode} {mode}; for f in {a,b}; do echo "${f%.{mode}}"; done; awk "{print}"';
    const { scenarios } = EvaluationSchema.parse({
      ...base,
      scenarios: [
        { name: '{mode}', baseline: { mode: 'x' }, sweep: { mode: ['x', 'y'] }, setUp: [{ host: 'laptop', script }] },
      ],
    });
    expect(scenarios[1]!.setUp[0]!.script).toBe(
      'set -- ${mode} y; for f in {a,b}; do echo "${f%.{mode}}"; done; awk "{print}"',
    );
  });

  it('can have variables of its own, made of those of the sweep', () => {
    const { scenarios } = EvaluationSchema.parse({
      ...base,
      urlLists: { pages: ['{origin}/images/{5,10}'] },
      scenarios: [
        {
          name: 'port {port}',
          baseline: { port: 80 },
          sweep: { port: [80, 81] },
          variables: { origin: 'http://origin.test:{port}' },
        },
      ],
    });
    expect(scenarios.map(({ variables }) => variables)).toEqual([
      { port: 80, origin: 'http://origin.test:80' },
      { port: 81, origin: 'http://origin.test:81' },
    ]);
  });

  it('stands beside Scenarios that are written out, and a problem of one that it became is at its entry, once', () => {
    const direct = { name: 'direct', baseline: true };
    const bad = {
      name: '{n} connections',
      sweep: { n: [1, 2, 3] },
      browser: { connectionsPerOrigin: '{n}', proxy: 'nowhere' },
    };
    expect(
      EvaluationSchema.safeParse({ ...base, scenarios: [direct, { ...bad, browser: { connectionsPerOrigin: '{n}' } }] })
        .success,
    ).toBe(true);
    const issues = issuesOf([direct, bad]);
    expect(issues).toHaveLength(1);
    expect(issues[0]).toMatch(/^\d+ scenarios\[1\]\.browser\.proxy: /);
  });
});

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
