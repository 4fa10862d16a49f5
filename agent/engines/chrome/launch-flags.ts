import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import { listOrigins, readHttp3Mode } from '../browser/hold-to-protocols.ts';

/** A port of this machine that nobody answers at. */
const nowhere = '127.0.0.1:9';

/**
 * What the browser asks its maker for by itself, at every start or context, in spite of all other flags: the time, updates of components,
 * whether somebody is signed in. It would share the link with what is measured, and so it goes nowhere.
 */
const ownErrands = [
  '--disable-features=NetworkTimeServiceQuerying',
  `--component-updater=url-source=http://${nowhere}/`,
  `--gaia-url=http://${nowhere}`,
];

/** The command line of a browser that does nothing by itself. */
export function listLaunchFlags(
  settings: BrowserSettings,
  { isRoot, urls = [] }: { isRoot: boolean; urls?: readonly string[] | undefined },
): string[] {
  const { flags, trustedKeys, protocols, userAgentString, deviceScaleRatio = 1 } = settings;
  return [
    ...listQuicFlags(settings, urls),
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-domain-reliability',
    '--disable-sync',
    '--no-first-run',
    '--no-default-browser-check',
    ...ownErrands,
    `--force-device-scale-factor=${deviceScaleRatio}`,
    // Chrome refuses to run as root with its sandbox.
    ...(isRoot ? ['--no-sandbox'] : []),
    ...listProxyFlags(settings),
    ...(protocols && !protocols.includes('h2') && !protocols.includes('h3') ? ['--disable-http2'] : []),
    // For workers too, which `Emulation.setUserAgentOverride` does not reach.
    ...(userAgentString === undefined ? [] : [`--user-agent=${userAgentString}`]),
    // Not --ignore-certificate-errors: that stops Chrome from caching.
    ...(trustedKeys.length > 0 ? [`--ignore-certificate-errors-spki-list=${trustedKeys.join(',')}`] : []),
    ...flags,
  ];
}

/** QUIC would race the protocols that a Scenario asks for. Where that is HTTP/3 alone, it is used at once, without a race, for the origins that are measured. */
function listQuicFlags(settings: BrowserSettings, urls: readonly string[]): string[] {
  const mode = readHttp3Mode(settings);
  if (mode === 'off') return ['--disable-quic'];
  if (mode === 'discovered') return ['--enable-quic'];
  const hosts = listOrigins(urls).map(({ hostname, port }) => `${hostname}:${port || 443}`);
  return ['--enable-quic', ...(hosts.length > 0 ? [`--origin-to-force-quic-on=${hosts.join(',')}`] : [])];
}

/** By default the environment decides, and addresses of this machine bypass the proxy; from a script's choice they cannot be kept. */
function listProxyFlags({ proxy, pac }: BrowserSettings): string[] {
  if (proxy !== undefined) return [`--proxy-server=${proxy}`, `--proxy-bypass-list=<-loopback>;${nowhere}`];
  if (pac === undefined) return ['--no-proxy-server'];
  return [`--proxy-pac-url=data:application/x-ns-proxy-autoconfig;base64,${Buffer.from(pac).toString('base64')}`];
}
