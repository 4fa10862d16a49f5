import browser from 'webextension-polyfill';
import type { Isolation } from '#core/metrics/snapshot.ts';
import { hasContainers } from '../../agent-state/page-access.ts';
import { forgetContainer, noteContainer } from './leftovers.ts';

/** An incognito profile lives as long as any incognito window: beside one of the person's it would be neither cold nor the extension's own. */
export async function chooseIsolation(): Promise<Isolation> {
  if (hasContainers()) return 'container';
  if (!(await browser.extension.isAllowedIncognitoAccess())) return 'cache-cleared';
  const windows = await browser.windows.getAll();
  return windows.some(({ incognito }) => incognito) ? 'cache-cleared' : 'incognito';
}

/** A container's name is what Firefox shows in its address bar. */
export async function openContainer(): Promise<string> {
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
