import { describe, expect, test } from 'vitest';
import { refuseUnclearUrls, refuseUnfitUrlLists } from '#core/evaluation/pages/refuse-unclear-urls.ts';
import { UrlListSchema } from '#core/evaluation/pages/url-list.ts';
import { UserAgentSchema, type Engine } from '#core/evaluation/users/user-agent.ts';

type Arm = Parameters<typeof refuseUnclearUrls>[0]['scenarios'][number];

const navigate = (url: string) => ({ type: 'navigate', url });
const journeyTo = (url: string) => ({ journey: { title: 'Shop', steps: [navigate(url)] } });

/** What is refused of one list, as `path: message`. */
function refusalsOf(entries: unknown[], scenarios: Arm[], { isStrict = true } = {}): string[] {
  const refusals: string[] = [];
  refuseUnclearUrls(
    { urlLists: { pages: UrlListSchema.parse(entries) }, scenarios },
    { isStrict, refuse: (path, message) => refusals.push(`${path.join('.')}: ${message}`) },
  );
  return refusals;
}
const arm = (name: string, variables?: Record<string, string | number>): Arm => ({ name, variables });

describe('a variable in a URL', () => {
  const url = ['http://{host}/a'];

  test('is filled by each Scenario', () => {
    expect(refusalsOf(url, [arm('a', { host: 'x.test' }), arm('b', { host: 'y.test' })])).toEqual([]);
    expect(refusalsOf(['http://x.test/a'], [arm('a'), arm('b')])).toEqual([]);
  });

  test('is to be defined by all, and the first that does not is named with the number of the others', () => {
    const defined = arm('a', { host: 'x.test' });
    const others = [arm('b'), arm('c', { other: 1 }), arm('d')];
    const refusal = (lacking: string) =>
      `urlLists.pages.0.url: the Scenario ${lacking} does not define the variable {host}: write "variables: { host: … }" under it`;
    expect(refusalsOf(url, [defined, ...others.slice(0, 1)])).toEqual([refusal('"b"')]);
    expect(refusalsOf(url, [defined, ...others.slice(0, 2)])).toEqual([refusal('"b" and 1 more')]);
    expect(refusalsOf(url, [defined, ...others])).toEqual([refusal('"b" and 2 more')]);
    expect(refusalsOf(url, others)).toEqual([expect.stringContaining('no Scenario defines the variable {host}')]);
  });

  test('is no name that every object has', () => {
    expect(refusalsOf(['http://x.test/{constructor}'], [arm('a', {})])).toEqual([
      expect.stringContaining('no Scenario defines the variable {constructor}'),
    ]);
  });

  test('makes a URL of each Scenario, and the first that it does not is named', () => {
    expect(refusalsOf(['{start}/a'], [arm('a', { start: 'http://x.test' }), arm('b', { start: 'x.test' })])).toEqual([
      expect.stringMatching(/^urlLists\.pages\.0\.url: in the Scenario "b": .*is not a URL/),
    ]);
  });

  test('is looked for in journeys too', () => {
    expect(refusalsOf([journeyTo('http://{host}/')], [arm('a')])).toEqual([
      expect.stringMatching(/^urlLists\.pages\.0\.journey: no Scenario defines the variable \{host\}/),
    ]);
    expect(refusalsOf([journeyTo('http://{host}/')], [arm('a', { host: 'x.test' })])).toEqual([]);
  });

  test('of an earlier version was itself, where nothing defines it and it is a URL', () => {
    const asBefore = { isStrict: false };
    expect(refusalsOf(['http://x.test/{word}'], [arm('a')], asBefore)).toEqual([]);
    expect(refusalsOf(['http://x.test/{word}'], [arm('a', { other: 1 })], asBefore)).toHaveLength(1);
    expect(refusalsOf(['{word}/a'], [arm('a')], asBefore)).toHaveLength(1);
    expect(refusalsOf(['http://x.test/a b'], [arm('a')], asBefore)).toEqual([]);
    expect(refusalsOf(['http://x.test/a b'], [arm('a')])).toEqual([expect.stringContaining('space')]);
  });
});

describe('the addresses of an Evaluation are', () => {
  const entries = ['http://{host}/{1..1000}'];
  const arms = (count: number, host: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => arm(`s${index}`, { host: host(index), other: index }));

  test('at most 50,000 with the variables of all Scenarios', () => {
    expect(
      refusalsOf(
        entries,
        arms(51, (index) => `h${index}.test`),
      ),
    ).toEqual([
      'urlLists.pages.0.url: has more than 50000 addresses with the variables of all Scenarios: use fewer URLs or values',
    ]);
  });

  test('counted once for Scenarios that make the same of them', () => {
    expect(
      refusalsOf(
        entries,
        arms(200, (index) => `h${index % 2}.test`),
      ),
    ).toEqual([]);
  });
});

describe('a User Agent', () => {
  function problemsOf(engine: Engine, entries: unknown[], urlList = 'pages'): string[] {
    const problems: string[] = [];
    refuseUnfitUrlLists(
      {
        urlLists: { pages: UrlListSchema.parse(entries), more: [] },
        userAgents: [UserAgentSchema.parse({ name: 'a', host: 'h', engine, urlList })],
      },
      (path, message) => problems.push(`${path.join('.')}: ${message}`),
    );
    return problems;
  }
  const waiting = [{ url: 'http://x.test/', until: 'performance mark ready' }];
  const journey = [journeyTo('http://x.test/')];
  const noJourney = 'userAgents.0.engine: makes no journeys, and "pages" has one: choose chrome or firefox';

  test.for<[Engine, unknown[], string[]]>([
    ['chrome', journey, []],
    ['firefox', journey, []],
    ['http', journey, [noJourney]],
    ['extension', journey, [noJourney]],
    ['chrome', waiting, []],
    ['firefox', waiting, []],
    ['extension', waiting, []],
    [
      'http',
      waiting,
      [
        'userAgents.0.engine: runs no scripts, so no page of "pages" sets a mark to wait for: choose chrome, firefox or extension',
      ],
    ],
    ['http', ['http://x.test/'], []],
  ])('of the engine %s visits what that engine can: %#', ([engine, entries, problems]) => {
    expect(problemsOf(engine, entries)).toEqual(problems);
  });

  test('has a URL list that is there', () => {
    const problem = (name: string) =>
      `userAgents.0.urlList: there is no URL list "${name}": write one of "pages", "more"`;
    expect(problemsOf('chrome', ['http://x.test/'], 'page')).toEqual([problem('page')]);
    expect(problemsOf('chrome', ['http://x.test/'], 'constructor')).toEqual([problem('constructor')]);
  });
});
