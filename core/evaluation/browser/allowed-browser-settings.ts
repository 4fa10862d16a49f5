import type { BrowserSettings } from './browser-settings.ts';
import { isObeyed, type EngineOnHost } from './engine-settings.ts';

/**
 * Firefox preferences that set how pages load and are shown, and nothing else. A name that ends in `*` is the beginning of names.
 * Left out is what names a program, a library, a file, or an address that the browser fetches automatically (`network.negotiate-auth.*`,
 * `network.proxy.autoconfig_url`, `media.gmp-manager.*`, `browser.helperApps.*`, `gfx.color_management.*`), and what weakens the browser's own walls.
 */
const allowedPrefs = [
  // Connections and protocols.
  'network.http.*',
  'network.tcp.*',
  'network.buffer.*',
  'network.dns.*',
  'network.dnsCache*',
  'network.trr.*',
  'network.ssl_tokens_cache*',
  'network.websocket.*',
  'network.early-hints.*',
  'network.fetchpriority.*',
  'network.preload',
  'network.prefetch-next',
  'network.preconnect',
  'network.predictor.*',
  'network.cookie.*',
  'network.captive-portal-service.enabled',
  'network.connectivity-service.enabled',
  'network.notify.*',
  'network.warnOnAboutNetworking',
  'security.tls.*',
  'security.ssl.*',
  'security.ssl3.*',
  'security.OCSP.*',
  'security.cert_pinning.*',
  'security.mixed_content.*',
  // As the settings `proxy` and `pac` of a Scenario set them.
  'network.proxy.type',
  'network.proxy.http',
  'network.proxy.http_port',
  'network.proxy.ssl',
  'network.proxy.ssl_port',
  'network.proxy.socks',
  'network.proxy.socks_port',
  'network.proxy.socks_version',
  'network.proxy.socks_remote_dns',
  'network.proxy.socks5_remote_dns',
  'network.proxy.no_proxies_on',
  'network.proxy.allow_hijacking_localhost',
  'network.proxy.failover_direct',
  // The cache.
  'browser.cache.*',
  'browser.sessionhistory.*',
  // What a page may use, and what of it is loaded.
  'image.*',
  'permissions.default.*',
  'javascript.options.baselinejit',
  'javascript.options.blinterp',
  'javascript.options.ion',
  'javascript.options.wasm',
  'dom.serviceWorkers.*',
  'dom.workers.*',
  'dom.image-lazy-loading.*',
  'dom.iframe_lazy_loading.*',
  'dom.script_loader.*',
  'dom.min_*',
  'dom.timeout.*',
  'dom.max_*',
  'dom.enable_*',
  'dom.caches.*',
  'dom.security.https_*',
  'dom.event.*',
  'dom.animations*',
  'dom.ipc.processCount*',
  'dom.ipc.processPrelaunch.*',
  'dom.indexedDB.*',
  'dom.storage.*',
  'dom.disable_open_during_load',
  'content.notify.*',
  'content.interrupt.*',
  'content.sink.*',
  'nglayout.*',
  'webgl.disabled',
  'media.autoplay.*',
  'media.cache_*',
  'media.preload.*',
  'media.mediasource.*',
  'media.av1.*',
  'media.webm.*',
  'media.mp4.*',
  'media.hardware-video-decoding.*',
  'privacy.*',
  'fission.*',
  // How it is shown.
  'font.*',
  'browser.display.*',
  'layout.*',
  'gfx.downloadable_fonts.*',
  'gfx.font_rendering.*',
  'gfx.webrender.all',
  'gfx.webrender.software',
  'gfx.canvas.*',
  'ui.prefersReducedMotion',
  'ui.systemUsesDarkTheme',
  'general.smoothScroll',
  'general.useragent.*',
  'intl.accept_languages',
] as const;

/** What begins like an allowed one, and would reach beyond the pages: files, the OS user's own sign-ins, what the host hears and sees. Or take away what HTTP-AE measures by, so that every Visit would fail. */
const refusedPrefs = [
  'network.http.http3.enable_qlog',
  'network.http.windows-sso.*',
  'network.http.microsoft-entra-sso.*',
  'permissions.default.camera',
  'permissions.default.microphone',
  'permissions.default.screen',
  'permissions.default.geo',
  'dom.indexedDB.testing*',
  'dom.serviceWorkers.testing.*',
  'dom.storage.testing',
  'dom.enable_performance_observer',
  // Of telephones; with it, Firefox never answers which viewport it has.
  'layout.dynamic-toolbar-max-height',
] as const;

/** Chrome switches, likewise. */
const allowedFlags = [
  // Connections and protocols.
  'disable-http2',
  'disable-quic',
  'enable-quic',
  'quic-version',
  'origin-to-force-quic-on',
  'host-resolver-rules',
  'host-rules',
  'proxy-bypass-list',
  'enable-tcp-fast-open',
  'ssl-version-min',
  'ssl-version-max',
  'tls1',
  'cipher-suite-blacklist',
  'ignore-certificate-errors',
  'dns-prefetch-disable',
  'disable-preconnect',
  'no-pings',
  'force-effective-connection-type',
  'disable-ipv6',
  // Features and trials, by name.
  'enable-features',
  'disable-features',
  'enable-blink-features',
  'disable-blink-features',
  'blink-settings',
  'force-fieldtrials',
  'force-fieldtrial-params',
  'enable-experimental-web-platform-features',
  'enable-experimental-cookie-features',
  // The cache.
  'disk-cache-size',
  'media-cache-size',
  'aggressive-cache-discard',
  'disable-application-cache',
  'disable-back-forward-cache',
  'v8-cache-options',
  // What a page may use, and what of it is loaded.
  'disable-javascript',
  'disable-images',
  'disable-remote-fonts',
  'disable-webgl',
  'disable-3d-apis',
  'autoplay-policy',
  'disable-popup-blocking',
  'allow-running-insecure-content',
  'unsafely-treat-insecure-origin-as-secure',
  'disable-databases',
  'disable-local-storage',
  'disable-shared-workers',
  'disable-background-timer-throttling',
  'disable-renderer-backgrounding',
  'disable-backgrounding-occluded-windows',
  'disable-ipc-flooding-protection',
  // Processes.
  'process-per-site',
  'process-per-tab',
  'renderer-process-limit',
  'site-per-process',
  'isolate-origins',
  'disable-site-isolation-trials',
  'disable-dev-shm-usage',
  'disable-best-effort-tasks',
  // How it is shown.
  'lang',
  'accept-lang',
  'disable-gpu',
  'disable-gpu-compositing',
  'disable-gpu-rasterization',
  'enable-gpu-rasterization',
  'enable-zero-copy',
  'disable-software-rasterizer',
  'disable-threaded-animation',
  'disable-threaded-scrolling',
  'num-raster-threads',
  'disable-lcd-text',
  'disable-font-subpixel-positioning',
  'force-color-profile',
  'force-dark-mode',
  'force-prefers-reduced-motion',
  'force-prefers-no-reduced-motion',
  'hide-scrollbars',
  'mute-audio',
  'disable-smooth-scrolling',
  'run-all-compositor-stages-before-draw',
] as const;

const isListedPref = makeTest(allowedPrefs);
const isRefusedPref = makeTest(refusedPrefs);
const isAllowedPref = (name: string) => isListedPref(name) && !isRefusedPref(name);
const isAllowedFlag = makeTest(allowedFlags);

/** The preferences and switches of a Scenario that an Agent with this engine refuses, unless it was started with `--allow-any-preference`. */
export function findRefusedSettings(
  { prefs, flags }: Pick<BrowserSettings, 'prefs' | 'flags'>,
  engine: EngineOnHost,
): string[] {
  const refusedPrefs = isObeyed('prefs', engine) ? Object.keys(prefs).filter((name) => !isAllowedPref(name)) : [];
  const refusedFlags = isObeyed('flags', engine)
    ? flags
        .filter((flag) => !isAllowedFlag(/^--([^=]*)/.exec(flag)![1]!.toLowerCase()))
        .map((flag) => flag.split('=')[0]!)
    : [];
  return [...refusedPrefs, ...refusedFlags];
}

/** Null when there is nothing to refuse. */
export function explainRefusedSettings(
  settings: Pick<BrowserSettings, 'prefs' | 'flags'>,
  { agent, ...engine }: EngineOnHost & { agent: string },
): string | null {
  const refused = findRefusedSettings(settings, engine);
  if (refused.length === 0) return null;
  return (
    `Agent "${agent}" refuses ${refused.join(', ')}: it allows only settings of how pages load and look. ` +
    'Leave it out, or ask the operator of that host to start the Agent with --allow-any-preference'
  );
}

function makeTest(names: readonly string[]): (name: string) => boolean {
  const whole = new Set(names.filter((name) => !name.endsWith('*')));
  const beginnings = names.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  return (name) => whole.has(name) || beginnings.some((beginning) => name.startsWith(beginning));
}
