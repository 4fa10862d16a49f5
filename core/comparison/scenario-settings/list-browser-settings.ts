import { protocolNames, requestKinds, type BrowserSettings } from '../../evaluation/browser/browser-settings.ts';
import type { PageLoad } from '../../evaluation/pages/page-load.ts';
import type { ScenarioSetting } from './scenario-setting.ts';

const asItIs = 'browser default';

/** How the browser is set in a Scenario, in words. A setting that was left out is shown with its default. */
export function listBrowserSettings(
  browser: BrowserSettings,
  pageLoad: Pick<PageLoad, 'cache' | 'viewport'>,
): ScenarioSetting[] {
  return (Object.keys(settingsOf) as (keyof BrowserSettings)[]).flatMap((setting) =>
    settingsOf[setting](browser, pageLoad),
  );
}

/** The compiler reports a setting that has no words here. */
const settingsOf: Record<
  keyof BrowserSettings,
  (browser: BrowserSettings, pageLoad: Pick<PageLoad, 'cache' | 'viewport'>) => ScenarioSetting[]
> = {
  protocols: ({ protocols }) => {
    const value = protocolNames.filter((name) => protocols?.includes(name));
    return [{ name: 'HTTP versions', value, words: value.join(', ') || asItIs }];
  },
  proxy: ({ proxy }) => [{ name: 'Proxy', value: proxy, words: proxy ?? 'none' }],
  pac: ({ pac }) => [
    { name: 'Proxy auto-configuration script (PAC)', value: pac, words: pac ?? 'none', isScript: true },
  ],
  connectionsPerOrigin: ({ connectionsPerOrigin: value }) => [
    { name: 'Connections per origin', value, words: value?.toString() ?? asItIs },
  ],
  pipeliningDepth: ({ pipeliningDepth: value = 1 }) => [
    { name: 'Pipelining depth', value, words: value === 1 ? '1 (no pipelining)' : String(value) },
  ],
  http2Streams: ({ http2Streams: value }) => [{ name: 'HTTP/2 streams', value, words: value?.toString() ?? asItIs }],
  cache: ({ cache }, pageLoad) => {
    const value = cache ?? pageLoad.cache;
    return [{ name: 'Cache', value, words: value }];
  },
  viewport: ({ viewport }, pageLoad) => {
    const { widthPx, heightPx } = viewport ?? pageLoad.viewport;
    return [{ name: 'Viewport', value: [widthPx, heightPx], words: `${widthPx} × ${heightPx} px` }];
  },
  deviceScaleRatio: ({ deviceScaleRatio: value = 1 }) => [{ name: 'Device pixel ratio', value, words: String(value) }],
  blockedRequests: ({ blockedRequests }) => {
    const value = requestKinds.filter((kind) => blockedRequests?.includes(kind));
    return [{ name: 'Blocked requests', value, words: value.join(', ') || 'none' }];
  },
  userAgentString: ({ userAgentString: value }) => [{ name: 'User-Agent header', value, words: value ?? asItIs }],
  flags: ({ flags }) => {
    const values = Map.groupBy(flags, (flag) => flag.split('=', 1)[0]!);
    return [...values].map(([name, given]) => ({
      name: `Chrome switch ${name}`,
      value: given,
      words: given.map((flag) => flag.slice(name.length + 1) || 'set').join(', '),
    }));
  },
  prefs: ({ prefs }) =>
    Object.entries(prefs).map(([name, value]) => ({
      name: `Firefox preference ${name}`,
      value,
      words: typeof value === 'string' ? JSON.stringify(value) : String(value),
    })),
  trustedKeys: ({ trustedKeys }) => {
    const value = trustedKeys.toSorted();
    return [{ name: 'Trusted certificate keys', value, words: value.join(', ') || 'none' }];
  },
};
