import browser from 'webextension-polyfill';
import type { PageLoad } from '#core/evaluation/page-load.ts';
import type { Isolation } from '#core/metrics/snapshot.ts';
import { hasContainers } from '../../agent-state/page-access.ts';
import { fitViewport } from './fit-viewport.ts';
import { forgetContainer, noteContainer, noteWindow } from './leftovers.ts';

/** The window that one Visit is made in, with one empty tab; closed with all that it kept when disposed of. */
export interface Stage extends AsyncDisposable {
  tabId: number;
  isolation: Isolation;
  /** What the window really gives the page. */
  viewport: { widthPx: number; heightPx: number };
}

/** Opens a window of the extension's own: the person's windows and tabs are left as they are. Throws when the browser does not let it. */
export async function openStage({ cache, viewport }: Pick<PageLoad, 'cache' | 'viewport'>): Promise<Stage> {
  const isolation = cache === 'warm' ? 'shared' : await chooseIsolation();
  if (isolation === 'cache-cleared') await browser.browsingData.removeCache({});
  const container = isolation === 'container' ? await openContainer() : null;
  const window = await browser.windows.create({
    url: 'about:blank',
    type: 'popup',
    left: 0,
    top: 0,
    ...(isolation === 'incognito' && { incognito: true }),
    ...(container !== null && { cookieStoreId: container }),
  });
  const tabId = window.tabs?.[0]?.id;
  if (window.id === undefined || tabId === undefined) throw new Error('The browser opened no window for the Visit');
  const windowId = window.id;
  await noteWindow(windowId);
  return {
    tabId,
    isolation,
    viewport: await fitViewport({ windowId, tabId, viewport }),
    [Symbol.asyncDispose]: async () => {
      await closeWindow(windowId);
      if (container !== null) await removeContainer(container);
    },
  };
}

/** An incognito profile lives as long as any incognito window: beside one of the person's it would be neither cold nor the extension's own. */
async function chooseIsolation(): Promise<Isolation> {
  if (hasContainers()) return 'container';
  if (!(await browser.extension.isAllowedIncognitoAccess())) return 'cache-cleared';
  const windows = await browser.windows.getAll();
  return windows.some(({ incognito }) => incognito) ? 'cache-cleared' : 'incognito';
}

/** A container's name is what Firefox shows in its address bar. */
async function openContainer(): Promise<string> {
  const { cookieStoreId } = await browser.contextualIdentities.create({
    name: 'HTTP-AE',
    color: 'purple',
    icon: 'circle',
  });
  await noteContainer(cookieStoreId);
  return cookieStoreId;
}

export async function removeContainer(cookieStoreId: string): Promise<void> {
  await browser.contextualIdentities.remove(cookieStoreId);
  await forgetContainer(cookieStoreId);
}

/** A window may be gone already: closed by the page, or by the person. */
export async function closeWindow(windowId: number): Promise<void> {
  const windows = await browser.windows.getAll();
  if (windows.some(({ id }) => id === windowId)) await browser.windows.remove(windowId);
}
