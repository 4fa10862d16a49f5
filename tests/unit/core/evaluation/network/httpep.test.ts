import { expect, test } from 'vitest';
import { browserOf, placeOfSetting } from '#core/evaluation/browser/browser-of.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { explainUnsupportedSettings } from '#core/evaluation/browser/explain-unsupported-settings.ts';
import { hostsOf } from '#controller/runs/hosts-of.ts';

const gold = { name: 'alice', host: 'user1', urlList: 'pages', userClass: 'gold', sourceAddress: '198.19.1.1' };

const key = `${'K'.repeat(43)}=`;

function check(scenario: object, ...userAgents: object[]) {
  const { data, error } = EvaluationSchema.safeParse({
    name: 'Direct and HTTPEP',
    urlLists: { pages: ['http://origin.test/'] },
    userAgents: userAgents.length > 0 ? userAgents : [gold],
    scenarios: [
      { name: 'direct', baseline: true },
      { name: 'HTTPEP', ...scenario },
    ],
  });
  const problems = error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? [];
  return { evaluation: data, problems };
}

test('HTTPEP is the proxy of its Scenario, and its ends are hosts of the Run', () => {
  const { evaluation, problems } = check({ httpep: { classes: { gold: 1 } } });
  expect(problems).toEqual([]);
  const [direct, httpep] = evaluation!.scenarios;
  expect(browserOf(direct!).proxy).toBeUndefined();
  expect(browserOf(httpep!).proxy).toBe('http://198.19.0.2:3128');
  expect(hostsOf(evaluation!, httpep!)).toEqual(expect.arrayContaining(['ground', 'remote']));
  expect(hostsOf(evaluation!, direct!)).not.toContain('ground');
});

test('where HTTPEP ends TLS, the browsers of its Scenario trust its key besides their own, and those of others do not', () => {
  const { evaluation, problems } = check({ httpep: { tls: 'terminate' }, browser: { trustedKeys: [key] } });
  expect(problems).toEqual([]);
  const [direct, httpep] = evaluation!.scenarios;
  const ofRound = `${'R'.repeat(43)}=`;
  expect(browserOf(httpep!, ofRound).trustedKeys).toEqual([key, ofRound]);
  expect(browserOf(direct!, ofRound).trustedKeys).toEqual([]);
  expect(browserOf({ ...httpep!, httpep: { ...httpep!.httpep!, tls: 'untouched' } }, ofRound).trustedKeys).toEqual([
    key,
  ]);
});

test('an engine that cannot trust a key cannot have its TLS ended', () => {
  const [scenario] = check({ httpep: { tls: 'terminate' } }).evaluation!.scenarios.slice(1);
  // A person's browser, by the extension.
  const ann = { name: 'ann', engine: 'extension' as const, settings: ['proxy'] };
  const [unsupported] = explainUnsupportedSettings(browserOf(scenario!), [ann]);
  expect(placeOfSetting(scenario!, unsupported!.setting)).toEqual(['httpep', 'tls']);
  expect(unsupported!.message).toContain('choose an engine that supports it: chrome, firefox, http');
});

test.each([
  [{ httpep: {}, browser: { proxy: 'http://10.0.0.1:80' } }, gold, 'HTTPEP is the proxy of this Scenario'],
  [{ httpep: { classes: { silver: 1 } } }, gold, 'no User Agent has this class'],
  [{ httpep: { classes: { gold: 1 } } }, { ...gold, userClass: undefined }, 'has none of these classes'],
  [{ httpep: { classes: { gold: 1 } } }, { ...gold, sourceAddress: undefined }, 'needs a "sourceAddress"'],
  [{ httpep: { classes: { gold: 1 } } }, { ...gold, host: 'remote' }, 'need the address of User Agent "alice"'],
  [{ httpep: { classes: { gold: 1001 } } }, gold, 'must be at most 1000'],
  [{ httpep: { paceRatio: 0.49 } }, gold, 'must be at least 0.5'],
  [{ httpep: { paceRatio: 97 } }, gold, 'must be at most 1'],
  [{ httpep: { connections: 17 } }, gold, 'must be at most 16'],
  [{ httpep: { scheduler: 'first' } }, gold, 'must be one of fair, turns, least-service-first, round-robin, fifo'],
  [{ httpep: { remote: { address: 'proxy.test:3128' } } }, gold, 'must be an address with a port'],
  [{ httpep: { remote: { address: '300.1.1.1:3128' } } }, gold, 'must be an address with a port'],
  [{ httpep: { ground: { address: '10.0.0.1:70000' } } }, gold, 'must be an address with a port'],
  [{ httpep: { clients: ['10.0.0.0/40'] } }, gold, 'must be an address or a network'],
  [{ httpep: { tls: 'ended' } }, gold, 'must be one of untouched, terminate'],
  [
    { httpep: { tls: 'terminate' }, browser: { trustedKeys: Array.from({ length: 64 }, () => key) } },
    gold,
    'must have at most 63 keys',
  ],
  [{ httpep: { clients: [] } }, gold, 'must name at least one'],
])('%j is refused', (scenario, userAgent, words) => {
  expect(check(scenario, userAgent).problems.join('\n')).toContain(words);
});

test('users on the host of HTTPEP are one user to it, and are refused', () => {
  const [alice, bob] = ['alice', 'bob'].map((name) => ({ ...gold, name, host: 'remote' }));
  expect(check({ httpep: {} }, alice!).problems).toEqual([]);
  expect(check({ httpep: {} }, alice!, bob!).problems.join()).toContain('takes "alice", "bob" for one user');
  expect(check({ httpep: {} }, gold, { ...gold, name: 'bob', host: 'user2' }).problems).toEqual([]);
});
