import { describe, expect, it } from 'vitest';
import { describeJoint } from '#cli/study/draw-figures.ts';
import { fillValues, valuesOf } from '#core/study/fill-values.ts';
import type { JointFigure } from '#core/study/join-parts.ts';
import { formatFindings, formatFindingLines, type StudyFigure } from '#cli/study/format-findings.ts';
import { judgeStudy, type JudgedStudy } from '#cli/study/judge-study.ts';
import { StudySchema } from '#core/study/study-definition.ts';
import { countPoint } from '#tests/support/counted-point.ts';
import { makeStudyRun } from '#tests/support/make-study-run.ts';

const document = {
  title: 'Which is faster?',
  summary: 'Two Scenarios on one link.',
  papers: [{ name: 'A paper', figures: 'figure 1' }],
  values: { rounds: 10, link: 'geo-1m' },
  quick: { rounds: 2 },
  parts: [
    { name: 'slow-link', evaluation: 'one.yaml', minutes: 30, quickMinutes: 3, values: { link: 'geo-256k' } },
    { name: 'fast-link', evaluation: 'one.yaml', minutes: 20, quickMinutes: 2 },
  ],
  closedForms: [
    {
      law: 'connecting takes one round trip',
      checks: [
        {
          quantity: { kind: 'mean', metric: 'connectMs', scenario: 'a' },
          bound: { above: '0.99 * rttMs', below: '1.05 * rttMs' },
        },
      ],
    },
  ],
  expectations: [
    {
      source: 'A paper, figure 1',
      claim: 'b is faster | than a',
      checks: [
        {
          parts: ['fast-link'],
          quantity: { kind: 'reduction', metric: 'totalMs', scenario: 'b', against: 'a' },
          bound: { above: 0.2 },
        },
      ],
    },
    {
      source: 'A paper',
      claim: 'always so',
      checks: [
        { quantity: { kind: 'reduction', metric: 'totalMs', scenario: 'b', against: 'a' }, bound: { above: 0.2 } },
      ],
    },
  ],
};
const study = StudySchema.parse(document);

const run = makeStudyRun({
  visits: [1, 2, 3].flatMap((block) =>
    ['a', 'b'].map((scenario) => ({
      block,
      scenario,
      userAgent: 'alice',
      page: '/',
      variables: {},
      values: { totalMs: scenario === 'a' ? 1000 : 500 + block, connectMs: 601 },
    })),
  ),
});
const measured = new Map([['fast-link', run]]);
const write = (judged: JudgedStudy, figures: StudyFigure[] = []) =>
  formatFindings(study, judged, { runs: measured, threats: [], figures, command: './http-ae study run one' });

describe('a study', () => {
  it('is judged by the parts that were measured: one that was not leaves its finding open', () => {
    const { findings } = judgeStudy(study, measured);
    expect(findings.map(({ verdict }) => verdict)).toEqual(['confirmed', 'not-measured']);
    expect(findings[1]!.checks.map(({ part, verdict }) => `${part} ${verdict}`)).toEqual([
      'slow-link not-measured',
      'fast-link confirmed',
    ]);
  });

  it('gives no number of two Scenarios of which one loses objects that the other has', () => {
    const losing = { ...run, isComparable: (scenario: string, against: string) => scenario === against };
    const judged = judgeStudy(study, new Map([['fast-link', losing]]));
    expect(judged.findings[0]).toMatchObject({
      verdict: 'not-comparable',
      checks: [{ verdict: 'not-comparable', estimate: null }],
    });
    const broken = run.visits.map((visit) => ({ ...visit, values: { ...visit.values, connectMs: 311 } }));
    const implausible = judgeStudy(study, new Map([['fast-link', { ...losing, visits: broken }]]));
    expect(implausible.findings[0]!.checks).toMatchObject([{ verdict: 'implausible', estimate: null }]);
    const words = 'no value, as one of the two loses objects that the other has';
    expect(write(judged)).toContain(`b vs a: ${words} |  | above 20 % | **not comparable** |`);
    expect(formatFindingLines(judged)).toContain(`b vs a: ${words}, expected above 20 %`);
  });

  it('gives no difference of two reductions where the two Scenarios of either lose other objects', () => {
    const [first] = document.expectations;
    const [check] = first!.checks;
    const minus = { scenario: 'd', against: 'c' };
    const quantity = { ...check!.quantity, kind: 'reduction-difference', minus };
    const twofold = StudySchema.parse({ ...document, expectations: [{ ...first, checks: [{ ...check, quantity }] }] });
    const verdictWithout = (lossy: string) => {
      const losing = { ...run, isComparable: (...pair: string[]) => !pair.includes(lossy) };
      return judgeStudy(twofold, new Map([['fast-link', losing]])).findings[0]!.verdict;
    };
    expect(['a', 'b', 'c', 'd'].map(verdictWithout)).toEqual(Array(4).fill('not-comparable'));
    expect(verdictWithout('none')).toBe('not-measured');
  });

  it('writes a reduction as a factor where the time is more than twice as long, as sentences do', () => {
    const visits = run.visits.map((visit) =>
      visit.scenario === 'b' ? { ...visit, values: { ...visit.values, totalMs: 14_000 + visit.block } } : visit,
    );
    const judged = judgeStudy(study, new Map([['fast-link', { ...run, visits }]]));
    expect(write(judged)).toContain('b vs a: 14 × as much (14 to 14 ×) | 3 | above 20 % | **contradicted** |');
  });

  it('writes a table in which no text breaks a row', () => {
    const text = write(judgeStudy(study, measured));
    const table = text.slice(text.indexOf('## Findings'), text.indexOf('## Closed forms'));
    const rows = table.split('\n').filter((line) => line.startsWith('|'));
    expect(rows).toHaveLength(6);
    expect(rows[2]).toContain('b is faster \\| than a. Source: A paper, figure 1.');
    expect(rows[2]).toContain('Reduction of total page load latency, b vs a: 49.8 % (49.');
    expect(rows[2]).toContain('| 3 | above 20 % | **confirmed** |');
    expect(rows[4]).toMatch(/^\| {2}\| .*, slow-link: no value \| {2}\| above 20 % \| not measured \|$/);
    expect(text).toContain(
      '- 2 findings: 1 confirmed, 1 not measured. 1 of 2 checks of closed forms hold, the others were not measured.',
    );
  });

  it('says what a reader asks first: the findings in sentences, what limits them, and how they were measured', () => {
    const text = write(judgeStudy(study, measured));
    expect(text).toContain(
      '- **Confirmed**: b is faster | than a. Reduction of total page load latency, b vs a: 49.8 % (49.',
    );
    expect(text).toContain('- Not measured: slow-link.');
    expect(text).toContain('is confirmed only if the 95 % interval of each of its quantities');
    expect(text).toContain('- Fewer than 10 counted Rounds of each Scenario: fast-link.');
    expect(text).toContain('| fast-link | 2026-11-29 | 1.0.0 | linux 6.1, 2 CPUs | chrome 150 | 25 % | 5 % | 3 |');
    expect(text).not.toContain('was busy');
    expect(text).not.toContain('dropped packets');
    const writeOf = (part: Partial<typeof run>) =>
      formatFindings(study, judgeStudy(study, measured), {
        ...{ threats: [], figures: [], command: 'x' },
        runs: new Map([['fast-link', { ...run, ...part }]]),
      });
    expect(writeOf({ conditions: { ...run.conditions, cpuPressureRatio: 0.4 } })).toContain(
      'waited for a CPU: fast-link.',
    );
    const words = 'Captures dropped packets, so that counts of packets and bytes may be too low: fast-link.';
    expect(writeOf({ traffic: [{ block: 1, scenario: 'a', users: [], hasDrops: true }] })).toContain(words);
    const counted = countPoint({ point: 'link', scenario: 'a', block: 1, packets: 9 });
    expect(writeOf({ points: [counted] })).not.toContain(words);
  });

  it('says how many Visits of each Scenario failed, and counts the Rounds of the one that has fewest', () => {
    const visits = run.visits.map((visit) =>
      visit.scenario === 'b' && visit.block === 2 ? { ...visit, values: {} } : visit,
    );
    const runs = new Map([['fast-link', { ...run, visits }]]);
    const options = { threats: [], figures: [], command: 'x', runs };
    const text = formatFindings(study, judgeStudy(study, runs), options);
    expect(text).toContain('- Visits failed and are left out, in fast-link 1 of 6: 1 with b.');
    expect(text).toContain('| chrome 150 | 25 % | 5 % | 2 |');
    expect(write(judgeStudy(study, measured))).not.toContain('Visits failed');
  });

  it('captions a figure over parts with the link and the Rounds of each, and with the browsers', () => {
    const measurements = { design: { confidence: 0.95 } } as JointFigure['measurements'];
    const unlimited = makeStudyRun({ linkOf: () => ({ rttMs: 50, forwardKbps: null, returnKbps: 512 }) });
    const runs = new Map([
      ['fast-link', run],
      ['slow-link', unlimited],
    ]);
    const rounds = [...runs.keys()].map((part, index) => ({ part, least: 3 - index, most: 3 }));
    const figure = { title: 'Time', paper: [], scenarios: ['a', 'b'] };
    expect(describeJoint(figure, { rounds, measurements }, runs)).toBe(
      'Time. Part fast-link: n = 3, link of 1000 kb/s each way and 600 ms. Part slow-link: n = 2 to 3, link of no one rate and 512 kb/s back and 50 ms. Loaded by chrome 150. Intervals are 95 % t intervals, over the n Rounds of each Scenario of a part.',
    );
  });

  it('gives no verdict on a Run that breaks a closed form', () => {
    const visits = run.visits.map((visit) => ({ ...visit, values: { ...visit.values, connectMs: 311 } }));
    const judged = judgeStudy(study, new Map([['fast-link', { ...run, visits }]]));
    expect(judged.closedForms[0]!.checks.map(({ verdict }) => verdict)).toEqual(['not-measured', 'broken']);
    expect(judged.findings.map(({ verdict }) => verdict)).toEqual(['implausible', 'implausible']);
    expect(write(judged)).toContain('Implausible, as a closed form is broken: fast-link.');
    expect(write(judged)).toContain(': 0.311 s (0.311 s to 0.311 s) | 0.594 s to 0.63 s | broken |');
    expect(formatFindingLines(judged)).toContain('IMPLAUSIBLE, fast-link: connecting takes one round trip.');
  });

  it('neither confirms nor contradicts a claim about conditions that no part has, and names them', () => {
    const [first] = document.expectations;
    const other = StudySchema.parse({
      ...document,
      expectations: [{ ...first, otherConditions: 'The paper’s pages came from ten hosts.' }],
    });
    const judged = judgeStudy(other, measured);
    expect(judged.findings[0]).toMatchObject({ verdict: 'other-conditions', checks: [{ estimate: { blocks: 3 } }] });
    expect(write(judged)).toContain('Source: A paper, figure 1. The paper’s pages came from ten hosts. |');
  });

  it('judges every page by itself where that is asked for', () => {
    const [first] = document.expectations;
    const checks = [{ ...first!.checks[0], each: 'page' }];
    const byPage = StudySchema.parse({ ...document, expectations: [{ ...first, checks }] });
    const visits = [10, 30].flatMap((images) =>
      run.visits.map((visit) => ({
        ...visit,
        page: `/${images}`,
        variables: { images },
        values: { totalMs: visit.scenario === 'b' && images === 30 ? 990 : visit.values.totalMs! },
      })),
    );
    const { findings } = judgeStudy(byPage, new Map([['fast-link', { ...run, visits }]]));
    expect(findings[0]!.checks.map(({ page, verdict }) => `${page}: ${verdict}`)).toEqual([
      'images 10: confirmed',
      'images 30: contradicted',
    ]);
    expect(findings[0]!.verdict).toBe('contradicted');

    const pagesOf = (isLost: (visit: (typeof visits)[number]) => boolean) => {
      const left = visits.map((visit) => (isLost(visit) ? { ...visit, values: {} } : visit));
      const judged = judgeStudy(byPage, new Map([['fast-link', { ...run, visits: left }]]));
      return judged.findings[0]!.checks.map(({ page, verdict }) => [page, verdict]);
    };
    expect(pagesOf(({ page }) => page === '/30')).toEqual([
      ['images 10', 'confirmed'],
      ['images 30', 'not-measured'],
    ]);
    expect(pagesOf(() => true)).toEqual([[null, 'not-measured']]);
  });

  it('shows the figures of each part under the table, with their numbers', () => {
    const text = write({ findings: [], closedForms: [] }, [
      { part: 'fast-link', title: 'Time [s] by images', file: 'figures/fast-link/1-time-größe', caption: 'One user.' },
      { part: 'slow-link', title: 'Packets', file: 'figures/slow-link/1-packets', caption: '' },
    ]);
    expect(text.slice(text.indexOf('## fast-link')).trimEnd()).toBe(
      [
        '## fast-link',
        '![Time \\[s\\] by images](figures/fast-link/1-time-gr%C3%B6%C3%9Fe.svg)',
        'One user. [Its numbers as CSV](figures/fast-link/1-time-gr%C3%B6%C3%9Fe.csv)',
        '## slow-link',
        '![Packets](figures/slow-link/1-packets.svg)',
        '[Its numbers as CSV](figures/slow-link/1-packets.csv)',
      ].join('\n\n'),
    );
  });

  it.each([
    [
      'a part that is not there',
      {
        expectations: [
          { ...document.expectations[0], checks: [{ ...document.expectations[0]!.checks[0], parts: ['none'] }] },
        ],
      },
      'there is no part "none": write one of slow-link, fast-link',
    ],
    ['two parts of one name', { parts: [document.parts[0], document.parts[0]] }, '"slow-link" is used already'],
    [
      'a file outside of its folder',
      { parts: [{ ...document.parts[0], evaluation: '../one.yaml' }] },
      'must be a file of the study’s folder',
    ],
    [
      'a bound without room',
      {
        expectations: [
          {
            ...document.expectations[0],
            checks: [{ ...document.expectations[0]!.checks[0], bound: { above: 1, below: 1 } }],
          },
        ],
      },
      'must leave room',
    ],
    [
      'a bound without a limit',
      {
        expectations: [
          { ...document.expectations[0], checks: [{ ...document.expectations[0]!.checks[0], bound: {} }] },
        ],
      },
      'must have "above", "below" or both',
    ],
  ])('is refused with %s', (_, change, message) => {
    const { error } = StudySchema.safeParse({ ...document, ...change });
    expect(error?.issues.map((issue) => issue.message).join()).toContain(message);
  });
});

describe('values', () => {
  it('of a part win over those of the study, those of a quick Run over both, and others over all', () => {
    const [slow] = study.parts;
    expect(valuesOf(study, slow!, { isQuick: false })).toEqual({ rounds: 10, link: 'geo-256k' });
    expect(valuesOf(study, slow!, { isQuick: true })).toEqual({ rounds: 2, link: 'geo-256k' });
    expect(valuesOf(study, slow!, { isQuick: true, others: { rounds: 5 } })).toEqual({ rounds: 5, link: 'geo-256k' });
  });

  it('fill a text; one that is missing is named', () => {
    expect(fillValues('link: ${link} # {1} $x', { link: 'geo-1m' })).toBe('link: geo-1m # {1} $x');
    expect(() => fillValues('${a} ${b} ${a}', {})).toThrow(new RangeError('no value of a, b'));
  });
});
