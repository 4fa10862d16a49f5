import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import {
  listSettingsInBrowserOfPerson,
  listSettingsOfStartedExtension,
} from '#core/evaluation/browser/engine-settings.ts';
import { expandUrlEntry } from '#core/evaluation/pages/url-entry.ts';
import { engineNames, type Engine } from '#core/evaluation/users/user-agent.ts';
import type { AgentSummary } from '#core/protocol/api/access.ts';
import { listMeasurers } from '#web-ui/src/pages/evaluation/list-measurers.ts';
import {
  comparisonKinds,
  comparisons,
  findFirstComparison,
  findTestbed,
  testbedCommand,
} from '#web-ui/src/pages/new-evaluation/comparisons.ts';
import { describeStudies } from '#web-ui/src/pages/new-evaluation/study-list.tsx';
import {
  parseAddresses,
  writeFirstEvaluation,
  suggestTestPages,
} from '#web-ui/src/pages/new-evaluation/write-first-evaluation.ts';
import { hostFacts } from '../../support/sample-host-facts.ts';

const agent = (name: string, engines: Engine[], isConnected = true): AgentSummary => ({
  name,
  isConnected,
  agentVersion: '0.1.0',
  lastSeenAt: '2026-11-22T12:00:00.000Z',
  clockOffsetMs: 0,
  clockErrorMs: 0,
  tokenSharedWith: 0,
  facts: { ...hostFacts, engines: engines.map((engine) => ({ engine, version: '1' })) },
});

test('real browsers come before the client that shows nothing, and hosts that are gone do not come', () => {
  const agents = [
    agent('ground', ['http']),
    agent('remote', ['http', 'firefox', 'chrome']),
    agent('gone', ['chrome'], false),
  ];
  expect(listMeasurers(agents).map(({ host, engine }) => `${engine} on ${host}`)).toEqual([
    'chrome on remote',
    'firefox on remote',
    'http on ground',
    'http on remote',
  ]);
});

test('a testbed and the ends of HTTPEP are there while their hosts are connected', () => {
  const [ground, remote] = [agent('ground', []), agent('remote', [])];
  const testbed = agent('here', []);
  testbed.facts = { ...testbed.facts, testbed: {} as AgentSummary['facts']['testbed'] };
  const away = (one: AgentSummary) => ({ ...one, isConnected: false });
  expect(findTestbed([agent('laptop', []), testbed, ground, remote])).toEqual({ testbed: 'here', hasHttpepEnds: true });
  expect(findTestbed([testbed, ground, away(remote)])).toEqual({ testbed: 'here', hasHttpepEnds: false });
  expect(findTestbed([away(testbed), remote])).toEqual({ testbed: null, hasHttpepEnds: false });
});

const answers = {
  urls: [{ url: 'https://origin.test/{1..3}' }],
  proxy: 'http://proxy.test:3128',
  links: ['cable', 'geo-1m'] as const,
  host: 'laptop: "mine"',
  origin: null,
  hasHttpepEnds: true,
  userCount: 3,
  takenNames: [],
};

test.for(comparisonKinds.flatMap((kind) => engineNames.map((engine) => [kind, engine] as const)))(
  'the comparison "%s" with the engine %s is offered exactly where it makes an Evaluation that can run',
  ([kind, engine]) => {
    const all = { ...answers, kind, engine, testbed: 'testbed' };
    const parsed = EvaluationSchema.safeParse(parse(writeFirstEvaluation(all)));
    expect(parsed.success).toBe(comparisons[kind].explainAbsence(all) === null);
    if (!parsed.success) return;
    const { userAgents, scenarios, artefacts, repetition } = parsed.data;
    // On by default where they can be made, in a Block that no figure includes.
    expect([artefacts.filmstrip, repetition.warmUp]).toEqual([engine === 'chrome' ? 'warm-up' : false, true]);
    expect(userAgents.map((user) => [user.name, user.host, user.engine])).toEqual(
      [1, 2, 3].map((number) => [`User ${number}`, 'laptop: "mine"', engine]),
    );
    expect(scenarios.map(({ baseline }) => baseline)).toEqual([true, false]);
    const [one, other] = scenarios.map(({ browser, network, httpep }) => JSON.stringify([browser, network, httpep]));
    expect(one === other).toBe(kind === 'own');
  },
);

test('the comparison that is chosen at first can be had with any engine', () => {
  expect(engineNames.map((engine) => findFirstComparison({ ...answers, engine, testbed: null }))).toEqual([
    'protocols',
    'protocols',
    'protocols',
    'protocols',
  ]);
  expect(findFirstComparison({ ...answers, engine: 'extension', settings: [], testbed: null })).toBe('own');
  expect(findFirstComparison({ ...answers, engine: 'extension', settings: ['proxy'], testbed: null })).toBe('proxy');
});

test('images are left out in the way that the extension has on the chosen host: blocked where it can do no more', () => {
  const withoutImages = (settings: readonly string[]) =>
    comparisons.images.scenarios({ ...answers, engine: 'extension', settings, testbed: null })[1].browser;
  expect(withoutImages(listSettingsInBrowserOfPerson({ mayUseProxies: false }))).toEqual({
    blockedRequests: ['image'],
  });
  expect(withoutImages(listSettingsOfStartedExtension('firefox'))).toHaveProperty('prefs');
  expect(withoutImages(listSettingsOfStartedExtension('chrome'))).toHaveProperty('flags');
});

test('test pages are suggested by HTTPS only where HTTP versions are compared, which then trusts their key and has the number of images as a variable', () => {
  const trustedKey = `${'A'.repeat(43)}=`;
  const origin = { httpUrl: 'http://127.0.0.1:8421', http2Url: 'https://127.0.0.1:8422', trustedKey };
  const outlines = comparisonKinds.map((kind) => {
    const urls = parseAddresses(suggestTestPages(origin, kind), { comparesProtocols: kind === 'protocols' });
    const all = { ...answers, kind, urls, origin, engine: 'firefox' as const, testbed: 'testbed' };
    const { urlLists, scenarios } = EvaluationSchema.parse(parse(writeFirstEvaluation(all)));
    const pages = Object.values(urlLists).flat().flatMap(expandUrlEntry);
    expect(pages.map(({ variables }) => variables)).toEqual([5, 15, 25].map((images) => ({ images })));
    return [kind, new URL(pages[0]!.url).port, ...scenarios.map(({ browser }) => browser.trustedKeys.length)];
  });
  expect(outlines).toEqual(
    comparisonKinds.map((kind) => (kind === 'protocols' ? [kind, '8422', 1, 1] : [kind, '8421', 0, 0])),
  );
});

test('links and HTTPEP are compared only where a testbed is, and the page names the command that starts one', () => {
  const none = { ...answers, engine: 'chrome' as const, testbed: null, hasHttpepEnds: false };
  expect(comparisons.links.explainAbsence(none)).toContain('Needs a testbed');
  expect(comparisons.httpep.explainAbsence(none)).toContain('Needs a testbed');
  expect(testbedCommand).toBe('./http-ae testbed up geo-1m --join --origin');
});

test('HTTPEP is compared over the link of the testbed, both Scenarios alike', () => {
  const all = { ...answers, kind: 'httpep' as const, engine: 'firefox' as const, testbed: 'testbed' };
  const { scenarios } = EvaluationSchema.parse(parse(writeFirstEvaluation(all)));
  expect(scenarios.map(({ name, network, httpep }) => [name, network?.host, httpep?.remote.host])).toEqual([
    ['Direct', 'testbed', undefined],
    ['HTTPEP', 'testbed', 'remote'],
  ]);
  expect(scenarios[0]!.network).toEqual(scenarios[1]!.network);
});

test('a test page whose range was changed to none has no variable that it cannot fill', () => {
  const origin = {
    httpUrl: 'http://127.0.0.1:8421',
    http2Url: 'https://127.0.0.1:8422',
    trustedKey: 'A'.repeat(43) + '=',
  };
  const write = (url: string) =>
    writeFirstEvaluation({ ...answers, kind: 'own', engine: 'chrome', testbed: null, origin, urls: [{ url }] });
  expect(write(`${origin.httpUrl}/images/{5..25..10}`)).toContain('images: "{1}"');
  for (const range of ['{5..1', '{few,many}']) expect(write(`${origin.httpUrl}/images/${range}`)).not.toContain('{1}');
});

test('the studies say how many of them this machine can run, and why not where one reason says it', () => {
  const studies = (...obstacles: (string | null)[]) => describeStudies(obstacles.map((obstacle) => ({ obstacle })));
  expect(studies(null, null)).toBe('2 case studies of the papers. This machine can run all of them.');
  expect(studies('it needs root', 'it needs root')).toBe(
    '2 case studies of the papers. This machine can run 0 of them. Of the others: it needs root.',
  );
  expect(studies(null, 'it needs Firefox', 'it needs squid')).toBe(
    '3 case studies of the papers. This machine can run 1 of them.',
  );
});

test('every address without a scheme is https where HTTP versions are compared', () => {
  expect(
    parseAddresses('127.0.0.1:9182/images/5\nlocalhost/a\nhttp://origin.test/c', { comparesProtocols: true }).map(
      ({ url }) => url,
    ),
  ).toEqual(['https://127.0.0.1:9182/images/5', 'https://localhost/a', 'http://origin.test/c']);
});

test('an address without a scheme is https, that of this machine or by number http; what has one stays as it is, right or wrong', () => {
  const text =
    'origin.test/a\norigin.test:8443\nlocalhost:8080/b\n127.0.0.1:8080/d\n[::1]:80\nhttp://origin.test/c\nfile:///etc/passwd\nmailto:a@b';
  expect(parseAddresses(text, { comparesProtocols: false }).map(({ url }) => url)).toEqual([
    'https://origin.test/a',
    'https://origin.test:8443',
    'http://localhost:8080/b',
    'http://127.0.0.1:8080/d',
    'http://[::1]:80',
    'http://origin.test/c',
    'file:///etc/passwd',
    'mailto:a@b',
  ]);
});
