import { describe, expect, it, test } from 'vitest';
import {
  BrowserSettingsSchema,
  protocolNames,
  type BrowserSettings,
} from '#core/evaluation/browser/browser-settings.ts';
import { listSettingsOfStartedExtension } from '#core/evaluation/browser/engine-settings.ts';
import { EvaluationSchema } from '#core/evaluation/evaluation.ts';
import { explainUnsupportedSettings, mayUseProtocol } from '#core/evaluation/browser/explain-unsupported-settings.ts';
import { engineNames } from '#core/evaluation/users/user-agent.ts';

const pac = 'function FindProxyForURL(url, host) { return "DIRECT"; }';

function problemsOf(browser: object, engines: readonly string[] = ['chrome']): string[] {
  const result = EvaluationSchema.safeParse({
    name: 'Settings',
    urlLists: { pages: ['http://origin.test/'] },
    userAgents: engines.map((engine) => ({ name: `${engine} user`, host: 'laptop', urlList: 'pages', engine })),
    scenarios: [
      { name: 'plain', baseline: true },
      { name: 'set', browser },
    ],
  });
  return result.success ? [] : result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
}

describe('a setting of the browser', () => {
  it.each<[Partial<BrowserSettings>, string[]]>([
    [{ proxy: 'socks5://127.0.0.1:1080' }, ['chrome', 'firefox', 'http', 'extension']],
    [{ pac }, ['chrome', 'firefox', 'extension']],
    [{ protocols: ['http/1.1'] }, ['chrome', 'firefox', 'http', 'extension']],
    [{ protocols: ['h2', 'http/1.1'] }, ['chrome', 'firefox', 'http', 'extension']],
    [{ protocols: ['h2'] }, ['chrome', 'firefox', 'http', 'extension']],
    [{ protocols: ['h3'] }, ['chrome', 'firefox', 'extension']],
    [{ protocols: ['http/1.1', 'h2', 'h3'] }, ['chrome', 'firefox', 'extension']],
    [{ protocols: ['h2', 'h3'] }, []],
    [{ protocols: ['http/1.0'] }, ['http']],
    [{ connectionsPerOrigin: 2 }, ['firefox', 'http', 'extension']],
    [{ pipeliningDepth: 4 }, ['http']],
    [{ http2Streams: 10 }, ['http']],
    [{ blockedRequests: ['image', 'font'] }, ['extension']],
    [{ userAgentString: 'A user agent' }, ['chrome', 'firefox', 'http', 'extension']],
    [{ viewport: { widthPx: 390, heightPx: 844 } }, ['chrome', 'firefox', 'http', 'extension']],
    [{ deviceScaleRatio: 2 }, ['chrome', 'firefox', 'http', 'extension']],
    [{ trustedKeys: [`${'A'.repeat(43)}=`] }, ['chrome', 'firefox', 'http', 'extension']],
    [{ flags: ['--disable-http2'] }, ['chrome', 'extension']],
    [{ prefs: { 'network.http.http2.enabled': false } }, ['firefox', 'extension']],
  ])('%j is accepted for %j, and for no other engine', (settings, engines) => {
    const accepted = engineNames.filter((engine) => problemsOf(settings, [engine]).length === 0);
    expect(accepted).toEqual(engineNames.filter((engine) => engines.includes(engine)));
  });

  it('that one User Agent cannot obey is refused with its place, that User Agent and the engines that can', () => {
    expect(problemsOf({ connectionsPerOrigin: 2 }, ['http', 'chrome'])).toEqual([
      'scenarios.1.browser.connectionsPerOrigin: is not supported by chrome, the engine of "chrome user": leave it out, or choose an engine that supports it: firefox, http, extension',
    ]);
    expect(problemsOf({ protocols: ['h2', 'h3'] }, ['chrome'])).toEqual([
      'scenarios.1.browser.protocols: is not supported by chrome, the engine of "chrome user": choose ["http/1.1"] or ["http/1.1","h2"] or ["h2"] or ["h3"] or ["http/1.1","h2","h3"]',
    ]);
    expect(problemsOf({ protocols: ['h3'] }, ['chrome', 'http'])).toEqual([
      'scenarios.1.browser.protocols: with "h3" is not supported by http, the engine of "http user": leave "h3" out, or choose an engine that supports it: chrome, firefox, extension',
    ]);
  });

  it('of one browser is accepted beside other engines', () => {
    expect(
      problemsOf({ flags: ['--disable-http2'], prefs: { 'network.http.http2.enabled': false } }, [
        'chrome',
        'firefox',
        'http',
      ]),
    ).toEqual([]);
    expect(problemsOf({ prefs: { 'network.http.http2.enabled': false } }, ['chrome'])).toEqual([
      'scenarios.1.browser.prefs: is only for the engines firefox, extension, and no User Agent obeys it: leave it out',
    ]);
  });

  it('of trusted keys may be the testbed’s, alone or in a list', () => {
    const key = `${'A'.repeat(43)}=`;
    const read = (trustedKeys: unknown) => BrowserSettingsSchema.parse({ trustedKeys }).trustedKeys;
    expect([read('testbed'), read(['testbed', key])]).toEqual([['testbed'], ['testbed', key]]);
    expect(() => read('elsewhere')).toThrow();
    expect(() => read([true])).toThrow(/must be .+testbed/);
    expect(() => read(['elsewhere'])).toThrow(/must be the base64 SHA-256 of a public key, or .+testbed/);
  });

  it.each<[string[], string[]]>([
    [[], ['flags', 'prefs', 'proxy', 'viewport']],
    [['proxy'], ['flags', 'prefs', 'viewport']],
    [listSettingsOfStartedExtension('chrome'), ['prefs']],
    [listSettingsOfStartedExtension('firefox'), ['flags']],
  ])('of an extension that reports to obey %j is refused otherwise', (settings, refused) => {
    const browser = BrowserSettingsSchema.parse({
      proxy: 'http://proxy.test',
      viewport: { widthPx: 390, heightPx: 844 },
      flags: ['--disable-http2'],
      prefs: { 'network.http.http2.enabled': false },
    });
    const problems = explainUnsupportedSettings(browser, [{ name: 'ann', engine: 'extension', settings }]);
    expect(problems.map(({ setting }) => setting).toSorted()).toEqual(refused);
    expect(problems.find(({ setting }) => setting === 'proxy')?.message ?? null).toBe(
      settings.includes('proxy')
        ? null
        : 'is not supported by extension, the engine of "ann": leave it out, or choose an engine that supports it: chrome, firefox, http, or an Agent that starts the browser with the extension, or let the person at the browser permit it in the options of the extension',
    );
  });

  it('that was left out is no setting', () => {
    expect(problemsOf({ flags: [], prefs: {}, trustedKeys: [] }, engineNames)).toEqual([]);
  });
});

describe('a proxy', () => {
  it.each(['http://proxy.test:3128', 'https://proxy.test', 'socks4://127.0.0.1:1080', 'socks5://[::1]:1080'])(
    'may be %s',
    (proxy) => {
      expect(problemsOf({ proxy })).toEqual([]);
    },
  );

  it.each([
    ['proxy.test:3128', 'is not a proxy address'],
    ['ftp://proxy.test', 'is not a proxy address'],
    ['http://user:secret@proxy.test', 'must not have a user name or password'],
    ['http://proxy.test/wpad.dat', 'use "pac"'],
  ])('may not be %s', (proxy, problem) => {
    expect(problemsOf({ proxy })).toEqual([expect.stringMatching(`^scenarios.1.browser.proxy: .*${problem}`)]);
  });

  it('is given in one way', () => {
    expect(problemsOf({ proxy: 'http://proxy.test:3128', pac })).toEqual([
      expect.stringContaining('scenarios.1.browser.pac: cannot be used with "proxy"'),
    ]);
  });
});

test('a script that is no proxy script, or is longer than a command line, is refused', () => {
  expect(problemsOf({ pac: 'return "DIRECT"' })).toEqual([expect.stringContaining('FindProxyForURL')]);
  expect(problemsOf({ pac: `${pac} // ${'é'.repeat(40_000)}` })).toEqual([
    'scenarios.1.browser.pac: must have at most 64 KiB',
  ]);
});

test.each([
  ['--proxy-server=http://proxy.test', 'proxy'],
  ['--user-agent=Me', 'userAgentString'],
  ['--window-size=1,1', 'viewport'],
])('%s is refused with the setting that says the same', (flag, setting) => {
  expect(problemsOf({ flags: [flag] })).toEqual([
    `scenarios.1.browser.flags.0: has a setting of its own: use "${setting}"`,
  ]);
});

describe('what reaches outside of the measured browser is refused', () => {
  it.each([
    '--user-data-dir=/tmp/x',
    '--remote-debugging-port=9222',
    '--no-sandbox',
    '--disable-setuid-sandbox',
    '--disable-gpu-sandbox',
    '--single-process',
    '--renderer-cmd-prefix=sh',
    '--log-file=/tmp/x',
    '--log-net-log=/tmp/x',
    '--Log-Net-Log=/tmp/x',
    '--ssl-key-log-file=/tmp/x',
    '--trace-startup',
    '--trace-startup-file=/tmp/x',
    '--trace-shutdown-file=/tmp/x',
    '--enable-tracing-output=/tmp/x',
    '--disk-cache-dir=/tmp',
    '--crash-dumps-dir=/tmp',
    '--print-to-pdf=/tmp/x',
    '--screenshot=/tmp/x',
    '--js-flags=--logfile=/tmp/x',
    '--pack-extension=/tmp/x',
  ])('%s', (flag) => {
    expect(problemsOf({ flags: [flag] })).toEqual([
      'scenarios.1.browser.flags.0: is not allowed: it would reach outside the measured browser',
    ]);
  });

  it.each([
    'logging.config.LOG_FILE',
    'print.print_to_filename',
    'print_printer',
    'media.webrtc.debug.log_file',
    'remote.active-protocols',
  ])('%s', (name) => {
    expect(problemsOf({ prefs: { [name]: '/tmp/x' } }, ['firefox'])).toEqual([
      `scenarios.1.browser.prefs.${name}: Invalid key in record`,
    ]);
  });

  it('and nothing else', () => {
    expect(
      problemsOf({
        flags: [
          '--disable-http2',
          '--enable-quic',
          '--disable-javascript',
          '--disk-cache-size=1',
          '--process-per-site',
        ],
      }),
    ).toEqual([]);
    expect(
      problemsOf(
        {
          prefs: { 'network.http.max-connections': 6, 'browser.cache.disk.enable': false, 'media.autoplay.default': 0 },
        },
        ['firefox'],
      ),
    ).toEqual([]);
  });
});

test('every protocol has a name that an engine can be held to', () => {
  for (const name of protocolNames)
    expect(engineNames.filter((engine) => mayUseProtocol(engine, name))).not.toEqual([]);
  expect(problemsOf({ protocols: protocolNames.filter((name) => name !== 'h3') }, ['http'])).toEqual([]);
});
