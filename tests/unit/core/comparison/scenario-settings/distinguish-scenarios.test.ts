import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ScenarioSchema } from '#core/evaluation/scenarios/scenario.ts';
import { listSharedSettings } from '#core/comparison/compute-comparison.ts';
import { compareSettings, differencesOf, pageLoad, type Settings } from './support/compare-settings.ts';
import { distinguishScenarios } from '#core/comparison/scenario-settings/distinguish-scenarios.ts';

describe('in what a Scenario differs from the baseline', () => {
  test('hosts are reported with what they have, and where their names are kept', () => {
    const network = { link: 'geo-1m', hosts: [{ name: 'a.test' }] };
    const far = { link: 'geo-1m', hosts: [{ name: 'a.test', delayMs: 40 }], dnsCache: 'terminal' };
    expect(differencesOf({ network }, { network: far })).toEqual([
      'Hosts: a.test (h2 http/1.1) → a.test (40 ms, h2 http/1.1)',
      'DNS cache: none → at the users, behind the link',
    ]);
  });

  test('the browser’s settings are reported in the words of the field', () => {
    expect(differencesOf({ browser: { protocols: ['http/1.1'] } }, {})).toEqual([
      'HTTP versions: http/1.1 → browser default',
    ]);
    expect(
      differencesOf(
        {},
        {
          browser: {
            proxy: 'http://proxy.test:3128',
            connectionsPerOrigin: 2,
            cache: 'warm',
            viewport: { widthPx: 390, heightPx: 844 },
            deviceScaleRatio: 3,
          },
        },
      ),
    ).toEqual([
      'Proxy: none → http://proxy.test:3128',
      'Connections per origin: browser default → 2',
      'Cache: cold → warm',
      'Viewport: 1366 × 768 px → 390 × 844 px',
      'Device pixel ratio: 1 → 3',
    ]);
  });

  test('switches and preferences are reported one by one, those that are alike not at all', () => {
    expect(
      differencesOf(
        { browser: { flags: ['--disable-http2', '--lang=en'], prefs: { 'network.http.http3.enable': false } } },
        {
          browser: {
            flags: ['--lang=de', '--disable-http2'],
            prefs: { 'network.http.http3.enable': true, 'image.avif.enabled': 'no' },
          },
        },
      ),
    ).toEqual([
      'Chrome switch --lang: en → de',
      'Firefox preference network.http.http3.enable: false → true',
      'Firefox preference image.avif.enabled: not set → "no"',
    ]);
  });

  test('the emulated link, its shares and TCP are reported', () => {
    expect(
      differencesOf(
        { network: { link: 'geo-256k' } },
        {
          network: {
            link: { preset: 'cable', return: { lossRatio: 0.01, lossBurstPackets: 4, queueBytes: 30_000 } },
            classes: { silver: 0.4, gold: 0.6 },
            tcp: { remote: { congestionControl: 'hybla', fastOpen: true, receiveBufferBytes: 131_072, ecn: false } },
            background: [{ kind: 'bulk-download', users: 2 }, { kind: 'voice' }],
          },
        },
      ),
    ).toEqual([
      'Emulated link: geo-256k: 256 kb/s, 300 ms each way → cable with changes: forward 5 Mb/s, 14 ms; return 1 Mb/s, 14 ms, 1 % lost in bursts of 4, queue 30000 bytes',
      'Shares of the link by user class: none: users compete freely → gold 0.6, silver 0.4',
      'TCP variant at the users (remote): kernel default → hybla',
      'TCP Fast Open at the users (remote): kernel default → on',
      'TCP receive window at the users (remote): kernel default → at most 131072 bytes',
      'ECN at the users (remote): kernel default → off',
      'Background load: not set → bulk-download 2, voice 1',
    ]);
    expect(
      differencesOf({ network: { link: 'none' } }, { network: { link: 'none', tunnel: { kind: 'wireguard' } } }),
    ).toEqual(['Tunnel: not set → WireGuard from user to origin']);
    expect(differencesOf({ network: { link: 'none' } }, { network: { link: 'none', host: 'other' } })).toEqual([
      'Host of the emulated network: testbed → other',
    ]);
  });

  test('scripts are reported with their host, whole, and as scripts', () => {
    const setUp = [{ host: 'ground', script: 'sysctl -w x=1\nsysctl -w y=2\n' }];
    expect(compareSettings({}, { setUp })).toEqual([
      { setting: 'Set-up scripts', baseline: 'none', own: '# on ground\nsysctl -w x=1\nsysctl -w y=2', isScript: true },
    ]);
    expect(differencesOf({ setUp }, { setUp: [{ ...setUp[0], timeoutMs: 500 }] })[0]).toMatch(
      /for at most 60000 ms[^→]+ → .*for at most 500 ms/s,
    );
  });

  test('what takes effect alike is no difference, however it is written', () => {
    expect(
      differencesOf(
        { browser: { protocols: ['h2', 'http/1.1'] } },
        {
          browser: {
            protocols: ['http/1.1', 'h2'],
            pipeliningDepth: 1,
            deviceScaleRatio: 1,
            viewport: { widthPx: 1366, heightPx: 768 },
          },
        },
      ),
    ).toEqual([]);
  });

  test('two traces of the same peak are distinguished, and long texts are cut around the place where they part', () => {
    const link = (atMs: number) => ({
      network: {
        link: {
          preset: '3g',
          forward: {
            rateTrace: { steps: [...Array.from({ length: 2000 }, (_, index) => [index * 10, 50]), [atMs, 60]] },
          },
        },
      },
    });
    const [difference] = compareSettings(link(30_000), link(40_000));
    expect(difference?.baseline).toContain('[30000,60]');
    expect(difference?.own).toContain('[40000,60]');
    expect(difference!.own.length).toBeLessThan(2100);
  });

  test.for([
    ['begins', 20, 0],
    ['begins', 1_799, 0],
    ['is cut 200 characters before', 1_800, 1_600],
    ['is cut 200 characters before', 9_000, 8_800],
  ] as const)('a long text in a report %s where it parts from the other, at %i', ([, parting, from]) => {
    const head = '# on ground\n';
    const within = (end: string) => {
      const alike = Array.from({ length: parting - head.length }, (_, index) => index % 10).join('');
      return { setUp: [{ host: 'ground', script: `${alike}${end.repeat(3000)}` }] };
    };
    const [difference] = compareSettings(within('a'), within('b'));
    const shownOf = (end: string) =>
      `${from > 0 ? '… ' : ''}${`${head}${within(end).setUp[0]!.script}`.slice(from, from + 2000)} …`;
    expect([difference!.baseline, difference!.own]).toEqual([shownOf('a'), shownOf('b')]);
  });
});

test('what was set for all Scenarios alike is reported too, what nobody set is not', () => {
  const own = (name: string, change: Settings) =>
    ScenarioSchema.parse({
      name,
      baseline: name === 'before',
      browser: { flags: ['--lang=de'], ...change },
      network: { link: 'geo-1m' },
    });
  expect(
    listSharedSettings({ pageLoad, scenarios: [own('before', { protocols: ['http/1.1'] }), own('after', {})] }).map(
      ({ setting, words }) => `${setting}: ${words}`,
    ),
  ).toEqual([
    'Chrome switch --lang: de',
    'Emulated link: geo-1m: 1 Mb/s, 300 ms each way',
    'Host of the emulated network: testbed',
  ]);
});

test('of any two Scenarios, what is reported of both differs, and a Scenario differs in nothing from its like', () => {
  const text = fc.oneof(
    fc.string({ minLength: 1, maxLength: 40 }),
    fc.constantFrom('none', 'not set', '# on ground\nx', '<img src=x>'),
  );
  const scripts = fc.array(
    fc.record({ host: fc.constantFrom('ground', 'proxy'), script: text, timeoutMs: fc.constantFrom(500, 60_000) }),
    { maxLength: 2 },
  );
  const settings = fc.record({
    browser: fc.record({
      flags: fc.array(fc.constantFrom('--a', '--a=', '--a=set', '--a=1, 2', '--b=1', '--b'), { maxLength: 3 }),
      prefs: fc.dictionary(fc.constantFrom('a.b', 'c'), fc.oneof(fc.boolean(), fc.integer(), text), { maxKeys: 2 }),
      userAgentString: fc.constantFrom('none', 'a', undefined),
    }),
    network: fc.record({
      link: fc.constantFrom('none', 'cable', { preset: 'cable' }, { preset: 'cable', forward: { jitterMs: 1 } }),
      classes: fc.option(
        fc.dictionary(fc.constantFrom('gold', 'silver', 'gold 1, silver'), fc.integer({ min: 1, max: 3 }), {
          minKeys: 1,
          maxKeys: 2,
        }),
        { nil: undefined },
      ),
    }),
    setUp: scripts,
    tearDown: scripts,
  });
  fc.assert(
    fc.property(settings, settings, (one, other) => {
      for (const { baseline, own } of compareSettings(one, other)) expect(baseline).not.toBe(own);
      expect(compareSettings(one, one)).toEqual([]);
    }),
  );
});

test('the link of a Scenario is reported with its queues, chosen or not', () => {
  const linkOf = (network?: Settings) =>
    distinguishScenarios({ scenarios: [ScenarioSchema.parse({ name: 'x', baseline: true, network })], pageLoad })[0]!
      .link;
  const link = {
    forward: { rateKbps: 8000, delayMs: 300 },
    return: { rateKbps: 256, delayMs: 300, queueBytes: 30_000 },
  };
  expect(linkOf({ link })).toBe('forward 8 Mb/s, 300 ms, queue 600 kB; return 256 kb/s, 300 ms, queue 30 kB');
  expect(linkOf()).toBeUndefined();
});
