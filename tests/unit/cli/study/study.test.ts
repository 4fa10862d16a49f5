import { describe, expect, it } from 'vitest';
import { formatFindingLines } from '#cli/study/format-finding-lines.ts';
import { fillValues, valuesOf } from '#core/study/fill-values.ts';
import { formatFindings } from '#cli/study/format-findings.ts';
import { judgeStudy } from '#cli/study/judge-study.ts';
import type { Measurements } from '#cli/study/study-measurements.ts';
import { StudySchema } from '#core/study/study-definition.ts';

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

const run: Measurements = {
  runId: '7',
  confidence: 0.95,
  visits: [1, 2, 3].flatMap((block) =>
    ['a', 'b'].map((scenario) => ({
      block,
      scenario,
      userAgent: 'alice',
      page: '/',
      variables: {},
      values: { totalMs: scenario === 'a' ? 1000 : 500 + block },
    })),
  ),
  bandwidth: { kind: 'absent', reason: 'none' },
  users: { kind: 'absent', reason: 'none' },
  points: [],
  traffic: [],
  network: [],
  isComparable: () => true,
};

describe('a study', () => {
  it('is judged by the parts that were measured: one that was not leaves its finding open', () => {
    const findings = judgeStudy(study, new Map([['fast-link', run]]));
    expect(findings.map(({ verdict }) => verdict)).toEqual(['confirmed', 'not-measured']);
    expect(findings[1]!.checks.map(({ part, verdict }) => `${part} ${verdict}`)).toEqual([
      'slow-link not-measured',
      'fast-link confirmed',
    ]);
  });

  it('gives no number of two Scenarios of which one loses objects that the other has', () => {
    const losing = { ...run, isComparable: (scenario: string, against: string) => scenario === against };
    const findings = judgeStudy(study, new Map([['fast-link', losing]]));
    expect(findings[0]).toMatchObject({
      verdict: 'not-comparable',
      checks: [{ verdict: 'not-comparable', estimate: null }],
    });
    const words = 'no value, as one of the two loses objects that the other has';
    expect(formatFindings(study, findings, { remarks: [], figures: [] })).toContain(
      `b vs a: ${words} | above 20 % | **not comparable** |`,
    );
    expect(formatFindingLines(findings)).toContain(`b vs a: ${words}, expected above 20 %`);
  });

  it('writes a table in which no text breaks a row', () => {
    const table = formatFindings(study, judgeStudy(study, new Map([['fast-link', run]])), {
      remarks: ['Two Rounds.'],
      figures: [],
    });
    const rows = table.split('\n').filter((line) => line.startsWith('|'));
    expect(rows).toHaveLength(6);
    expect(rows[2]).toContain('b is faster \\| than a. Source: A paper, figure 1.');
    expect(rows[2]).toContain('Reduction of total page load latency, b vs a: 49.8 % (49.');
    expect(rows[2]).toContain('| above 20 % | **confirmed** |');
    expect(rows[4]).toMatch(/^\| {2}\| .*, slow-link: no value \| above 20 % \| not measured \|$/);
    expect(table).toContain('1 confirmed, 1 not measured');
  });

  it('shows the figures of each part under the table, with their numbers', () => {
    const text = formatFindings(study, [], {
      remarks: [],
      figures: [
        { part: 'fast-link', title: 'Time [s] by images', file: 'figures/fast-link/1-time-größe' },
        { part: 'slow-link', title: 'Packets', file: 'figures/slow-link/1-packets' },
      ],
    });
    expect(text.slice(text.indexOf('##')).trimEnd()).toBe(
      [
        '## fast-link',
        '![Time \\[s\\] by images](figures/fast-link/1-time-gr%C3%B6%C3%9Fe.svg)',
        '[Its numbers as CSV](figures/fast-link/1-time-gr%C3%B6%C3%9Fe.csv)',
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
