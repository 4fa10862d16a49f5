import { describe, expect, it } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { describeIssues } from '#core/input/describe-issues.ts';
import { problemsOf, smallest } from './support/smallest-evaluation.ts';

describe('an Evaluation', () => {
  it('needs only a name, URLs, User Agents and Scenarios', () => {
    expect(EvaluationSchema.parse(smallest)).toMatchObject({
      primaryMetric: 'totalMs',
      pageLoad: { cache: 'cold', visitsPerUrl: 1, timeoutMs: 30_000, quietMs: 500 },
      repetition: { order: 'random-blocks', rounds: 5, warmUp: true },
    });
  });

  it('has exactly one baseline', () => {
    expect(problemsOf({ scenarios: [{ name: 'A' }] })).toEqual([
      expect.stringContaining('exactly one Scenario must be the baseline, and none is'),
    ]);
    expect(
      problemsOf({
        scenarios: [
          { name: 'A', baseline: true },
          { name: 'B', baseline: true },
        ],
      }),
    ).toEqual([expect.stringContaining('"A" and "B" are')]);
  });

  it('has Scenarios of User Agents that there are, and a baseline of all', () => {
    const { name } = smallest.userAgents[0]!;
    const scenariosOf = (userAgents: string[], baseline = false) => [
      { name: 'A', baseline: true, ...(baseline && { userAgents }) },
      { name: 'B', ...(!baseline && { userAgents }) },
    ];
    expect(problemsOf({ scenarios: scenariosOf([name]) })).toEqual([]);
    expect(problemsOf({ scenarios: scenariosOf(['zoe']) })[0]).toMatch(/is no User Agent: there are/);
    expect(problemsOf({ scenarios: scenariosOf([name, name]) })[0]).toMatch(/named twice/);
    expect(problemsOf({ scenarios: scenariosOf([]) })[0]).toMatch(/at least one User Agent/);
    expect(problemsOf({ scenarios: scenariosOf([name], true) })[0]).toMatch(/cannot be given for a baseline/);
  });

  it('has User Agents in step only where two or more start together', () => {
    const [alice] = smallest.userAgents;
    const inStep = (...userAgents: object[]) => problemsOf({ userAgents, repetition: { barrier: 'page' } });
    expect(inStep(alice!, { ...alice, name: 'another' })).toEqual([]);
    expect(inStep(alice!)).toEqual([
      'repetition.barrier: cannot be "page" with one User Agent, which has no other to wait for: add a User Agent, or leave "barrier" out',
    ]);
    expect(inStep(alice!, { ...alice, name: 'another', startOffsetMs: 0 })).toEqual([]);
    for (const startOffsetMs of [1, 500])
      expect(inStep(alice!, { ...alice, name: 'another', startOffsetMs })).toEqual([
        'userAgents.1.startOffsetMs: cannot be used with "repetition.barrier: page", by which all User Agents begin each page together: remove one of the two',
      ]);
    expect(problemsOf({ repetition: null })).toHaveLength(1);
    expect(problemsOf({ repetition: { barrier: 'visit' } })).toEqual(['repetition.barrier: must be "pass" or "page"']);
  });

  it('names mistakes of single fields and of fields that do not fit each other in one answer', () => {
    const problems = problemsOf({
      userAgents: [{ name: 'alice', host: 'laptop', urlList: 'imgs' }],
      scenarios: [
        { name: 'A', baselin: true },
        { name: 'B', browser: { connectionsPerOrigin: 2 } },
      ],
      repetition: { rounds: 'ten' },
    });
    expect(problems).toHaveLength(5);
    for (const path of [
      'userAgents.0.urlList',
      'scenarios.0',
      'scenarios',
      'scenarios.1.browser.connectionsPerOrigin',
      'repetition.rounds',
    ]) {
      expect(
        problems.some((problem) => problem.startsWith(`${path}: `)),
        path,
      ).toBe(true);
    }
  });

  it('says nothing of how fields fit each other while their part cannot be read', () => {
    expect(problemsOf({ userAgents: 'alice', scenarios: [{ name: 'A', baseline: true }] })).toEqual([
      'userAgents: must be a list of User Agents',
    ]);
  });

  it('refuses a unit in a duration and says what to write', () => {
    expect(problemsOf({ pageLoad: { timeoutMs: '30s' } })).toEqual([
      'pageLoad.timeoutMs: must be a number of milliseconds without a unit, not "30s" (write 30000)',
    ]);
  });

  it('takes a rest as a number or as think times, of the page load and of each User Agent', () => {
    const userAgent = { name: 'alice', host: 'laptop', urlList: 'pages' };
    const parsed = EvaluationSchema.parse({
      ...smallest,
      pageLoad: { restMs: { exponential: 5000 } },
      userAgents: [{ ...userAgent, restMs: 0, visitsPerUrl: 3, startOffsetMs: 1500 }],
    });
    expect(parsed.pageLoad.restMs).toEqual({ exponential: 5000 });
    expect(parsed.userAgents[0]).toMatchObject({ restMs: 0, visitsPerUrl: 3, startOffsetMs: 1500 });
    const problemsOfUser = (change: object) => problemsOf({ userAgents: [{ ...userAgent, ...change }] });
    expect(problemsOfUser({ restMs: -1 })).toEqual(['userAgents.0.restMs: must be at least 0 ms']);
    expect(problemsOfUser({ restMs: { exponential: 0 } })).toEqual([
      'userAgents.0.restMs.exponential: must be at least 1 ms',
    ]);
    expect(problemsOfUser({ visitsPerUrl: 0 })).toEqual(['userAgents.0.visitsPerUrl: must be at least 1']);
    expect(problemsOfUser({ startOffsetMs: '2s' })).toEqual([
      'userAgents.0.startOffsetMs: must be a number of milliseconds without a unit, not "2s" (write 2000)',
    ]);
    for (const restMs of ['5s', { exponential: '5s' }, { uniform: 5 }]) {
      const result = EvaluationSchema.safeParse({ ...smallest, userAgents: [{ ...userAgent, restMs }] });
      const issues = describeIssues(result.error!, { schema: EvaluationSchema, input: {} });
      expect(issues).toEqual([
        {
          path: ['userAgents', 0, 'restMs'],
          message:
            'must be a number of milliseconds without a unit, such as 400, or "exponential: 5000" for think times with this mean',
        },
      ]);
    }
  });

  it('refuses more than can be visited before it has looked at all of it', () => {
    const many = Array.from({ length: 5000 }, () => 'http://o/{1..2000}');
    expect(problemsOf({ urlLists: { pages: many } })).toEqual([
      'urlLists.pages: has more than 2000 URLs after expansion, the limit of one Pass',
    ]);
    const often = (visits: unknown) => problemsOf({ urlLists: { pages: [{ url: 'http://o/{1..21}', visits }] } });
    expect(often(95)).toEqual([]);
    expect(often(96)).toEqual([
      'urlLists.pages: has more than 2000 URLs after expansion, each counted as often as its "visits", the limit of one Pass',
    ]);
    expect(often(0)).toEqual(['urlLists.pages.0.visits: must be at least 1']);
    const lists = Object.fromEntries(
      Array.from({ length: 501 }, (_, index) => [`list-${index}`, ['http://o/{1..2000}']]),
    );
    expect(problemsOf({ urlLists: lists })).toEqual([
      'urlLists: must have at most 500 URL lists: User Agents may share one',
    ]);
    const users = Array.from({ length: 5001 }, (_, index) => ({
      name: `u${index}`,
      host: `h${index}`,
      urlList: 'pages',
    }));
    expect(problemsOf({ userAgents: users.slice(0, 5000), urlLists: { pages: ['http://o/'] } })).toEqual([]);
    expect(problemsOf({ userAgents: users, urlLists: { pages: ['http://o/'] } })).toEqual([
      'userAgents: must have at most 5000 User Agents',
    ]);
    const variables = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`v${index}`, 1]));
    expect(problemsOf({ urlLists: { pages: [{ url: 'http://o/', variables }] } })).toEqual([
      'urlLists.pages.0.variables: must have at most 50 variables',
    ]);
  });

  it('refuses an unknown key, a repeated name, an unknown URL list', () => {
    expect(problemsOf({ pageLoad: { timeout: 30 } })).toEqual([expect.stringMatching(/pageLoad: .*timeout/)]);
    expect(problemsOf({ scenarios: [{ name: 'A', baseline: true }, { name: 'A' }] })).toEqual([
      expect.stringContaining('scenarios.1.name'),
    ]);
    expect(problemsOf({ userAgents: [{ name: 'alice', host: 'laptop', urlList: 'page' }] })).toEqual([
      'userAgents.0.urlList: there is no URL list "page": write one of "pages"',
    ]);
  });

  it.each([
    ['origin.test/', 'is not a URL'],
    ['file:///etc/passwd', 'only http: and https:'],
    ['chrome://settings', 'only http: and https:'],
    ['about:blank', 'only http: and https:'],
    ['javascript:alert(1)', 'only http: and https:'],
    ['data:text/html,hello', 'only http: and https:'],
    ['view-source:http://origin.test/', 'only http: and https:'],
    ['http://user:secret@origin.test/', 'user name or password'],
  ])('refuses the URL %s', (url, problem) => {
    expect(problemsOf({ urlLists: { pages: [url] } })).toEqual([expect.stringContaining(problem)]);
  });

  it('refuses switches that reach outside of the browser', () => {
    const browserOf = (flag: string) => ({ scenarios: [{ name: 'A', baseline: true, browser: { flags: [flag] } }] });
    expect(problemsOf(browserOf('--disable-http2'))).toEqual([]);
    for (const flag of [
      '--user-data-dir=/',
      '--remote-debugging-port=1',
      '--renderer-cmd-prefix=sh',
      '--no-sandbox',
      'rm',
    ]) {
      expect(problemsOf(browserOf(flag)), flag).toHaveLength(1);
    }
  });
});
