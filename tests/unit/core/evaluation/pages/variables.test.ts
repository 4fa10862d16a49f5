import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { orderPasses } from '#controller/coordinator/order-passes.ts';
import { EvaluationDocumentSchema, EvaluationInputSchema } from '#core/evaluation/evaluation-document.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { urlsOf } from '#core/evaluation/rounds/expand-evaluation.ts';
import { listVisits } from '#core/evaluation/pages/list-visits.ts';
import { groupScenarios } from '#core/evaluation/scenarios/scenario-groups.ts';
import { formatPath } from '#core/input/describe-issues.ts';
import { parseYaml } from '#core/input/parse-yaml.ts';

const base = {
  name: 'Protocols',
  urlLists: { pages: ['{origin}/images/{1,2}'] },
  userAgents: [{ name: 'alice', host: 'laptop', engine: 'http', urlList: 'pages' }],
};
const arm = (name: string, variables?: object, more: object = {}) => ({
  name,
  ...(variables && { variables }),
  ...more,
});
const http = arm('http', { origin: 'http://origin.test' }, { baseline: true });
const https = arm('https', { origin: 'https://origin.test' });

function issuesOf(
  scenarios: unknown[],
  change: object = {},
  schema: typeof EvaluationInputSchema = EvaluationInputSchema,
): string[] {
  const parsed = parseYaml(stringify({ ...base, ...change, scenarios }), schema);
  return parsed.kind === 'valid'
    ? []
    : parsed.issues.map(({ line, path, message }) => `${line} ${formatPath(path)}: ${message}`);
}

describe('a variable of a Scenario in a URL', () => {
  it('gives one page another address in each Scenario', () => {
    const evaluation = EvaluationSchema.parse({ ...base, scenarios: [http, https] });
    expect(urlsOf(evaluation, 'pages').map(({ url }) => url)).toEqual(['{origin}/images/1', '{origin}/images/2']);
    expect(
      evaluation.scenarios.map((scenario) =>
        listVisits(evaluation, evaluation.userAgents[0]!, scenario).map(({ page, url }) => [page, url]),
      ),
    ).toEqual([
      [
        ['{origin}/images/1', 'http://origin.test/images/1'],
        ['{origin}/images/2', 'http://origin.test/images/2'],
      ],
      [
        ['{origin}/images/1', 'https://origin.test/images/1'],
        ['{origin}/images/2', 'https://origin.test/images/2'],
      ],
    ]);
    const [pass] = orderPasses({ id: '1', runId: '1', seed: 1, block: 1, evaluation, scenario: 'https' });
    expect(pass!.order.visits[0]).toEqual({ url: 'https://origin.test/images/1', repetition: 1 });
  });

  it.each([
    [
      'that no Scenario defines',
      [arm('a', undefined, { baseline: true })],
      'no Scenario defines the variable {origin}: write "variables: { origin: … }" under each Scenario, or %7Borigin%7D for the braces themselves',
    ],
    [
      'that one Scenario lacks',
      [http, arm('b', { rateKbps: 1 })],
      'the Scenario "b" does not define the variable {origin}: write "variables: { origin: … }" under it',
    ],
    [
      'that makes no URL',
      [http, arm('b', { origin: 'origin.test' })],
      'in the Scenario "b": "origin.test/images/1" is not a URL: write the full URL, such as "http://origin.example/page"',
    ],
    [
      'that makes a URL of a file',
      [http, arm('b', { origin: 'file://' })],
      'in the Scenario "b": "file:///images/1" starts with "file:": only http: and https: can be measured',
    ],
  ])('%s is an error at the URL', (_, scenarios, problem) => {
    expect(issuesOf(scenarios)).toEqual([`4 urlLists.pages[0].url: ${problem}`]);
  });

  it('in a whole URL is refused where nothing defines it, but was itself in an Evaluation of before', () => {
    const change = { urlLists: { pages: ['http://origin.test/?q={word}'] } };
    const old = [arm('a', undefined, { baseline: true })];
    expect(issuesOf(old, change)).toEqual([expect.stringContaining('no Scenario defines the variable {word}')]);
    const stored = EvaluationDocumentSchema.parse({ ...base, ...change, scenarios: old });
    const evaluation = EvaluationSchema.parse(stored);
    expect(listVisits(evaluation, evaluation.userAgents[0]!, evaluation.scenarios[0]!)[0]!.url).toBe(
      'http://origin.test/?q={word}',
    );
    expect(issuesOf(old, { urlLists: { pages: ['http://origin.test/?q=%7Bword%7D'] } })).toEqual([]);
  });

  it('is limited in number, length and name', () => {
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`v${index}`, 1]));
    for (const [variables, problem] of [
      [many, 'must have at most 50 variables'],
      [{ origin: 'x'.repeat(501) }, 'must have at most 500 characters'],
      [{ origin: true }, 'must be a number or a text'],
      [{ 'my origin': 'http://a' }, 'must be a word of letters, digits and _'],
      [5, 'must be a mapping of names to numbers or texts'],
    ] as const)
      expect(issuesOf([http, arm('b', variables as object)]).join(' ')).toContain(problem);
  });
});

describe('groups of Scenarios', () => {
  const grouped = (name: string, group?: string, baseline = false) => ({ ...http, name, group, baseline });

  it('have one baseline each', () => {
    const { scenarios } = EvaluationSchema.parse({
      ...base,
      scenarios: [grouped('a', 'x', true), grouped('b', 'y'), grouped('c', 'y', true), grouped('d', 'x')],
    });
    expect(groupScenarios(scenarios)).toEqual([
      { name: 'x', scenarios: ['a', 'd'], baseline: 'a' },
      { name: 'y', scenarios: ['b', 'c'], baseline: 'c' },
    ]);
  });

  it.each([
    [
      'without a baseline',
      [grouped('a', 'x', true), grouped('b', 'y'), grouped('c', 'y')],
      'scenarios[1].group: exactly one Scenario of the group "y" must be the baseline, and none is: write "baseline: true" under one of "b", "c"',
    ],
    [
      'with two baselines',
      [grouped('a', 'x', true), grouped('b', 'x', true)],
      'scenarios[1].baseline: exactly one Scenario of the group "x" must be the baseline, and "a" and "b" are: write "baseline: true" under one of "a", "b"',
    ],
    [
      'that not every Scenario has',
      [grouped('a', 'x', true), grouped('b')],
      'scenarios[1].group: is missing: it must name a group, as other Scenarios have one',
    ],
  ])('%s are refused where they are', (_, scenarios, problem) => {
    const issues = issuesOf(scenarios);
    expect(issues.map((issue) => issue.replace(/^\d+ /, ''))).toEqual([problem]);
  });
});
