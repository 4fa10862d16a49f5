import { expect, test } from 'vitest';
import { ReplaySchema } from '#core/evaluation/network/replay.ts';
import { composeHosts, outlineSite } from '#core/site/compose-hosts.ts';
import type { SiteHost, SiteProtocol } from '#core/site/site.ts';
import { makeSite } from './support/make-site.ts';

const host = (name: string, connectMs: number | null = 20, protocols: SiteProtocol[] = ['h2']): SiteHost => ({
  name,
  address: null,
  connectMs,
  certificateNames: [],
  certificateChain: null,
  protocols,
});
/** A Site with a page at the first of these hosts, which loads something of each. */
const siteOf = (hosts: SiteHost[], pageUrl = `https://${hosts[0]!.name}/`) =>
  makeSite(
    hosts.map(({ name, protocols }) => ({ url: `https://${name}/`, protocol: protocols.at(-1)! })),
    { hosts, pages: [{ number: 1, url: pageUrl, title: '', visits: [] }] },
  );
const compose = (hosts: SiteHost[], replay: object = {}, pageUrl?: string) =>
  composeHosts([{ name: 'shop', site: siteOf(hosts, pageUrl), pages: [1] }], ReplaySchema.parse(replay));

test('a host of the recording is half its connect time away, with the newest protocol that it spoke and older ones', () => {
  const recorded = [host('a.test'), host('b.test', null, ['h3']), host('c.test', 1, ['http/1.1'])];
  expect(compose(recorded)).toEqual([
    { name: 'a.test', delayMs: 10, protocols: ['h2', 'http/1.1'] },
    { name: 'b.test', delayMs: 0, protocols: ['h3', 'h2', 'http/1.1'] },
    { name: 'c.test', delayMs: 0.5, protocols: ['http/1.1'] },
  ]);
  expect(compose([host('a.test')], { distance: 3, protocol: 'http/1.1' })).toEqual([
    { name: 'a.test', delayMs: 30, protocols: ['http/1.1'] },
  ]);
  expect(compose([host('a.test')], { distance: 'none', protocol: 'h3' })[0]).toMatchObject({
    delayMs: 0,
    protocols: ['h3', 'h2', 'http/1.1'],
  });
});

test('a host that offered HTTP/3, and spoke HTTP/2, is replayed with HTTP/2', () => {
  expect(compose([host('a.test', 20, ['h3', 'h2'])])).toMatchObject([{ protocols: ['h2', 'http/1.1'] }]);
});

test('names that had one address and one certificate are one host', () => {
  const certificateNames = ['shop.test', '*.shop.test'];
  const at = (name: string, address: string | null, more: Partial<SiteHost> = {}): SiteHost => ({
    ...host(name),
    address,
    certificateNames,
    ...more,
  });
  const recorded = [
    at('shop.test', '192.0.2.1'),
    at('img.shop.test', '192.0.2.1', { connectMs: 21 }),
    at('api.shop.test', '192.0.2.2'),
    at('a.img.shop.test', '192.0.2.1'),
    at('old.shop.test', '192.0.2.1', { protocols: ['http/1.1'] }),
    at('own.shop.test', '192.0.2.1', { certificateNames: ['own.shop.test'] }),
    at('dark.shop.test', null),
  ];
  expect(compose(recorded)).toEqual([
    { name: 'shop.test', aliases: ['img.shop.test'], delayMs: 10, protocols: ['h2', 'http/1.1'] },
    ...['api', 'a.img'].map((name) => ({
      name: `${name}.shop.test`,
      delayMs: 10,
      protocols: ['h2', 'http/1.1'],
    })),
    { name: 'old.shop.test', delayMs: 10, protocols: ['http/1.1'] },
    ...['own', 'dark'].map((name) => ({ name: `${name}.shop.test`, delayMs: 10, protocols: ['h2', 'http/1.1'] })),
  ]);
});

test('hosts that no replayed page needs, and those that no DNS can name, are left out', () => {
  const site = makeSite(
    [{ url: 'https://a.test/' }, { url: 'https://b.test/', page: 2 }, { url: 'http://192.0.2.1/' }],
    {
      hosts: [host('a.test'), host('b.test'), host('192.0.2.1')],
    },
  );
  const hosts = composeHosts([{ name: 'shop', site, pages: [1] }], ReplaySchema.parse({}));
  expect(hosts.map(({ name }) => name)).toEqual(['a.test']);
});

test.for([
  ['192.0.2.1', 'https://192.0.2.1/'],
  ['localhost', 'https://localhost/'],
  ['a.test', 'https://a.test:8443/'],
])('a page at %s, as %s, cannot be replayed', ([name, pageUrl]) => {
  expect(() => compose([host(name!)], {}, pageUrl)).toThrow(/cannot be replayed: its address https:\/\//);
});

test('a host that would be farther away than a testbed can have it is refused, and not left out', () => {
  const recorded = [host('a.test'), host('far.test', 1300)];
  expect(() => compose(recorded, { distance: 100 })).toThrow(
    'The host far.test of the Site "shop" would be 65000 ms away, and a delay must be at most 60000 ms: choose a smaller network.replay.distance',
  );
  expect(compose(recorded, { distance: 90 })[1]).toMatchObject({ name: 'far.test', delayMs: 58_500 });
});

test('two Sites with one host are refused with both names, and so is a page that a Site does not have', () => {
  const site = siteOf([host('a.test')]);
  const both = ['one', 'two'].map((name) => ({ name, site, pages: [1] }));
  expect(() => composeHosts(both, ReplaySchema.parse({}))).toThrow(
    'The Sites "one" and "two" both have the host a.test',
  );
  expect(() => composeHosts([{ name: 'one', site, pages: [2] }], ReplaySchema.parse({}))).toThrow(
    'has no page 2: it has 1',
  );
});

test('two pages with one address are refused: nothing says which of them is loaded', () => {
  const pages = ['/home', '/home#end', '/other'].map((at, index) => ({
    number: index + 1,
    url: `https://a.test${at}`,
    title: '',
    visits: [],
  }));
  const site = makeSite([{ url: 'https://a.test/home' }], { hosts: [host('a.test')], pages });
  const of = (...numbers: number[]) => composeHosts([{ name: 'one', site, pages: numbers }], ReplaySchema.parse({}));
  expect(() => of(1, 2)).toThrow('Pages 1 and 2 of the Site "one" have one address');
  expect(of(1, 3)).toHaveLength(1);
});

test('more hosts than a testbed has are refused', () => {
  const sites = ['one', 'two'].map((name) => ({
    name,
    site: siteOf(Array.from({ length: 101 }, (_, index) => host(`w${index}.${name}.test`))),
    pages: [1],
  }));
  expect(() => composeHosts(sites, ReplaySchema.parse({}))).toThrow('202 hosts, more than the 200');
});

test('an outline gives the same hosts as the whole recording, with one exchange for each page, host and protocol', () => {
  const site = makeSite(
    [
      ...Array.from({ length: 50 }, (_, index) => ({ url: `https://a.test/${index}` })),
      { url: 'https://a.test/old', protocol: 'http/1.1' },
      { url: 'https://b.test/', page: 2 },
      { url: 'https://c.test/', visit: 2 },
    ],
    { pages: [1, 2].map((number) => ({ number, url: `https://${'ab'[number - 1]}.test/`, title: '', visits: [] })) },
  );
  const outline = outlineSite(site);
  expect(outline.exchanges).toEqual([
    { url: 'https://a.test', page: 1, visit: 1, protocol: 'h2' },
    { url: 'https://a.test', page: 1, visit: 1, protocol: 'http/1.1' },
    { url: 'https://b.test', page: 2, visit: 1, protocol: 'h2' },
  ]);
  const composed = (from: typeof outline) =>
    composeHosts([{ name: 'shop', site: from, pages: [1, 2] }], ReplaySchema.parse({}));
  expect(composed(outline)).toEqual(composed(site));
});
