import browser from 'webextension-polyfill';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { Isolation } from '#core/metrics/snapshot.ts';
import { fitViewport } from './fit-viewport.ts';
import { chooseIsolation, closeWindow, openContainer, removeContainer } from './isolation.ts';
import { noteWindows } from './leftovers.ts';
import type { PassProfile } from './pass-profile.ts';

/** The window that one Visit is made in, with one empty tab; closed with all that it kept when disposed of. */
export interface Stage extends AsyncDisposable {
  tabId: number;
  windowId: number;
  /** Null where it has no container. */
  container: string | null;
  isolation: Isolation;
  isIncognito: boolean;
  /** What the window really gives the page. */
  viewport: { widthPx: number; heightPx: number };
}

/** Opens a window of the extension's own: the person's windows and tabs are left as they are. `kept`: what it shares with the other Visits of its Pass. Throws when the browser does not let it. */
export async function openStage(
  { cache, viewport }: Pick<PageLoad, 'cache' | 'viewport'>,
  kept: { profile: PassProfile; isFirst: boolean } | null = null,
): Promise<Stage> {
  const own = kept === null ? await isolate(cache) : { isolation: kept.profile.isolation, container: null };
  const container = kept?.profile.container ?? own.container;
  const window = await browser.windows.create({
    url: 'about:blank',
    type: 'popup',
    left: 0,
    top: 0,
    ...(own.isolation === 'incognito' && { incognito: true }),
    ...(container !== null && { cookieStoreId: container }),
  });
  const tabId = window.tabs?.[0]?.id;
  if (window.id === undefined || tabId === undefined) throw new Error('The browser opened no window for the Visit');
  const windowId = window.id;
  const keeperId = kept?.profile.keeperId ?? null;
  await noteWindows(keeperId === null ? [windowId] : [windowId, keeperId]);
  return {
    tabId,
    windowId,
    container,
    // What a later Visit of a Pass finds is what those before it left.
    isolation: kept === null || kept.isFirst ? own.isolation : 'shared',
    isIncognito: window.incognito,
    viewport: await fitViewport({ windowId, tabId, viewport }),
    [Symbol.asyncDispose]: async () => {
      await closeWindow(windowId);
      if (own.container !== null) await removeContainer(own.container);
    },
  };
}

/** What keeps this Visit apart from those before it. */
async function isolate(cache: PageLoad['cache']): Promise<{ isolation: Isolation; container: string | null }> {
  const isolation = cache === 'warm' ? 'shared' : await chooseIsolation();
  if (isolation === 'cache-cleared') await browser.browsingData.removeCache({});
  return { isolation, container: isolation === 'container' ? await openContainer() : null };
}
