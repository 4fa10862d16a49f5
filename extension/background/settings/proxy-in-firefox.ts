import browser, { type Proxy } from 'webextension-polyfill';
import type { Stage } from '../stage/open-stage.ts';
import type { BrowserChange } from './browser-change.ts';
import { readProxyAddress, type ProxyAddress } from './proxy-address.ts';

const types: Record<ProxyAddress['scheme'], string> = {
  http: 'http',
  https: 'https',
  socks4: 'socks4',
  socks5: 'socks',
};

/** Firefox asks for the proxy of each request: all others go as they went, and nothing is left when the background dies. */
export function leadStageInFirefox(proxy: string, { tabId, container }: Stage): BrowserChange {
  const { scheme, host, port } = readProxyAddress(proxy);
  // Without the null, Firefox would try the person's own proxy when this one fails.
  const way = [{ type: types[scheme], host, port, proxyDNS: scheme.startsWith('socks') }, null];
  // What a service worker asks for has no tab, but the container.
  const isOfStage = (details: Proxy.OnRequestDetailsType) =>
    details.tabId === tabId || (container !== null && details.cookieStoreId === container);
  const choose = (details: Proxy.OnRequestDetailsType) => (isOfStage(details) ? way : undefined);
  browser.proxy.onRequest.addListener(choose, { urls: ['<all_urls>'] });
  return {
    words: `Proxy: ${proxy}, in the window of the Visit`,
    undo: () => {
      browser.proxy.onRequest.removeListener(choose);
      return Promise.resolve();
    },
  };
}
