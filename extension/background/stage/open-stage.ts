import browser from 'webextension-polyfill';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { Isolation } from '#core/metrics/snapshot.ts';
import { fitViewport } from './fit-viewport.ts';
import { hasContainers } from '../../agent-state/page-access.ts';
import { z } from 'zod';

/**
 * What is open for a Visit, written down so that it can be closed after the background died in the midst of it. Window ids are of one life of the
 * browser only (a later window of the person's may have the same), containers outlive it.
 */
const WindowsSchema = z.array(z.number()).catch([]);
const ContainersSchema = z.array(z.string()).catch([]);

/** What the windows of one Pass share, which begins empty and lasts for it. Disposing of it forgets all. */
export interface PassProfile extends AsyncDisposable {
  isolation: Isolation;
  container: string | null;
  /** A window that keeps an incognito profile alive between the Visits. */
  keeperId: number | null;
}

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

/** Opens a window of the extension's own: the person's windows and tabs are left as they are. `kept`: what it shares with the other Visits of its Pass. Throws when the browser or the person does not let it, and leaves nothing open. */
export async function openStage(
  { cache, viewport: wanted }: Pick<PageLoad, 'cache' | 'viewport'>,
  kept: { profile: PassProfile; isFirst: boolean } | null = null,
): Promise<Stage> {
  await using opening = new AsyncDisposableStack();
  const keeperId = kept?.profile.keeperId ?? null;
  if (keeperId !== null && !(await isOpen(keeperId)))
    throw new Error('the minimised incognito window, which keeps the cache of the Pass, was closed: leave it open');
  const own = kept === null ? await isolate(cache) : { isolation: kept.profile.isolation, container: null };
  const { container: ownContainer } = own;
  if (ownContainer !== null) opening.defer(() => removeContainer(ownContainer));
  const container = kept?.profile.container ?? ownContainer;
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
  opening.defer(() => closeWindow(windowId));
  await noteWindows(keeperId === null ? [windowId] : [windowId, keeperId]);
  const viewport = await fitViewport({ windowId, tabId, viewport: wanted });
  const opened = opening.move();
  return {
    tabId,
    windowId,
    container,
    // What a later Visit of a Pass finds is what those before it left.
    isolation: kept === null || kept.isFirst ? own.isolation : 'shared',
    isIncognito: window.incognito,
    viewport,
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** What keeps this Visit apart from those before it. */
async function isolate(cache: PageLoad['cache']): Promise<{ isolation: Isolation; container: string | null }> {
  const isolation = cache === 'warm' ? 'shared' : await chooseIsolation();
  if (isolation === 'cache-cleared') await browser.browsingData.removeCache({});
  return { isolation, container: isolation === 'container' ? await openContainer() : null };
}

/** Null where a Pass needs none: each Visit begins empty, or all use what the person's browser has. */
export async function openPassProfile({ cache }: Pick<PageLoad, 'cache'>): Promise<PassProfile | null> {
  if (cache !== 'per-pass') return null;
  const isolation = await chooseIsolation();
  if (isolation === 'cache-cleared') await browser.browsingData.removeCache({});
  const container = isolation === 'container' ? await openContainer() : null;
  const keeperId = isolation === 'incognito' ? await openKeeper() : null;
  return {
    isolation,
    container,
    keeperId,
    [Symbol.asyncDispose]: async () => {
      if (keeperId !== null) await closeWindow(keeperId);
      if (container !== null) await removeContainer(container);
    },
  };
}

async function openKeeper(): Promise<number> {
  const { id } = await browser.windows.create({ url: 'about:blank', incognito: true, state: 'minimized' });
  if (id === undefined) throw new Error('The browser opened no incognito window for the Pass');
  await noteWindows([id]);
  return id;
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
  if (await isOpen(windowId)) await browser.windows.remove(windowId);
}

async function isOpen(windowId: number): Promise<boolean> {
  return (await browser.windows.getAll()).some(({ id }) => id === windowId);
}

/** All that are open. */
async function noteWindows(stageWindows: number[]): Promise<void> {
  await browser.storage.session.set({ stageWindows });
}

async function noteContainer(cookieStoreId: string): Promise<void> {
  await browser.storage.local.set({ containers: [...(await readContainers()), cookieStoreId] });
}

export async function forgetContainer(cookieStoreId: string): Promise<void> {
  await browser.storage.local.set({ containers: (await readContainers()).filter((each) => each !== cookieStoreId) });
}

export async function readWindows(): Promise<number[]> {
  const { stageWindows } = await browser.storage.session.get('stageWindows');
  return WindowsSchema.parse(stageWindows);
}

export async function readContainers(): Promise<string[]> {
  const { containers } = await browser.storage.local.get('containers');
  return ContainersSchema.parse(containers);
}
