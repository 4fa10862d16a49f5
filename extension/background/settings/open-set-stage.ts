import type { BrowserSettings } from '#core/evaluation/browser/browser-settings.ts';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { ReplayedPage } from '#core/metrics/snapshot.ts';
import { openStage, type PassProfile, type Stage } from '../stage/open-stage.ts';
import { clearTabRules, setTabRules } from './tab-rules.ts';
import { hasContainers } from '../../agent-state/page-access.ts';
import { mayUseProxies } from '../../agent-state/proxy-permit.ts';
import { leadStageInChrome, type BrowserChange } from './proxy-in-chrome.ts';
import browser, { type Proxy } from 'webextension-polyfill';
import { readProxyAddress, type ProxyAddress } from './proxy-address.ts';

export interface StageSettings {
  pageLoad: Pick<PageLoad, 'cache' | 'viewport'>;
  /** Of the Scenario. */
  browser: BrowserSettings;
  /** Of the page that the Visit is to load, where it is one of a recorded Site: while it loads, browsers give its date to all pages. */
  replay?: ReplayedPage | undefined;
  /** What the Stage shares with the other Visits of its Pass. */
  kept: { profile: PassProfile; isFirst: boolean } | null;
  /** Called with what is other than the person has it, and with nothing once all is undone. */
  onChanges: (changes: string[]) => void;
}

/** A Stage where the browser is set as the Scenario says. All is undone before its window is closed. */
export async function openSetStage({ pageLoad, browser, replay, kept, onChanges }: StageSettings): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const stage = await openStage({ ...pageLoad, viewport: browser.viewport ?? pageLoad.viewport }, kept);
  opening.use(stage);
  opening.defer(() => onChanges([]));
  // The person's own cookies are where the profile is the person's.
  const isWithoutCookies = (kept?.profile.isolation ?? stage.isolation) === 'cache-cleared';
  const changes = isWithoutCookies ? ['Cache of this browser: cleared'] : [];
  opening.defer(clearTabRules);
  changes.push(...(await setTabRules(stage.tabId, { ...browser, isWithoutCookies })));
  if (browser.proxy !== undefined) {
    const { words, undo } = await leadStage(browser.proxy, stage);
    opening.defer(undo);
    changes.push(words);
  }
  if (replay)
    changes.push(
      `Date of all pages that begin to load: ${new Date(replay.recordedEpochMs).toISOString().slice(0, 10)}`,
    );
  onChanges(changes);
  const opened = opening.move();
  return { ...stage, [Symbol.asyncDispose]: () => opened.disposeAsync() };
}

/** Has the window of a Visit ask by a proxy. Throws where the person, or another extension, does not let it. */
async function leadStage(proxy: string, stage: Stage): Promise<BrowserChange> {
  if (!(await mayUseProxies())) throw new Error('the person at this browser no longer permits proxies');
  return hasContainers() ? leadStageInFirefox(proxy, stage) : leadStageInChrome(proxy, stage);
}

const types: Record<ProxyAddress['scheme'], string> = {
  http: 'http',
  https: 'https',
  socks4: 'socks4',
  socks5: 'socks',
};

/** Firefox asks for the proxy of each request: all others go as they went, and nothing is left when the background dies. */
function leadStageInFirefox(proxy: string, { tabId, container }: Stage): BrowserChange {
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
