import browser from 'webextension-polyfill';
import type { PageLoad } from '#core/evaluation/pages/page-load.ts';
import type { Isolation } from '#core/metrics/snapshot.ts';
import { chooseIsolation, closeWindow, openContainer, removeContainer } from './isolation.ts';
import { noteWindows } from './leftovers.ts';

/** What the windows of one Pass share, which begins empty and lasts for it. Disposing of it forgets all. */
export interface PassProfile extends AsyncDisposable {
  isolation: Isolation;
  container: string | null;
  /** A window that keeps an incognito profile alive between the Visits. */
  keeperId: number | null;
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
