import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { listShared } from '#controller/runs/stored-runs.ts';

test('a Run shares its declared resources, and the hosts of the URLs and proxies that it uses', () => {
  const evaluation = EvaluationSchema.parse({
    name: 'Shared',
    resources: ['uplink', 'origin-1'],
    urlLists: {
      pages: ['http://origin.test:8080/{1..500}', 'https://{a,b}.test/x?y', '{origin}/page', 'http://127.0.0.1/here'],
      unused: ['http://unused.test/'],
    },
    userAgents: [{ name: 'alice', host: 'laptop', urlList: 'pages' }],
    scenarios: [
      { name: 'direct', baseline: true, variables: { origin: 'http://one.test' } },
      {
        name: 'proxy',
        variables: { origin: 'http://[2001:db8::1]:81' },
        browser: { proxy: 'socks5://proxy.test:1080' },
      },
      {
        name: 'script',
        variables: { origin: 'http://one.test' },
        browser: {
          pac: 'function FindProxyForURL(url, host) { return "PROXY pac.test:3128; SOCKS5 [::1]:1080; DIRECT"; }',
        },
      },
    ],
  });
  expect(listShared(evaluation).sort()).toEqual(
    [
      'resource:uplink',
      'resource:origin-1',
      ...['origin.test', 'a.test', 'b.test', 'one.test', '[2001:db8::1]', 'proxy.test', 'pac.test'].map(
        (host) => `origin:${host}`,
      ),
    ].sort(),
  );
});

test.for([
  [['a', 'a'], 'must name each resource once'],
  ['origin-1', 'must be a list of names'],
  [Array.from({ length: 21 }, (_, index) => `r${index}`), 'must have at most 20 resources'],
] as const)('resources %j are refused', ([resources, message]) => {
  const { error } = EvaluationSchema.safeParse({
    name: 'Shared',
    resources,
    urlLists: { pages: ['http://origin.test/'] },
    userAgents: [{ name: 'alice', host: 'laptop', urlList: 'pages' }],
    scenarios: [{ name: 'direct', baseline: true }],
  });
  expect(error?.issues).toMatchObject([{ path: ['resources'], message }]);
});
