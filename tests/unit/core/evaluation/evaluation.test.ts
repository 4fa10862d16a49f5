import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EvaluationSchema, type Evaluation } from '#core/evaluation/evaluation.ts';
import { expandEvaluation, urlsOf } from '#core/evaluation/expand-evaluation.ts';
import { describeIssues } from '#core/input/describe-issues.ts';
import { expandUrlPattern } from '#core/evaluation/url-pattern.ts';

const smallest = {
  name: 'HTTP/2 against HTTP/1.1',
  urlLists: { pages: ['http://origin.test/'] },
  userAgents: [{ name: 'alice', host: 'laptop', urlList: 'pages' }],
  scenarios: [{ name: 'HTTP/1.1', baseline: true }, { name: 'HTTP/2' }],
};

function problemsOf(change: object): string[] {
  const result = EvaluationSchema.safeParse({ ...smallest, ...change });
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

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

describe('a URL pattern', () => {
  it('counts, counts in steps and down, pads, lists, and combines', () => {
    const urls = (pattern: string) => expandUrlPattern(pattern).map(({ url }) => url);
    expect(urls('http://o/{1..3}')).toEqual(['http://o/1', 'http://o/2', 'http://o/3']);
    expect(urls('http://o/{10..0..5}')).toEqual(['http://o/10', 'http://o/5', 'http://o/0']);
    expect(urls('http://o/{08..10}')).toEqual(['http://o/08', 'http://o/09', 'http://o/10']);
    expect(urls('http://o/{a,b}/{1..2}')).toEqual(['http://o/a/1', 'http://o/a/2', 'http://o/b/1', 'http://o/b/2']);
    expect(urls('http://o/{}?q={x}')).toEqual(['http://o/{}?q={x}']);
  });

  it('refuses to stand for too many URLs, and a step of 0', () => {
    expect(() => expandUrlPattern('http://o/{1..2001}')).toThrow('more than 2000');
    expect(() => expandUrlPattern('http://o/{1..100}/{1..100}')).toThrow('more than 2000');
    expect(() => expandUrlPattern('http://o/{1..9..0}')).toThrow('steps of 0');
  });

  it('is read in linear time, and counted before any URL is made', () => {
    // As many of the longest patterns as the limit of a request has room for; each cost the square of its length.
    const hostile = [
      'http://x/{' + ','.repeat(60_000),
      'http://x/' + '{'.repeat(60_000),
      'http://x/' + '{1..1}'.repeat(9000) + '{1..2000}'.repeat(50),
    ];
    const startMs = performance.now();
    for (const pattern of hostile) problemsOf({ urlLists: { pages: Array.from({ length: 16 }, () => pattern) } });
    expect(performance.now() - startMs).toBeLessThan(5000);
    expect(() => expandUrlPattern(`http://o/{1..${'9'.repeat(400)}}`)).toThrow('more than 2000');
    expect(() => expandUrlPattern(`http://o/{${'9'.repeat(400)}..${'9'.repeat(400)}}`)).toThrow('more than 2000');
    expect(problemsOf({ urlLists: { pages: ['http://o/{' + ','.repeat(1_000_000)] } })).toEqual([
      'urlLists.pages.0.url: must have at most 65536 characters',
    ]);
  });

  it('is refused where all lists together stand for too much, or a label would be too long', () => {
    const lists = (count: number, url: string) => ({
      urlLists: Object.fromEntries(
        Array.from({ length: count }, (_, index) => [index === 0 ? 'pages' : `list-${index}`, [url]]),
      ),
    });
    const refusal = [
      'urlLists: have more than 50000 URLs or 20000000 characters together after expansion: use fewer, or shorter ones',
    ];
    expect(problemsOf(lists(26, 'http://o/{1..2000}'))).toEqual(refusal);
    expect(problemsOf(lists(25, 'http://o/{1..2000}'))).toEqual([]);
    expect(problemsOf(lists(3, `http://o/{1..2000}/${'a'.repeat(4000)}`))).toEqual(refusal);
    const label = { url: `http://o/{${'a'.repeat(3900)},b}/{1..1000}`, label: '{1}'.repeat(40) };
    expect(problemsOf({ urlLists: { pages: [label] } })).toEqual([
      'urlLists.pages.0.label: must have at most 1000 characters after expansion',
    ]);
  });

  it('gives its values to labels and variables', () => {
    const evaluation = EvaluationSchema.parse({
      ...smallest,
      urlLists: {
        pages: [{ url: 'http://o/images/{1..2}', label: '{1} images', variables: { images: '{1}', text: 6 } }],
      },
    });
    expect(urlsOf(evaluation, 'pages')).toEqual([
      { url: 'http://o/images/1', label: '1 images', variables: { images: 1, text: 6 } },
      { url: 'http://o/images/2', label: '2 images', variables: { images: 2, text: 6 } },
    ]);
    expect(problemsOf({ urlLists: { pages: [{ url: 'http://o/{a,b}', variables: { images: '{1}' } }] } })).toEqual([
      expect.stringMatching(/^urlLists\.pages\.0\.variables: images=\{1\} is not a number/),
    ]);
    // What is wrong with the address is reported beside it.
    expect(problemsOf({ urlLists: { pages: [{ url: 'htp://o/', variables: { images: '{1}' } }] } })).toHaveLength(2);
    expect(problemsOf({ urlLists: { pages: [''] } })).toEqual([
      expect.stringMatching(/^urlLists\.pages\.0\.url: "" is not a URL/),
    ]);
  });
});

describe('the plan of a Run', () => {
  const evaluationWith = (scenarios: number, repetition: object): Evaluation =>
    EvaluationSchema.parse({
      ...smallest,
      scenarios: Array.from({ length: scenarios }, (_, index) => ({ name: `S${index}`, baseline: index === 0 })),
      repetition,
    });

  it('is a function of Evaluation and seed, and has every Scenario once in each Block', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 8 }),
        fc.integer({ min: 0, max: 2 ** 31 - 1 }),
        fc.boolean(),
        (scenarios, rounds, seed, warmUp) => {
          const evaluation = evaluationWith(scenarios, { rounds, warmUp });
          const plan = expandEvaluation(evaluation, seed);
          expect(expandEvaluation(evaluation, seed)).toEqual(plan);
          expect(plan.map((round) => round.index)).toEqual(plan.map((_, index) => index));
          expect(plan).toHaveLength(scenarios * (rounds + (warmUp ? 1 : 0)));
          const blocks = Map.groupBy(plan, ({ block }) => block);
          for (const block of blocks.values())
            expect(new Set(block.map(({ scenario }) => scenario)).size).toBe(scenarios);
          expect(plan.every((round) => round.warmUp === (round.block === 0))).toBe(true);
          expect(plan.map(({ block }) => block)).toEqual(plan.map(({ block }) => block).sort((a, b) => a - b));
        },
      ),
    );
  });

  it('puts every Scenario at every place within a Block equally often', () => {
    const counts = new Map<string, number>();
    for (let seed = 0; seed < 3000; seed++) {
      for (const { block, scenario, index } of expandEvaluation(
        evaluationWith(3, { rounds: 1, warmUp: false }),
        seed,
      )) {
        const key = `${block} ${index} ${scenario}`;
        counts.set(key, (counts.get(key) ?? 0) + 1);
      }
    }
    expect(counts.size).toBe(9);
    // Binomial(3000, 1/3): 1000 ± 26; five standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(130);
  });

  it('measures one Scenario after the other when it is sequential', () => {
    const plan = expandEvaluation(evaluationWith(2, { rounds: 2, order: 'sequential' }), 1);
    expect(plan.map(({ scenario, block }) => `${scenario} ${block}`)).toEqual([
      'S0 0',
      'S0 1',
      'S0 2',
      'S1 0',
      'S1 1',
      'S1 2',
    ]);
  });
});
