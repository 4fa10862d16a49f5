import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import type { HostFacts } from '#core/protocol/host-facts.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { hostFacts } from '#tests/support/sample-host-facts.ts';
import { checkReadiness } from '#web-ui/src/pages/evaluation/side/check-readiness.ts';

const user = {
  name: 'ann',
  host: 'laptop',
  engine: 'firefox',
  urlList: 'pages',
  osUser: 'ann',
  sourceAddress: '192.0.2.8',
  interface: 'eth9',
};
const evaluation = EvaluationSchema.parse({
  name: 'All there is to miss',
  urlLists: { pages: ['http://origin.test/'] },
  userAgents: [user, { name: 'ben', host: 'desk', urlList: 'pages' }],
  scenarios: [
    {
      name: 'one',
      baseline: true,
      network: { host: 'testbed', link: 'cable' },
      setUp: [{ host: 'laptop', script: 'true' }],
    },
  ],
  capturePoints: [{ name: 'proxy', host: 'testbed', interface: 'eth0' }],
});

function agent(name: string, facts: Partial<HostFacts> = {}, isConnected = true): AgentSummary {
  return {
    name,
    isConnected,
    agentVersion: '0',
    lastSeenAt: '2026-01-01T00:00:00Z',
    clockOffsetMs: null,
    clockErrorMs: null,
    tokenSharedWith: 0,
    facts: { ...hostFacts, ...facts },
  };
}

const textsIn = (agents: AgentSummary[], state: string) =>
  checkReadiness(evaluation, agents)
    .filter((each) => each.state === state)
    .map(({ text }) => text);

test('each thing that a Run would fail for is reported once, with what to do', () => {
  const agents = [agent('laptop'), agent('desk', {}, false), agent('testbed')];
  expect(textsIn(agents, 'missing')).toEqual([
    'desk is not connected',
    'laptop has no engine firefox',
    'testbed has no testbed',
    'laptop does not allow scripts',
    'ann needs the interface eth9, which laptop does not have',
  ]);
  expect(textsIn(agents, 'limited')).toEqual([
    'Only one Scenario: nothing is compared',
    'Packets of 1 of 2 User Agents are captured',
  ]);
  expect(checkReadiness(evaluation, agents).every(({ state, fix }) => (state === 'ready') === (fix === ''))).toBe(true);
});

test('the hosts of both ends of HTTPEP are missing where they are not connected', () => {
  const { userAgents, urlLists } = evaluation;
  const scenarios = [
    { name: 'direct', baseline: true },
    { name: 'HTTPEP', httpep: { ground: { host: 'far' } } },
  ];
  const plain = userAgents.map(({ name, host, urlList }) => ({ name, host, urlList }));
  const readiness = checkReadiness(
    EvaluationSchema.parse({ name: 'x', urlLists, userAgents: plain, scenarios }),
    ['laptop', 'desk', 'remote'].map((name) => agent(name)),
  );
  expect(readiness.filter(({ text }) => /^(far|remote) /.test(text)).map(({ state, text }) => [state, text])).toEqual([
    ['missing', 'far is not connected'],
    ['ready', 'remote is connected'],
  ]);
});

test('Scenarios that differ only in their names are reported', () => {
  const { baseline, ...one } = evaluation.scenarios[0]!;
  const scenarios = [
    { ...one, baseline },
    { ...one, name: 'two', baseline: false },
    { ...one, name: 'three', baseline: false, browser: { ...one.browser, flags: ['--disable-http2'] } },
  ];
  const textsOf = checkReadiness({ ...evaluation, scenarios }, []).map(({ text }) => text);
  expect(textsOf.filter((text) => text.includes('Scenario') || text.includes('settings'))).toEqual([
    'two has the same settings as one',
  ]);
});

test('HTTP versions that plain addresses cannot show are reported', () => {
  const [scenario] = evaluation.scenarios;
  const scenarios = [
    { ...scenario!, browser: { ...scenario!.browser, protocols: ['http/1.1' as const] } },
    { ...scenario!, name: 'two', baseline: false },
  ];
  const textsOf = (urls: string[], of = scenarios) =>
    checkReadiness(
      {
        ...evaluation,
        scenarios: of,
        urlLists: { pages: urls.map((url) => ({ url })), unused: [{ url: 'http://unused.test/' }] },
      },
      [],
    )
      .map(({ text }) => text)
      .filter((text) => text.includes('http:'));
  expect(textsOf(['http://a.test/', 'http://b.test/{1..3}'])).toEqual([
    'The URLs are http:, which browsers always load over HTTP/1.1',
  ]);
  expect(textsOf(['http://a.test/', 'https://b.test/'])).toEqual([
    '1 of 2 lines of URLs is http:, which browsers always load over HTTP/1.1',
  ]);
  expect(textsOf(['https://a.test/'])).toEqual([]);
  expect(textsOf(['http://a.test/'], [scenario!])).toEqual([]);
});

test('browser settings that a host refuses are reported, unless its operator allows any', () => {
  const [first] = evaluation.scenarios;
  const scenarios = [
    {
      ...first!,
      browser: {
        ...first!.browser,
        prefs: { 'network.negotiate-auth.gsslib': '/x.so', 'network.http.max-connections': 6 },
      },
    },
  ];
  const textsOf = (facts: Partial<AgentSummary['facts']>) => {
    const userAgents = evaluation.userAgents.map((userAgent) => ({
      ...userAgent,
      host: 'laptop',
      engine: 'firefox' as const,
    }));
    return checkReadiness({ ...evaluation, userAgents, scenarios }, [agent('laptop', facts)])
      .map(({ text }) => text)
      .filter((text) => text.includes('refuses'));
  };
  expect(textsOf({})).toEqual(['laptop refuses network.negotiate-auth.gsslib']);
  expect(textsOf({ anyPreferenceAllowed: true })).toEqual([]);
});

test('a host outside of a testbed with an origin is missing where a Scenario trusts the testbed', () => {
  const [first] = evaluation.scenarios;
  const scenarios = [{ ...first!, browser: { ...first!.browser, trustedKeys: ['testbed'] } }];
  const userAgents = evaluation.userAgents.map((userAgent) => ({ ...userAgent, host: 'laptop' }));
  const textsOf = (origin: HostFacts['origin']) =>
    checkReadiness({ ...evaluation, userAgents, scenarios }, [agent('laptop', { origin })])
      .map(({ text }) => text)
      .filter((text) => text.includes('origin'));
  expect(textsOf(null)).toEqual(['laptop is in no testbed with an origin, whose key a Scenario trusts']);
  const trustedKey = `${'A'.repeat(43)}=`;
  expect(textsOf({ httpUrl: 'http://127.0.0.1:8421', http2Url: 'https://127.0.0.1:8422', trustedKey })).toEqual([]);
});

test('of a host that never joined only that is reported', () => {
  expect(textsIn([], 'missing')).toEqual([
    'laptop is not connected',
    'desk is not connected',
    'testbed is not connected',
  ]);
});

test('nothing is missing when everything is there', () => {
  const laptop = agent('laptop', {
    scriptsAllowed: true,
    engines: [{ engine: 'firefox', version: '153' }],
    interfaces: [{ name: 'eth9', addresses: [] }],
  });
  expect(textsIn([laptop, agent('desk'), agent('testbed', { testbed: { backend: 'userspace' } })], 'missing')).toEqual(
    [],
  );
});

test('a setting that the extension of a host does not obey is missing, with the engines that obey it', () => {
  const measured = EvaluationSchema.parse({
    name: 'With the extension',
    urlLists: { pages: ['http://origin.test/'] },
    userAgents: [{ name: 'ann', host: 'laptop', engine: 'extension', urlList: 'pages' }],
    scenarios: [
      { name: 'direct', baseline: true },
      { name: 'proxy', browser: { proxy: 'http://proxy.test' } },
    ],
  });
  const missing = (settings?: string[]) =>
    checkReadiness(measured, [
      agent('laptop', { engines: [{ engine: 'extension', version: 'Chrome/150', ...(settings && { settings }) }] }),
    ]).filter(({ state }) => state === 'missing');
  expect(missing(['proxy'])).toEqual([]);
  expect(missing()).toEqual([
    {
      state: 'missing',
      text: 'proxy: proxy is not supported by extension, the engine of "ann"',
      fix: 'Leave it out, or choose an engine that supports it: chrome, firefox, http, or an Agent that starts the browser with the extension, or let the person at the browser permit it in the options of the extension.',
    },
  ]);
});

test('what is wrong and what to do are separate, although a name has a colon', () => {
  const measured = EvaluationSchema.parse({
    name: 'A lab of several hosts',
    urlLists: { pages: ['http://origin.test/'] },
    userAgents: [{ name: 'lab: 1', host: 'laptop', engine: 'extension', urlList: 'pages' }],
    scenarios: [
      { name: 'direct', baseline: true },
      { name: 'proxy', browser: { proxy: 'http://proxy.test' } },
    ],
  });
  const found = checkReadiness(measured, [agent('laptop', { engines: [{ engine: 'extension', version: '150' }] })]);
  const [unsupported] = found.filter(({ text }) => text.includes('is not supported'));
  expect(unsupported).toMatchObject({
    text: 'proxy: proxy is not supported by extension, the engine of "lab: 1"',
    fix: expect.stringMatching(/^Leave it out, or choose /) as string,
  });
});

test('packets of pages at the host’s own addresses are promised to nobody', () => {
  const textsOf = (url: string, network: object = {}) =>
    checkReadiness(
      EvaluationSchema.parse({
        name: 'At home',
        urlLists: { pages: [url] },
        userAgents: [{ name: 'ann', host: 'laptop', urlList: 'pages' }],
        scenarios: [
          { name: 'one', baseline: true, ...network },
          { name: 'two', ...network, browser: { userAgentString: 'x' } },
        ],
        capture: { isolate: true },
      }),
      [agent('laptop', { interfaces: [{ name: 'eth0', addresses: ['192.0.2.7', '2001:db8::7'] }] })],
    ).map(({ text }) => text);
  const refused = 'Pages of ann are at their own host, so their packets are not captured';
  for (const url of ['http://localhost:8080/', 'http://127.0.0.1/', 'http://192.0.2.7:81/', 'http://[2001:db8::7]/'])
    expect(textsOf(url)).toContain(refused);
  expect(textsOf('http://192.0.2.8/')).toContain('Packets of every User Agent are captured');
});
