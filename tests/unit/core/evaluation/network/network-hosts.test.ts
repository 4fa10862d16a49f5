import { expect, test } from 'vitest';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { describeHosts, distanceOf, HostSchema } from '#core/evaluation/network/network-hosts.ts';
import { makeEvaluation } from '#tests/support/sample-evaluation.ts';

function explain(network: object): string[] {
  const scenarios = [{ name: 'direct', baseline: true, network: { link: 'geo-1m', ...network } }];
  const { error } = EvaluationSchema.safeParse({ ...makeEvaluation(), scenarios });
  return (error?.issues ?? []).map(({ path, message }) => `${path.slice(3).join('.')}: ${message}`);
}

test('a host speaks HTTP/2 and HTTP/1.1 at no distance unless it says otherwise', () => {
  const host = HostSchema.parse({ name: 'www.shop.test' });
  expect(host).toEqual({ name: 'www.shop.test', protocols: ['h2', 'http/1.1'] });
  expect(distanceOf(host)).toBeNull();
});

test.for([
  '198.19.0.1',
  '::1',
  'WWW.shop.test',
  'shop',
  'localhost',
  'a.localhost',
  '-a.test',
  'a_b.test',
  'a..test',
  'a.test.',
  `${'a'.repeat(64)}.test`,
])('%s is no name of a host', (name) => {
  expect(explain({ hosts: [{ name }] })).toEqual([expect.stringMatching(/^hosts\.0\.name: must /)]);
});

test('each host has a name of its own', () => {
  expect(explain({ hosts: [{ name: 'a.test' }, { name: 'b.test' }, { name: 'a.test' }] })).toEqual([
    'hosts.2.name: "a.test" is the name of host 1 of the list, too: each host has its own',
  ]);
  expect(explain({ hosts: [{ name: 'a.test' }, { name: 'b.test', aliases: ['c.test', 'a.test'] }] })).toEqual([
    'hosts.1.aliases.1: "a.test" is the name of host 1 of the list, too: each host has its own',
  ]);
  const aliases = Array.from({ length: 200 }, (_, index) => `h${index}.test`);
  expect(explain({ hosts: [{ name: 'a.test', aliases }] })).toEqual([
    'hosts: must have at most 200 names, and there are 201 with the aliases',
  ]);
});

test('a mistake in a host is reported where it is', () => {
  const wrong = { name: 'a.test', delayMs: -1, lossRatio: 2, rateKbps: 0, thinkTimeMs: '1s', protocols: ['h2', 'h2'] };
  expect(explain({ hosts: [wrong] }).map((each) => each.split(':')[0])).toEqual(
    ['delayMs', 'lossRatio', 'rateKbps', 'thinkTimeMs', 'protocols'].map((field) => `hosts.0.${field}`),
  );
  expect(explain({ hosts: [] })).toEqual(['hosts: must have at least one host']);
  expect(explain({ hosts: Array.from({ length: 201 }, (_, index) => ({ name: `h${index}.test` })) })).toEqual([
    'hosts: must have at most 200 hosts',
  ]);
});

test('a cache needs hosts, and hosts are not beyond a tunnel', () => {
  expect(explain({ dnsCache: 'terminal' })).toEqual([
    'dnsCache: keeps the addresses of "hosts", and there are none: add them, or remove it',
  ]);
  expect(explain({ hosts: [{ name: 'a.test' }], tunnel: { kind: 'wireguard' } })).toEqual([
    'hosts: are beyond the end of a tunnel, which carries the origin only: remove "hosts", or "tunnel"',
  ]);
  expect(explain({ hosts: [{ name: 'a.test' }], dnsCache: 'terminal', path: {}, tcpPep: {} })).toEqual([]);
});

test('a distance is that of a link, with its queue', () => {
  const host = HostSchema.parse({ name: 'a.test', delayMs: 50, lossRatio: 0.01, rateKbps: 8000 });
  expect(distanceOf(host)).toEqual({
    rate: { kind: 'constant', kbps: 8000 },
    delayMs: 50,
    lossRatio: 0.01,
    lossBurstPackets: null,
    jitterMs: 0,
    queueBytes: 100_000, // 8 Mb/s for 100 ms
  });
});

test('a report lists what each host has', () => {
  const hosts = [
    { name: 'a.test', delayMs: 20, lossRatio: 0.07, rateKbps: 8000, thinkTimeMs: 5, protocols: ['h3', 'h2'] },
    { name: 'b.test' },
  ].map((host) => HostSchema.parse(host));
  expect(describeHosts(hosts)).toBe('a.test (20 ms, 7 % loss, 8000 kb/s, thinks 5 ms, h3 h2), b.test (h2 http/1.1)');
});
