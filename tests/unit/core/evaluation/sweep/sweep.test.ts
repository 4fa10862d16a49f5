import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EvaluationDocumentSchema, expandDocument } from '#core/evaluation/evaluation-document.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { countCombinations, fits, listCombinations } from '#core/evaluation/sweep/fill-template.ts';
import { expandSweeps } from '#core/evaluation/sweep/expand-sweeps.ts';
import type { Sweep } from '#core/evaluation/sweep/sweep.ts';
import { base, issuesOf, template } from '../support/sweep-evaluation.ts';

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
