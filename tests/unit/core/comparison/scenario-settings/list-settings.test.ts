import { expect, test } from 'vitest';
import { differencesOf, type Settings } from './support/compare-settings.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';
import { HttpepSchema } from '#core/evaluation/network/httpep.ts';
import { NetworkSchema } from '#core/evaluation/network/network.ts';
import { ReplaySchema } from '#core/evaluation/network/replay.ts';
import { TcpPepSchema } from '#core/evaluation/network/tcp-pep.ts';
import { TcpSettingsSchema } from '#core/evaluation/network/tcp-settings.ts';

const pac = (proxy: string) => `function FindProxyForURL() { return '${proxy}'; }`;

/** Two values of every setting, and what a report says of one against the other. */
const families: [
  string,
  object,
  (settings: Settings) => Settings,
  Record<string, [unknown, unknown, string | null]>,
][] = [
  [
    'browser',
    BrowserSettingsSchema.shape,
    (browser) => ({ browser }),
    {
      proxy: ['http://a.test:1', 'http://b.test:1', 'Proxy: http://a.test:1 → http://b.test:1'],
      pac: [
        pac('DIRECT'),
        pac('PROXY a'),
        `Proxy auto-configuration script (PAC): ${pac('DIRECT')} → ${pac('PROXY a')}`,
      ],
      flags: [['--a=1'], ['--a=2'], 'Chrome switch --a: 1 → 2'],
      prefs: [{ a: 1 }, { a: 'x' }, 'Firefox preference a: 1 → "x"'],
      protocols: [['h2'], ['http/1.1', 'h2'], 'HTTP versions: h2 → http/1.1, h2'],
      connectionsPerOrigin: [2, 6, 'Connections per origin: 2 → 6'],
      pipeliningDepth: [1, 4, 'Pipelining depth: 1 (no pipelining) → 4'],
      http2Streams: [10, 100, 'HTTP/2 streams: 10 → 100'],
      userAgentString: ['a', 'b', 'User-Agent header: a → b'],
      blockedRequests: [['image'], ['script', 'image'], 'Blocked requests: image → image, script'],
      cache: ['warm', 'cold', 'Cache: warm → cold'],
      viewport: [
        { widthPx: 400, heightPx: 800 },
        { widthPx: 800, heightPx: 400 },
        'Viewport: 400 × 800 px → 800 × 400 px',
      ],
      deviceScaleRatio: [2, 3, 'Device pixel ratio: 2 → 3'],
      trustedKeys: [['testbed'], [], 'Trusted certificate keys: testbed → none'],
    },
  ],
  [
    'network',
    NetworkSchema.shape,
    (network) => ({ network: { link: 'geo-1m', ...network } }),
    {
      host: ['one', 'two', 'Host of the emulated network: one → two'],
      link: [
        'geo-1m',
        'geo-256k',
        'Emulated link: geo-1m: 1 Mb/s, 300 ms each way → geo-256k: 256 kb/s, 300 ms each way',
      ],
      path: [
        {},
        { access: 'cable' },
        'Path: users — terminal — link — gateway — origins → users — cable: forward 5 Mb/s, 14 ms; return 1 Mb/s, 14 ms — terminal — link — gateway — origins',
      ],
      classes: [
        { gold: 0.5, base: 0.5 },
        { gold: 0.6, base: 0.4 },
        'Shares of the link by user class: base 0.5, gold 0.5 → base 0.4, gold 0.6',
      ],
      weights: [{ gold: 2 }, { gold: 3 }, 'Intended shares by user class: gold 2 → gold 3'],
      background: [[{ kind: 'voice' }], [{ kind: 'voice', users: 2 }], 'Background load: voice 1 → voice 2'],
      tunnel: [
        { kind: 'wireguard' },
        { kind: 'openvpn', from: 'terminal', to: 'gateway' },
        'Tunnel: WireGuard from user to origin → OpenVPN from terminal to gateway',
      ],
      hosts: [
        [{ name: 'a.test' }],
        [{ name: 'a.test', delayMs: 40 }],
        'Hosts: a.test (h2 http/1.1) → a.test (40 ms, h2 http/1.1)',
      ],
      // Without hosts there are no names; TCP, the PEP and the replay follow below.
      dnsCache: ['none', 'terminal', null],
      tcp: [{}, {}, null],
      tcpPep: [{}, {}, null],
      replay: [{}, {}, null],
    },
  ],
  [
    'transport PEP',
    TcpPepSchema.shape,
    (tcpPep) => ({ network: { link: 'geo-1m', path: {}, tcpPep } }),
    {
      at: ['terminal', 'gateway', 'Transport PEP: haproxy at the terminal → haproxy at the gateway'],
      program: [
        'haproxy',
        'pepsal',
        'Transport PEP: haproxy at the terminal and the gateway → pepsal at the terminal and the gateway',
      ],
      congestionControl: [
        'bbr',
        'hybla',
        'Transport PEP: haproxy at the terminal and the gateway, bbr → haproxy at the terminal and the gateway, hybla',
      ],
      windowBytes: [
        8192,
        9000,
        'Transport PEP: haproxy at the terminal and the gateway, window 8192 bytes → haproxy at the terminal and the gateway, window 9000 bytes',
      ],
    },
  ],
  [
    'replay',
    ReplaySchema.shape,
    (replay) => ({ network: { link: 'geo-1m', replay } }),
    {
      thinkTime: ['none', 2, 'Replayed think time: none → 2 × recorded'],
      distance: ['recorded', 0.5, 'Replayed distance: recorded → 0.5 × recorded'],
      protocol: ['recorded', 'h2', 'Replayed protocol: recorded → h2'],
    },
  ],
];

test.for(families)('a difference in one setting of the %s is reported alone, in its words', ([, all, within, rows]) => {
  expect(Object.keys(rows).toSorted()).toEqual(Object.keys(all).toSorted());
  for (const [setting, [before, after, words]] of Object.entries(rows)) {
    const differences = differencesOf(within({ [setting]: before }), within({ [setting]: after }));
    expect(differences, setting).toEqual(words === null ? [] : [words]);
  }
});

test('a difference in TCP is reported with the side of the link', () => {
  const rows: Record<string, [unknown, unknown, string]> = {
    congestionControl: ['cubic', 'bbr', 'TCP variant SIDE: cubic → bbr'],
    initialWindowSegments: [10, 20, 'Initial window SIDE: 10 segments → 20 segments'],
    fastOpen: [true, false, 'TCP Fast Open SIDE: on → off'],
    mtuBytes: [1400, 1500, 'MTU SIDE: 1400 bytes → 1500 bytes'],
    receiveBufferBytes: [9000, 9001, 'TCP receive window SIDE: at most 9000 bytes → at most 9001 bytes'],
    sendBufferBytes: [9000, 9001, 'TCP send buffer SIDE: 9000 bytes → 9001 bytes'],
    slowStartAfterIdle: [true, false, 'Slow start after idle SIDE: on → off'],
    ecn: [false, true, 'ECN SIDE: off → on'],
  };
  expect(Object.keys(rows).toSorted()).toEqual(Object.keys(TcpSettingsSchema.shape).toSorted());
  for (const [side, name] of [
    ['ground', 'at the origin (ground)'],
    ['remote', 'at the users (remote)'],
  ] as const)
    for (const [setting, [before, after, words]] of Object.entries(rows)) {
      const within = (value: unknown) => ({ network: { link: 'geo-1m', tcp: { [side]: { [setting]: value } } } });
      expect(differencesOf(within(before), within(after))).toEqual([words.replace('SIDE', name)]);
    }
});

test('a difference in one setting of HTTPEP is reported, in its words', () => {
  const usual = '4 connections; scheduler fair; text brotli; images as they are; rate of the link';
  const rows: Record<string, [unknown, string]> = {
    connections: [1, usual.replace('4 connections', '1 connection')],
    scheduler: ['fifo', usual.replace('fair', 'fifo')],
    classes: [{ gold: 50, bronze: 20 }, usual.replace('fair', 'fair; weights gold 50, bronze 20')],
    rateKbps: [900, usual.replace('rate of the link', '900 kb/s')],
    paceRatio: [0.9, `${usual}; paced at 0.9 of it`],
    bundling: [false, usual.replace('fair', 'fair; no bundling')],
    text: ['none', usual.replace('brotli', 'none')],
    images: ['webp', usual.replace('images as they are', 'images with a loss (webp, quality 50)')],
    imageQuality: [10, ''],
    tls: ['terminate', usual.replace('as they are', 'as they are; TLS ended')],
    ground: [{ host: 'g' }, `${usual}; ground end 198.19.0.1:9000 on g, remote end 198.19.0.2:3128 on remote`],
    remote: [
      { address: '198.19.0.3:1' },
      `${usual}; ground end 198.19.0.1:9000 on ground, remote end 198.19.0.3:1 on remote`,
    ],
    clients: [['198.19.1.0/24'], ''],
  };
  expect(Object.keys(rows).toSorted()).toEqual(Object.keys(HttpepSchema.shape).toSorted());
  for (const [setting, [value, words]] of Object.entries(rows)) {
    const [difference, ...others] = differencesOf({ httpep: {} }, { httpep: { [setting]: value } });
    expect(others).toEqual([]);
    expect(difference, setting).toMatch(/^HTTPEP: .+ → /);
    if (words !== '') expect(difference!.split(' → ')[1]).toBe(words);
  }
  expect(differencesOf({ httpep: {} }, { httpep: { rateKbps: 'auto' } })[0]).toMatch(/rate estimated$/);
  expect(differencesOf({ httpep: {} }, {})).toEqual([`HTTPEP: ${usual} → not set`]);
});
