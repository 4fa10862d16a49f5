import type { z } from 'zod';
import { expect, test } from 'vitest';
import { listLaunchFlags } from '#agent/engines/chrome/launch-flags.ts';
import { listPrefs, writePrefs } from '#agent/engines/firefox/list-prefs.ts';
import { BrowserSettingsSchema } from '#core/evaluation/browser/browser-settings.ts';

type Settings = z.input<typeof BrowserSettingsSchema>;
const flagsOf = (settings: Settings = {}, { isRoot = false } = {}) =>
  listLaunchFlags(BrowserSettingsSchema.parse(settings), { isRoot });
const prefsOf = (settings: Settings = {}) => listPrefs(BrowserSettingsSchema.parse(settings));
/** What settings add to those of a browser without any, or change. */
const addedFlags = (settings: Settings) => flagsOf(settings).filter((flag) => !flagsOf().includes(flag));
const addedPrefs = (settings: Settings) => {
  const plain = prefsOf();
  return Object.fromEntries(Object.entries(prefsOf(settings)).filter(([name, value]) => plain[name] !== value));
};

const script = 'function FindProxyForURL() { return "DIRECT" }';
const base64 = Buffer.from(script).toString('base64');
const key = 'sP4d6YQ4cuKZ8nG/2Xf8GkYtE2Hc7qJxMtK1p2dU0yA=';

test('Chrome does nothing by itself, asks by no proxy, and has a sandbox but for root', () => {
  const flags = flagsOf();
  expect(flags).toEqual(
    expect.arrayContaining([
      '--disable-quic',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-domain-reliability',
      '--disable-sync',
      '--no-first-run',
      '--no-default-browser-check',
      '--disable-features=NetworkTimeServiceQuerying',
      '--component-updater=url-source=http://127.0.0.1:9/',
      '--gaia-url=http://127.0.0.1:9',
      '--force-device-scale-factor=1',
      '--no-proxy-server',
    ]),
  );
  expect(flags).toHaveLength(12);
  expect(flagsOf({}, { isRoot: true }).filter((flag) => !flags.includes(flag))).toEqual(['--no-sandbox']);
});

test.each<[Settings, string[]]>([
  [
    { proxy: 'socks5://proxy.test:1081' },
    ['--proxy-server=socks5://proxy.test:1081', '--proxy-bypass-list=<-loopback>;127.0.0.1:9'],
  ],
  [{ pac: script }, [`--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${base64}`]],
  [{ protocols: ['http/1.1'] }, ['--disable-http2']],
  [{ protocols: ['h2', 'http/1.1'] }, []],
  [{ protocols: ['h3', 'h2', 'http/1.1'] }, ['--enable-quic']],
  [{ userAgentString: 'Mine/1' }, ['--user-agent=Mine/1']],
  [{ deviceScaleRatio: 2.5 }, ['--force-device-scale-factor=2.5']],
  [{ trustedKeys: [key] }, [`--ignore-certificate-errors-spki-list=${key}`]],
  [{ flags: ['--disable-gpu', '--mute-audio'] }, ['--disable-gpu', '--mute-audio']],
])('for %j, Chrome has the flags %j', (settings, flags) => {
  expect(addedFlags(settings)).toEqual(flags);
});

test('Chrome’s last flags are those of the Scenario, which may change any before', () => {
  expect(flagsOf({ flags: ['--mute-audio'], trustedKeys: [key] }).at(-1)).toBe('--mute-audio');
});

const always = {
  'network.proxy.no_proxies_on': '',
  'network.proxy.allow_hijacking_localhost': true,
  'network.proxy.failover_direct': false,
};
const byScript = (text: string) => ({
  ...always,
  'network.proxy.type': 2,
  'network.proxy.autoconfig_url': `data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(text).toString('base64')}`,
});

test('Firefox does nothing by itself, asks by no proxy, and has the clocks and windows of a user', () => {
  expect(prefsOf()).toMatchObject({
    'privacy.reduceTimerPrecision': false,
    'dom.disable_open_during_load': true,
    'dom.allow_scripts_to_close_windows': false,
    'print.enabled': false,
    'network.http.http3.enable': false,
    'devtools.jsonview.enabled': false,
    'browser.newtab.preload': false,
    'browser.startup.page': 0,
    'network.trr.mode': 5,
    'app.normandy.enabled': false,
    'toolkit.telemetry.enabled': false,
    'network.proxy.type': 0,
    'layout.css.devPixelsPerPx': '1',
  });
});

test.each<[Settings, Record<string, boolean | number | string>]>([
  [
    { proxy: 'http://proxy.test' },
    {
      ...always,
      'network.proxy.type': 1,
      'network.proxy.http': 'proxy.test',
      'network.proxy.http_port': 80,
      'network.proxy.ssl': 'proxy.test',
      'network.proxy.ssl_port': 80,
    },
  ],
  [
    { proxy: 'socks5://[2001:db8::1]:1081' },
    {
      ...always,
      'network.proxy.type': 1,
      'network.proxy.socks': '2001:db8::1',
      'network.proxy.socks_port': 1081,
      'network.proxy.socks_version': 5,
      'network.proxy.socks_remote_dns': true,
    },
  ],
  [
    { proxy: 'socks4://proxy.test' },
    {
      ...always,
      'network.proxy.type': 1,
      'network.proxy.socks': 'proxy.test',
      'network.proxy.socks_port': 1080,
      'network.proxy.socks_version': 4,
      'network.proxy.socks_remote_dns': false,
    },
  ],
  [{ proxy: 'https://proxy.test' }, byScript(`function FindProxyForURL() { return 'HTTPS proxy.test:443'; }`)],
  [{ proxy: 'https://proxy.test:8443' }, byScript(`function FindProxyForURL() { return 'HTTPS proxy.test:8443'; }`)],
  [{ pac: script }, byScript(script)],
  [
    { connectionsPerOrigin: 4 },
    {
      'network.http.max-persistent-connections-per-server': 4,
      'network.http.max-persistent-connections-per-proxy': 4,
      'network.http.connection-retry-timeout': 0,
      'network.http.speculative-parallel-limit': 0,
    },
  ],
  [{ protocols: ['http/1.1'] }, { 'network.http.http2.enabled': false }],
  [{ protocols: ['h2', 'http/1.1'] }, { 'network.http.http2.enabled': true }],
  [{ userAgentString: 'Mine/1' }, { 'general.useragent.override': 'Mine/1' }],
  [{ deviceScaleRatio: 2.5 }, { 'layout.css.devPixelsPerPx': '2.5' }],
  [{ prefs: { 'network.trr.mode': 2, 'mine.own': 'a' } }, { 'network.trr.mode': 2, 'mine.own': 'a' }],
])('for %j, Firefox has the preferences %j', (settings, prefs) => {
  expect(addedPrefs(settings)).toEqual(prefs);
});

test('preferences are written as a profile has them', () => {
  expect(writePrefs({ 'a.b': true, n: 3, 'text "x"': 'a\\b' })).toBe(
    'user_pref("a.b", true);\nuser_pref("n", 3);\nuser_pref("text \\"x\\"", "a\\\\b");\n',
  );
});
