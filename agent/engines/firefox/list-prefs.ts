import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import { AppError } from '#core/app-error.ts';
import { listOrigins, readHttp3Mode } from '../browser/hold-to-protocols.ts';

/** HTTP/3 where an answer offers it. */
const discoveryPrefs = {
  'network.http.http3.enable': true,
  // Else trusted keys of one's own would end it.
  'network.http.http3.disable_when_third_party_roots_found': false,
  // Linux gives packets that it cuts itself a wrong checksum where a rule changes their source, as for a user with an address.
  'network.http.http3.max_gso_segments': 1,
};

export type Prefs = Record<string, boolean | number | string>;

/** What differs from the browser of a user, beside what Firefox itself sets for every automated browser (`remote.prefs.recommended`). */
const ownPrefs: Prefs = {
  // Its clocks would be rounded to whole milliseconds.
  'privacy.reduceTimerPrecision': false,
  // Automation lets pages open and close windows; users' browsers do not.
  'dom.disable_open_during_load': true,
  'dom.allow_scripts_to_close_windows': false,
  // The page would stop for its print, which nobody takes.
  'print.enabled': false,
  // HTTP/3 would race the protocols that a Scenario asks for.
  'network.http.http3.enable': false,
  // JSON is a text, as in other browsers; no extension could look into the viewer.
  'devtools.jsonview.enabled': false,
  // What the browser would load by itself, beside the page.
  'services.settings.server': 'data:,#none/v1',
  'browser.newtab.preload': false,
  'browser.newtabpage.enabled': false,
  'browser.startup.page': 0,
  'browser.safebrowsing.provider.mozilla.updateURL': '',
  'browser.safebrowsing.provider.mozilla.gethashURL': '',
  'media.gmp-manager.updateEnabled': false,
  'media.gmp-manager.url': '',
  'network.trr.mode': 5,
  'app.normandy.enabled': false,
  'datareporting.healthreport.uploadEnabled': false,
  'toolkit.telemetry.enabled': false,
};

/** The preferences of a browser that does nothing by itself, by the settings of a Scenario. Throws `invalid-input` for URLs that HTTP/3 cannot be asked of. */
export function listPrefs(settings: BrowserSettings, urls: readonly string[] = []): Prefs {
  const { connectionsPerOrigin, protocols, userAgentString, deviceScaleRatio, prefs } = settings;
  const http3 = readHttp3Mode(settings);
  return {
    ...ownPrefs,
    ...listProxyPrefs(settings),
    ...(connectionsPerOrigin !== undefined && {
      'network.http.max-persistent-connections-per-server': connectionsPerOrigin,
      'network.http.max-persistent-connections-per-proxy': connectionsPerOrigin,
      // Else Firefox opens a second one for each that takes longer than 250 ms to open, as all do over a satellite, and some before they are needed.
      'network.http.connection-retry-timeout': 0,
      'network.http.speculative-parallel-limit': 0,
    }),
    ...(protocols && { 'network.http.http2.enabled': protocols.includes('h2') || protocols.includes('h3') }),
    ...(http3 === 'only' && listHttp3Prefs(urls)),
    ...(http3 === 'discovered' && discoveryPrefs),
    ...(userAgentString !== undefined && { 'general.useragent.override': userAgentString }),
    'layout.css.devPixelsPerPx': String(deviceScaleRatio ?? 1),
    ...prefs,
  };
}

/** https://firefox-source-docs.mozilla.org/networking/; by default the system decides, and addresses of this machine bypass the proxy. */
function listProxyPrefs({ proxy, pac }: BrowserSettings): Prefs {
  const always: Prefs = {
    'network.proxy.no_proxies_on': '',
    'network.proxy.allow_hijacking_localhost': true,
    'network.proxy.failover_direct': false,
  };
  if (pac !== undefined) {
    const script = `data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(pac).toString('base64')}`;
    return { ...always, 'network.proxy.type': 2, 'network.proxy.autoconfig_url': script };
  }
  if (proxy === undefined) return { 'network.proxy.type': 0 };
  const { protocol, hostname, port } = new URL(proxy);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'https:') {
    // By preferences a proxy is spoken to without TLS; by a script it can be otherwise.
    return listProxyPrefs({
      pac: `function FindProxyForURL() { return 'HTTPS ${hostname}:${port || 443}'; }`,
    } as BrowserSettings);
  }
  if (protocol === 'http:') {
    const number = Number(port || 80);
    return {
      ...always,
      'network.proxy.type': 1,
      'network.proxy.http': host,
      'network.proxy.http_port': number,
      'network.proxy.ssl': host,
      'network.proxy.ssl_port': number,
    };
  }
  const version = protocol === 'socks4:' ? 4 : 5;
  return {
    ...always,
    'network.proxy.type': 1,
    'network.proxy.socks': host,
    'network.proxy.socks_port': Number(port || 1080),
    'network.proxy.socks_version': version,
    // Names are resolved by the proxy, as Chrome has it.
    'network.proxy.socks_remote_dns': version === 5,
  };
}

/** As the file `user.js` of a profile. */
export function writePrefs(prefs: Prefs): string {
  return Object.entries(prefs)
    .map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
    .join('');
}

/** HTTP/3 at once for the origins of these URLs, without a race with TCP. Throws `invalid-input` for two ports of one host: Firefox can be sent to one. */
function listHttp3Prefs(urls: readonly string[]): Record<string, boolean | number | string> {
  const ports = new Map<string, string>();
  for (const { hostname, port: given } of listOrigins(urls)) {
    const host = hostname.replace(/^\[|\]$/g, '');
    const port = given || '443';
    const other = ports.get(host);
    if (other !== undefined && other !== port)
      throw new AppError(
        'invalid-input',
        `Firefox can use HTTP/3 at one port of a host, and the URLs have ${host}:${other} and ${host}:${port}: give each its own User Agent`,
      );
    ports.set(host, port);
  }
  return {
    ...discoveryPrefs,
    'network.http.http3.alt-svc-mapping-for-testing': [...ports].map(([host, port]) => `${host};h3=:${port}`).join(','),
    'network.http.http3.force-use-alt-svc-mapping-for-testing': true,
    // Else a connection by TCP is opened beside one that takes 100 ms, as all do over a satellite.
    'network.http.http3.backup_timer_delay': 0,
    // The same where DNS says that the host has HTTP/3 (RFC 9460), after 50 ms.
    'network.dns.httpssvc.http3_fast_fallback_timeout': 0,
    'network.http.http3.fallback_to_h2_on_error': false,
  };
}
